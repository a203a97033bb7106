import { DAY_MS, HOUR_MS } from "@exchange-graph/contract/clock";
import { type DecimalText, type Exact, exact } from "@exchange-graph/contract/decimal";
import { asOfNow, type BackOffice } from "../backOffice.js";
import type { Random } from "../random.js";
import { SAVINGS_PRODUCTS, type SavingsProduct, type SavingsRecord, savingsInterest } from "./savings.js";
import type { SavingsService } from "./savingsService.js";

/** Initial savings of a user, and the months of past interest. */

const HISTORY_DAYS = 85;
/** Three pages of the list's own page size. */
const FIXED_HOLDINGS = 64;
const FIXED_SPACING_MS = 10 * HOUR_MS;
/** Terms that ended before the start of the world. */
const ENDED_TERMS = 64;
const ENDED_TERM_DAYS = 30;
/** Payment in, interest, payment out. */
const RECORDS_OF_A_TERM = 3;

interface Flexible {
  readonly product: SavingsProduct;
  readonly amount: Exact;
}

/** Flexible holdings, by coin. */
const FLEXIBLE: ReadonlyMap<string, DecimalText> = new Map([
  ["USDT", "500"],
  ["USDC", "1200"],
  ["BTC", "0.25"],
  ["ETH", "3"],
]);

/** Adds holdings, with coins minted for them, and records to a user. */
export function openSavings(service: SavingsService, uid: string, random: Random): void {
  const { now } = service.office;
  const flexible = SAVINGS_PRODUCTS.flatMap((product): readonly Flexible[] => {
    const amount = FLEXIBLE.get(product.coin);
    return product.periodType === "flexible" && amount !== undefined ? [{ product, amount: exact(amount) }] : [];
  });
  for (const { product, amount } of flexible) service.open(uid, product, amount, now() - HOUR_MS);
  const term = SAVINGS_PRODUCTS.find(({ days, coin }) => days === ENDED_TERM_DAYS && coin === "USDT");
  if (term === undefined) throw new RangeError(`no savings product of ${ENDED_TERM_DAYS} days`);
  for (let at = 0; at < FIXED_HOLDINGS; at++) {
    service.open(uid, term, exact(String(random.between(20, 500))), now() - (at + 1) * FIXED_SPACING_MS);
  }
  const past = asOfNow(service.office, flexible.length * HISTORY_DAYS + ENDED_TERMS * RECORDS_OF_A_TERM);
  service.records.prepare(uid, () => [
    ...flexible.flatMap((holding) => interestOf(past, holding)),
    ...endedTerms(past, term, random),
  ]);
}

/** A flexible holding has been paid its interest every day so far. */
const interestOf = ({ now, ids }: BackOffice, { product, amount }: Flexible): readonly SavingsRecord[] =>
  Array.from({ length: HISTORY_DAYS }, (_, day) => {
    const createdTime = now() - (HISTORY_DAYS - day) * DAY_MS + HOUR_MS;
    const interest = savingsInterest(product, amount, 1);
    return { orderId: ids.past(createdTime), product, type: "pay_interest", amount: interest, createdTime };
  });

function* endedTerms({ now, ids }: BackOffice, product: SavingsProduct, random: Random): Generator<SavingsRecord> {
  for (let at = 0; at < ENDED_TERMS; at++) {
    const amount = exact(String(random.between(20, 500)));
    const end = now() - (at + 1) * FIXED_SPACING_MS;
    const begin = end - ENDED_TERM_DAYS * DAY_MS;
    const interest = savingsInterest(product, amount, ENDED_TERM_DAYS);
    yield { orderId: ids.past(begin), product, type: "subscribe", amount, createdTime: begin };
    yield { orderId: ids.past(end), product, type: "pay_interest", amount: interest, createdTime: end };
    yield { orderId: ids.past(end), product, type: "redeem", amount, createdTime: end };
  }
}
