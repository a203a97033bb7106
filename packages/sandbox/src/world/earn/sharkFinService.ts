import type { Exact } from "@exchange-graph/contract/decimal";
import type { BackOffice } from "../backOffice.js";
import { causeOf } from "../cause.js";
import type { IdSequence } from "../ids.js";
import { houseWallet, walletOf } from "../ledger.js";
import { Register } from "../register.js";
import { interestOf, type SharkFinHolding, type SharkFinRecord, type SharkFinRecordType, stagesOf } from "./sharkFin.js";

type Paid = "nothing" | "interest" | "everything";

/** Number of holdings kept per user; only the last three months can be requested. */
const HOLDINGS_PER_USER = 2_000;
const RECORDS_PER_USER = 5_000;

/**
 * The shark-fin service. A subscription moves coins from the user's funds into the earn wallet; at settlement the exchange pays
 * the interest, and a day later the principal is repaid.
 */
export class SharkFinService {
  readonly holdings = new Register<SharkFinHolding>(({ productId }) => productId, HOLDINGS_PER_USER);
  /** Payments in and out. */
  readonly records = new Register<SharkFinRecord>(({ orderId }) => orderId, RECORDS_PER_USER);
  readonly #open = new Map<SharkFinHolding, Paid>();

  constructor(readonly office: BackOffice) {}

  /** Opens a holding from before the start of the world. Only while the world is created, because it mints its coins. */
  open(holding: SharkFinHolding): void {
    this.office.ledger.mint(walletOf(holding.uid, "earn"), holding.subscribeCoin, holding.amount);
    this.holdings.enter(holding.uid, holding);
    this.#record(holding, "subscription", holding.amount, holding.createdTime);
    this.#open.set(holding, "nothing");
  }

  /** Prepares a user's holdings that were settled and paid back before the world began. */
  prepare(uid: string, ids: IdSequence, past: () => readonly SharkFinHolding[]): void {
    let made: readonly SharkFinHolding[] | undefined;
    const holdings = () => {
      made ??= past();
      return made;
    };
    this.holdings.prepare(uid, holdings);
    this.records.prepare(uid, () =>
      holdings().flatMap((holding) => {
        const { settle, redeem } = stagesOf(holding);
        return [
          recordOf(ids, holding, "subscription", holding.amount, holding.createdTime),
          recordOf(ids, holding, "interest", interestOf(holding), settle),
          recordOf(ids, holding, "redemption", holding.amount, redeem),
        ];
      }),
    );
  }

  review(): void {
    const now = this.office.now();
    for (const [holding, paid] of this.#open) {
      const { settle, redeem } = stagesOf(holding);
      if (paid === "nothing" && now >= settle) this.#payInterest(holding, settle);
      if (now >= redeem) this.#payBack(holding, redeem);
    }
  }

  #payInterest(holding: SharkFinHolding, at: number): void {
    const { ledger, fundsOf } = this.office;
    const interest = interestOf(holding);
    const cause = causeOf("earn interest", holding.productId);
    ledger.move(houseWallet("interest"), fundsOf(holding.uid), holding.subscribeCoin, interest, cause);
    this.#record(holding, "interest", interest, at);
    this.#open.set(holding, "interest");
  }

  #payBack(holding: SharkFinHolding, at: number): void {
    const { uid, subscribeCoin, amount, productId } = holding;
    const { ledger, fundsOf } = this.office;
    ledger.move(walletOf(uid, "earn"), fundsOf(uid), subscribeCoin, amount, causeOf("redemption", productId));
    this.#record(holding, "redemption", holding.amount, at);
    this.#open.delete(holding);
  }

  #record(holding: SharkFinHolding, type: SharkFinRecordType, amount: Exact, createdTime: number): void {
    this.records.enter(holding.uid, recordOf(this.office.ids, holding, type, amount, createdTime));
  }
}

const recordOf = (
  ids: IdSequence,
  { productName, subscribeCoin, days }: SharkFinHolding,
  type: SharkFinRecordType,
  amount: Exact,
  createdTime: number,
): SharkFinRecord => ({
  orderId: ids.past(createdTime),
  product: productName,
  coin: subscribeCoin,
  days,
  amount,
  createdTime,
  type,
});
