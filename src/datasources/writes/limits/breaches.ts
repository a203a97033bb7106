import { type DecimalText, type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { type ArgumentViolation, Fault } from "../../errors/index.js";
import type { CoinAmount, Exposure, Priced } from "./exposure.js";
import type { OrderCounter } from "./orderRates.js";
import type { AppliedLimits } from "./tradingLimits.js";

/** Rules of the limits. Each reports an exceeded limit with its path and figures. */

/** Kind of an exceeded limit, for counting. */
export const BREACH_KINDS = ["category", "symbol", "price", "rate", "order", "open", "day"] as const;
export type BreachKind = (typeof BREACH_KINDS)[number];

/** An exceeded limit, with the rule in words. */
export interface Breach extends ArgumentViolation {
  readonly kind: BreachKind;
  readonly retryable: boolean;
}

const ZERO = exact("0");
const SHOWN_DECIMALS = 8;

/** What exceeds a limit on amounts, in coin and in money. */
export function tooMuch(
  { coin, field }: Exposure,
  { limits, path }: AppliedLimits,
  kind: "order" | "open" | "day",
  used: Used,
  adds: CoinAmount,
): readonly Breach[] {
  const limit = limits[kind];
  if (limit === undefined) return [];
  const unit = (coin ?? "").toUpperCase();
  const [most, value] = [limit.coins.get(unit), adds.value ?? ZERO];
  return [
    ...beyond({ kind, most, unit, used: used.qty, adds: adds.qty, path: `${path}.${kind}.coins.${unit}` }),
    ...beyond({ kind, most: limit.value, unit: "USDT", used: used.value, adds: value, path: `${path}.${kind}.value` }),
  ].map((rule) => ({ kind, argument: field, rule, retryable: false }));
}

/** Counters for limits of orders per second. Of several limits of one user the lowest counts. */
export function countersOf(applied: readonly AppliedLimits[]): readonly OrderCounter[] {
  const counters = new Map<string, OrderCounter>();
  for (const one of applied) {
    const [name, most] = [counterOf(one), one.limits.ordersPerSecond];
    if (most !== undefined && most < (counters.get(name)?.most ?? Number.POSITIVE_INFINITY)) counters.set(name, { name, most });
  }
  return [...counters.values()];
}

const counterOf = ({ kind, whose }: AppliedLimits): string => `${kind} ${whose}`;

/** `before`: the number of orders before it in its batch. */
export const rateBreaches = (applied: readonly AppliedLimits[], full: readonly string[], before: number): readonly Breach[] =>
  applied
    .filter((one) => full.includes(counterOf(one)))
    .map(({ path, limits: { ordersPerSecond = 0 } }) => {
      const isTooLarge = before >= ordersPerSecond;
      const advice = isTooLarge ? `must not place more than ${ordersPerSecond} orders at once` : "must wait";
      const rule = `${advice}: at most ${ordersPerSecond} orders a second are allowed (${path}.ordersPerSecond)`;
      return { kind: "rate", argument: "account", rule, retryable: !isTooLarge };
    });

/** Use of a limit on amounts. */
export interface Used {
  readonly qty: Exact;
  readonly value: Exact;
}

const SPAN = { order: "in one order", open: "open", day: "on one day (UTC)" } as const;

/** A change that does not increase an order adds nothing, so it passes at any use. */
export function beyond({
  kind,
  most,
  unit,
  used,
  adds,
  path,
}: {
  readonly kind: keyof typeof SPAN;
  readonly most: DecimalText | undefined;
  readonly unit: string;
  readonly used: Exact;
  readonly adds: Exact;
  readonly path: string;
}): readonly string[] {
  if (most === undefined || adds.eq("0") || used.plus(adds).lte(exact(most))) return [];
  const figures = kind === "order" ? `this is ${shown(adds)}` : `${shown(used)} are used, and this adds ${shown(adds)}`;
  return [`must keep within ${most} ${unit} ${SPAN[kind]} (${path}): ${figures}`];
}

const shown = (value: Exact): string => plain(truncated(value, SHOWN_DECIMALS));

export function notAllowed({ market }: Exposure, { path, limits: { categories, symbols } }: AppliedLimits): readonly Breach[] {
  if (market === null) return [];
  const unless = (kind: "category" | "symbol", name: string, allowed: ReadonlySet<string> | undefined, at: string): Breach[] => {
    if (allowed === undefined || allowed.has(name)) return [];
    const some = `must be one of ${[...allowed].slice(0, MAX_NAMED).join(", ")}${allowed.size > MAX_NAMED ? ", …" : ""}`;
    const rule = `${allowed.size === 0 ? "none is allowed" : some} (${path}.${at})`;
    return [{ kind, argument: kind, rule, retryable: false }];
  };
  return [
    ...unless("category", market.category, categories, "categories"),
    ...unless("symbol", market.symbol.toUpperCase(), symbols, "symbols"),
  ];
}
const MAX_NAMED = 10;

/**
 * A limit price too far from the market, in either direction; for a trigger order, from its trigger price. A change that keeps
 * the price and adds nothing is not checked.
 */
export function offPrice(
  { exposure, price, lastPrice, added }: Priced,
  { path, limits: { priceBand } }: AppliedLimits,
): readonly Breach[] {
  if (priceBand === undefined || price === undefined || price.eq("0")) return [];
  if (exposure.price === undefined && added.qty.eq("0")) return [];
  const { trigger } = exposure;
  const middle = trigger === undefined ? lastPrice : exact(trigger);
  if (middle === null)
    throw new Fault("EXCHANGE_UNAVAILABLE", "the price band cannot be checked without a price; nothing was sent");
  const distance = exact(priceBand).times(middle);
  const [lowest, highest] = [middle.minus(distance), middle.plus(distance)];
  if (price.gte(lowest) && price.lte(highest)) return [];
  const from = `the ${trigger === undefined ? "last" : "trigger"} price ${plain(middle)}`;
  const percent = plain(exact(priceBand).times("100"));
  const rule = `must be within ${percent} % of ${from}, from ${shown(lowest)} to ${shown(highest)} (${path}.priceBand)`;
  return [{ kind: "price", argument: "price", rule, retryable: false }];
}
