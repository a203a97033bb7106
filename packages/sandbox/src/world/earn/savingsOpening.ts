import { DAY_MS, HOUR_MS } from "@exchange-graph/contract/clock";
import { type DecimalText, type Exact, exact } from "@exchange-graph/contract/decimal";
import type { Random } from "../random.js";
import { SAVINGS_PRODUCTS, type SavingsProduct, savingsInterest } from "./savings.js";
import type { SavingsService } from "./savingsService.js";

/** The savings with which a user enters the world, and the months of interest that they remember. */

const HISTORY_DAYS = 85;
/** Three pages of the list's own page size. */
const FIXED_HOLDINGS = 64;
const FIXED_SPACING_MS = 10 * HOUR_MS;
/** Terms that ended before the world began. */
const ENDED_TERMS = 64;
const ENDED_TERM_DAYS = 30;

/** What is held flexibly, by coin. */
const FLEXIBLE: ReadonlyMap<string, DecimalText> = new Map([
  ["USDT", "500"],
  ["USDC", "1200"],
  ["BTC", "0.25"],
  ["ETH", "3"],
]);

/** Gives a user holdings, out of coins made for them, and records. */
export function openSavings(service: SavingsService, uid: string, random: Random): void {
  const { now } = service.office;
  for (const product of SAVINGS_PRODUCTS) {
    const amount = FLEXIBLE.get(product.coin);
    if (product.periodType === "flexible" && amount !== undefined) openFlexible(service, uid, product, exact(amount));
  }
  const term = SAVINGS_PRODUCTS.find(({ days, coin }) => days === ENDED_TERM_DAYS && coin === "USDT");
  if (term === undefined) throw new RangeError(`no savings product of ${ENDED_TERM_DAYS} days`);
  for (let at = 0; at < FIXED_HOLDINGS; at++) {
    hold(service, uid, term, exact(String(random.between(20, 500))), now() - (at + 1) * FIXED_SPACING_MS);
  }
  for (let at = 0; at < ENDED_TERMS; at++) {
    const amount = exact(String(random.between(20, 500)));
    const end = now() - (at + 1) * FIXED_SPACING_MS;
    service.record(uid, term, "subscribe", amount, end - ENDED_TERM_DAYS * DAY_MS);
    service.record(uid, term, "pay_interest", savingsInterest(term, amount, ENDED_TERM_DAYS), end);
    service.record(uid, term, "redeem", amount, end);
  }
}

/** A flexible holding has paid its interest every day so far. */
function openFlexible(service: SavingsService, uid: string, product: SavingsProduct, amount: Exact): void {
  const { now } = service.office;
  for (let day = HISTORY_DAYS; day > 0; day--) {
    service.record(uid, product, "pay_interest", savingsInterest(product, amount, 1), now() - day * DAY_MS + HOUR_MS);
  }
  hold(service, uid, product, amount, now() - HOUR_MS);
}

function hold(service: SavingsService, uid: string, product: SavingsProduct, amount: Exact, createdTime: number): void {
  const { ledger, fundsOf } = service.office;
  ledger.mint(fundsOf(uid), product.coin, amount);
  service.subscribe(uid, product, amount, createdTime);
}
