import type { Exact } from "@exchange-graph/contract/decimal";
import type { BackOffice } from "../backOffice.js";
import { houseWallet, walletOf } from "../ledger.js";
import { Register } from "../register.js";
import { interestOf, type SharkFinHolding, type SharkFinRecord, type SharkFinRecordType, stagesOf } from "./sharkFin.js";

/** What has been paid out of a holding so far. */
type Paid = "nothing" | "interest" | "everything";

/** How much of a user is kept; only the last three months can be asked for. */
const HOLDINGS_PER_USER = 2_000;
const RECORDS_PER_USER = 5_000;

/**
 * The shark-fin service. A subscription moves coins from the user's funds into the earn wallet; at settlement the house
 * pays the interest, a day later the principal comes back.
 */
export class SharkFinService {
  readonly #holdings = new Register<SharkFinHolding>(({ productId }) => productId, HOLDINGS_PER_USER);
  readonly #records = new Register<SharkFinRecord>(({ orderId }) => orderId, RECORDS_PER_USER);
  readonly #open = new Map<SharkFinHolding, Paid>();

  constructor(readonly office: BackOffice) {}

  /** Takes the amount out of the user's funds. Throws `InsufficientBalance` when it is not there. */
  subscribe(holding: SharkFinHolding): void {
    const { ledger, fundsOf } = this.office;
    ledger.move(
      fundsOf(holding.uid),
      walletOf(holding.uid, "earn"),
      holding.subscribeCoin,
      holding.amount,
      "shark-fin subscription",
    );
    this.#enter(holding);
    this.#open.set(holding, "nothing");
  }

  /** Enters a holding that was settled and paid back before the world began. */
  recall(holding: SharkFinHolding): void {
    this.#enter(holding);
    const { settle, redeem } = stagesOf(holding);
    this.#record(holding, "interest", interestOf(holding), settle);
    this.#record(holding, "redemption", holding.amount, redeem);
  }

  /** A user's holdings, newest first. */
  holdings(uid: string): readonly SharkFinHolding[] {
    return this.#holdings.of(uid);
  }

  /** What a user paid in and was paid, newest first. */
  records(uid: string): readonly SharkFinRecord[] {
    return this.#records.of(uid);
  }

  /** Pays what has fallen due. */
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
    ledger.move(houseWallet("interest"), fundsOf(holding.uid), holding.subscribeCoin, interest, "shark-fin interest");
    this.#record(holding, "interest", interest, at);
    this.#open.set(holding, "interest");
  }

  #payBack(holding: SharkFinHolding, at: number): void {
    const { ledger, fundsOf } = this.office;
    ledger.move(
      walletOf(holding.uid, "earn"),
      fundsOf(holding.uid),
      holding.subscribeCoin,
      holding.amount,
      "shark-fin redemption",
    );
    this.#record(holding, "redemption", holding.amount, at);
    this.#open.delete(holding);
  }

  #enter(holding: SharkFinHolding): void {
    this.#holdings.enter(holding.uid, holding);
    this.#record(holding, "subscription", holding.amount, holding.createdTime);
  }

  #record(
    { uid, productName, subscribeCoin, days }: SharkFinHolding,
    type: SharkFinRecordType,
    amount: Exact,
    createdTime: number,
  ): void {
    const record = {
      orderId: this.office.ids.past(createdTime),
      product: productName,
      coin: subscribeCoin,
      days,
      amount,
      createdTime,
      type,
    };
    this.#records.enter(uid, record);
  }
}
