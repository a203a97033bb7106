import { HOUR_MS } from "@exchange-graph/contract/clock";
import type { Accounts } from "./accounts.js";
import type { BackOffice } from "./backOffice.js";
import { BrokerService } from "./broker/brokerService.js";
import { openSubAccounts, openSubAccountWithdrawals } from "./broker/opening.js";
import { ConvertService } from "./convert/convertService.js";
import { openConversions } from "./convert/opening.js";
import { openSavings } from "./earn/savingsOpening.js";
import { SavingsService } from "./earn/savingsService.js";
import { openSharkFin } from "./earn/sharkFinOpening.js";
import { SharkFinService } from "./earn/sharkFinService.js";
import { LoanBook } from "./loan/loanBook.js";
import { openLoans } from "./loan/opening.js";
import { randomOf } from "./random.js";
import { pastDeposits, pastWithdrawals } from "./wallet/opening.js";
import { WalletService } from "./wallet/walletService.js";
import type { WorldTime } from "./worldTime.js";

/** Interval at which loans, savings and shark-fin holdings are checked for due payments. */
const REVIEW_MS = HOUR_MS;

export class Services {
  readonly loans: LoanBook;
  readonly sharkFin: SharkFinService;
  readonly savings: SavingsService;
  readonly broker: BrokerService;
  readonly convert: ConvertService;
  readonly wallets: WalletService;

  /** `coins` are those that can be converted. */
  constructor(office: BackOffice, accounts: Accounts, coins: readonly string[]) {
    this.loans = new LoanBook(office);
    this.sharkFin = new SharkFinService(office);
    this.savings = new SavingsService(office);
    this.wallets = new WalletService(office, accounts);
    this.broker = new BrokerService(office, accounts, this.wallets);
    this.convert = new ConvertService(office, coins);
  }

  /**
   * Creates the initial loans, savings and other records of the master accounts. Only while the world is created, because it
   * mints coins.
   */
  open(seed: string): void {
    const masters = this.broker.accounts.masters();
    for (const { uid, isNdBroker } of masters) {
      const random = (service: string) => randomOf(`${seed}/${service}/${uid}`);
      openLoans(this.loans, uid, random("loans"));
      openSharkFin(this.sharkFin, uid, random("shark-fin"));
      openSavings(this.savings, uid, random("savings"));
      this.wallets.withdrawals.prepare(uid, pastWithdrawals(this.broker.office, [uid], random("withdrawals")));
      openConversions(this.convert, uid, random("convert"));
      if (!isNdBroker) continue;
      openSubAccounts(this.broker, uid, random("broker"));
      openSubAccountWithdrawals(this.broker, uid, random("broker withdrawals"));
    }
    // After everything else, whose ids would otherwise be others.
    for (const { uid } of masters) {
      this.wallets.deposits.prepare(uid, pastDeposits(this.broker.office, uid, randomOf(`${seed}/deposits/${uid}`)));
    }
  }

  review(): void {
    this.loans.review();
    this.sharkFin.review();
    this.savings.review();
  }

  keepReviewing(timeline: WorldTime): void {
    const nextHour = () => (Math.floor(timeline.now() / REVIEW_MS) + 1) * REVIEW_MS;
    const review = (): void => {
      this.review();
      timeline.at(nextHour(), review);
    };
    timeline.at(nextHour(), review);
  }
}
