import { DAY_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { REDEEM_INTERVAL_MS } from "@exchange-graph/contract/savings";
import { Refused } from "../../refused.js";
import type { BackOffice } from "../backOffice.js";
import { causeOf } from "../cause.js";
import { houseWallet, walletOf, ZERO } from "../ledger.js";
import { Register } from "../register.js";
import {
  SAVINGS_PRODUCTS,
  type SavingsHolding,
  type SavingsPeriodType,
  type SavingsProduct,
  type SavingsRecord,
  type SavingsRecordType,
  savingsInterest,
} from "./savings.js";

const HOLDINGS_PER_USER = 1_000;
const RECORDS_PER_USER = 5_000;

interface RedemptionOrder {
  readonly productId: string;
  readonly periodType: SavingsPeriodType;
  /** The holding; not needed for a flexible product, which has only one. */
  readonly orderId?: string | undefined;
  readonly amount: Exact;
}

/**
 * The savings service. Coins move between a user's funds and the earn wallet; the exchange pays interest daily for flexible
 * products, which adds to the holding, and at maturity for fixed ones, which ends it.
 */
export class SavingsService {
  readonly holdings = new Register<SavingsHolding>(({ orderId }) => orderId, HOLDINGS_PER_USER);
  /** Payments in, payments out and interest. */
  readonly records = new Register<SavingsRecord>(({ orderId }) => orderId, RECORDS_PER_USER);
  readonly products = SAVINGS_PRODUCTS;
  readonly #lastRedemption = new Map<string, number>();
  readonly #users = new Set<string>();

  constructor(readonly office: BackOffice) {}

  /** Opens a holding from before the start of the world. Only while the world is created, because it mints its coins. */
  open(uid: string, product: SavingsProduct, amount: Exact, createdTime: number): void {
    this.office.ledger.mint(walletOf(uid, "earn"), product.coin, amount);
    this.#users.add(uid);
    const orderId = this.office.ids.past(createdTime);
    const profits = { lastProfit: ZERO, totalProfit: ZERO };
    this.holdings.enter(uid, { orderId, uid, product, amount, ...profits, createdTime, paidUntil: createdTime });
    this.#record(uid, product, "subscribe", amount, createdTime);
  }

  #record(uid: string, product: SavingsProduct, type: SavingsRecordType, amount: Exact, createdTime: number): SavingsRecord {
    const record = { orderId: this.office.ids.past(createdTime), product, type, amount, createdTime };
    this.records.enter(uid, record);
    return record;
  }

  /** Returns coins from a holding. The minimum time between two redemptions of a user is one minute. */
  redeem(uid: string, order: RedemptionOrder): SavingsRecord {
    const now = this.office.now();
    const product = this.#productOf(order);
    const last = this.#lastRedemption.get(uid);
    if (last !== undefined && now - last <= REDEEM_INTERVAL_MS) throw new Refused(REFUSAL.earnTooFrequent);
    const holding = this.#holdingOf(uid, product, order.orderId);
    if (product.periodType === "fixed" && !product.canEndEarly) throw new Refused(REFUSAL.earnStateForbids);
    if (order.amount.lt(exact(product.minRedemption))) throw new Refused(REFUSAL.redeemTooLittle, product.minRedemption);
    if (order.amount.gt(holding.amount)) throw new Refused(REFUSAL.insufficientEarnBalance);
    this.#lastRedemption.set(uid, now);
    return this.#payOut(holding, order.amount, now);
  }

  /** Pays the interest of every full day that has passed, and ends the terms that have expired. */
  review(): void {
    for (const uid of this.#users) {
      for (const holding of [...this.holdings.of(uid)]) {
        if (holding.product.days === undefined) this.#payDays(holding);
        else this.#endTerm(holding, holding.product.days);
      }
    }
  }

  #payDays(holding: SavingsHolding): void {
    const { ledger, now } = this.office;
    const { uid, product } = holding;
    const cause = causeOf("earn interest", holding.orderId);
    let current = holding;
    for (let at = current.paidUntil + DAY_MS; at <= now(); at += DAY_MS) {
      const interest = savingsInterest(product, current.amount, 1);
      ledger.move(houseWallet("interest"), walletOf(uid, "earn"), product.coin, interest, cause);
      this.#record(uid, product, "pay_interest", interest, at);
      const amount = current.amount.plus(interest);
      current = { ...current, amount, lastProfit: interest, totalProfit: current.totalProfit.plus(interest), paidUntil: at };
    }
    if (current !== holding) this.#replace(holding, current);
  }

  #endTerm(holding: SavingsHolding, days: number): void {
    const end = holding.createdTime + days * DAY_MS;
    if (this.office.now() < end) return;
    const { uid, product, amount } = holding;
    const { ledger, fundsOf } = this.office;
    const interest = savingsInterest(product, amount, days);
    ledger.move(houseWallet("interest"), fundsOf(uid), product.coin, interest, causeOf("earn interest", holding.orderId));
    this.#record(uid, product, "pay_interest", interest, end);
    this.#payOut(holding, amount, end);
  }

  #payOut(holding: SavingsHolding, amount: Exact, at: number): SavingsRecord {
    const { ledger, fundsOf } = this.office;
    const { uid, product } = holding;
    ledger.move(walletOf(uid, "earn"), fundsOf(uid), product.coin, amount, causeOf("redemption", holding.orderId));
    const left = holding.amount.minus(amount);
    this.#replace(holding, left.eq(ZERO) ? undefined : { ...holding, amount: left });
    return this.#record(uid, product, "redeem", amount, at);
  }

  #replace(old: SavingsHolding, by: SavingsHolding | undefined): void {
    this.holdings.remove(old.uid, old.orderId);
    if (by !== undefined) this.holdings.enter(old.uid, by);
  }

  #productOf({ productId, periodType }: RedemptionOrder): SavingsProduct {
    const product = this.products.find((offered) => offered.productId === productId && offered.periodType === periodType);
    if (product === undefined) throw new Refused(REFUSAL.earnParameter);
    return product;
  }

  #holdingOf(uid: string, product: SavingsProduct, orderId: string | undefined): SavingsHolding {
    const held = this.holdings.of(uid).filter((holding) => holding.product === product);
    const holding =
      orderId === undefined || product.periodType === "flexible" ? held[0] : held.find((row) => row.orderId === orderId);
    if (holding === undefined) throw new Refused(REFUSAL.earnParameter);
    return holding;
  }
}
