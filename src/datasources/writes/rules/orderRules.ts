import { type DecimalText, type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { ArgumentViolation } from "../../fault.js";
import type { SymbolRules } from "../../queries/symbolRules.js";
import { isOnStep, nearestStep, stepAbove, stepBelow } from "./steps.js";

/** The numbers of an order, each under the name that its client knows. */
export interface OrderNumbers {
  /** Left out where it is not known: then no price is too far from the market. */
  readonly side?: "buy" | "sell";
  readonly isMarket: boolean;
  /** Does it only close something? Small rests may always be closed. */
  readonly closes: boolean;
  readonly qty?: DecimalText | undefined;
  readonly quoteQty?: DecimalText | undefined;
  readonly price?: DecimalText | undefined;
  /** Other prices, by the name of their field. */
  readonly triggers?: Readonly<Record<string, DecimalText | undefined>>;
}

/** What an order breaks of its symbol's rules: one sentence for each number, with the nearest value that breaks none. */
export function brokenBy(order: OrderNumbers, rules: SymbolRules, ticker: Ticker | null): ArgumentViolation[] {
  const { qty, quoteQty, price, triggers = {} } = order;
  return [
    ...outside("qty", qty, { step: rules.qtyStep, ...sizeLimits(order, rules) }),
    ...outside("quoteQty", quoteQty, { step: rules.quoteStep, least: worth(order, rules) }),
    ...outside("price", price, { step: rules.priceStep, ...priceLimits(order, rules, ticker) }),
    ...Object.entries(triggers).flatMap(([field, trigger]) => outside(field, trigger, { step: rules.priceStep })),
  ];
}

/** A bound, and how the rule behind it reads. */
interface Bound {
  readonly at: Exact;
  readonly says: string;
}
interface Limits {
  readonly step: DecimalText | null;
  readonly least?: Bound | undefined;
  readonly most?: Bound | undefined;
}

/** Holds a number against its grid and its bounds. */
export function outside(argument: string, value: DecimalText | undefined, limits: Limits): ArgumentViolation[] {
  if (value === undefined) return [];
  const { least, most } = limits;
  const number = exact(value);
  const step = limits.step === null ? FINEST : exact(limits.step);
  const broken = isOnStep(number, step)
    ? [least?.at.gt(number) ? least.says : undefined, most?.at.lt(number) ? most.says : undefined]
    : [`must be a multiple of ${limits.step}`];
  const says = broken.find((one) => one !== undefined);
  if (says === undefined) return [];
  const nearest =
    least?.at.gt(number) === true
      ? stepAbove(least.at, step)
      : most?.at.lt(number) === true
        ? stepBelow(most.at, step)
        : nearestStep(number, step);
  return [{ argument, rule: `${says}; the nearest is ${plain(nearest)}` }];
}

/** What no number of the exchange is finer than. */
const FINEST = exact("0.000000000000000001");

function sizeLimits(order: OrderNumbers, rules: SymbolRules): Pick<Limits, "least" | "most"> {
  const { minQty, maxQty, maxMarketQty } = rules;
  const most = order.isMarket ? (maxMarketQty ?? maxQty) : maxQty;
  const smallest = minQty === null ? undefined : { at: exact(minQty), says: `must be at least ${minQty}` };
  return {
    least: greatest(smallest, worth(order, rules)),
    most: most === null ? undefined : { at: exact(most), says: `must be at most ${most}` },
  };
}

/** The least that an order must be worth, in the coin that it counts in. Only the exchange knows what a market order is. */
function worth({ quoteQty, price, isMarket, closes }: OrderNumbers, { minValue, quoteCoin }: SymbolRules): Bound | undefined {
  if (minValue === null || closes) return undefined;
  const says = `must be worth at least ${minValue} ${quoteCoin}`;
  if (quoteQty !== undefined) return { at: exact(minValue), says };
  if (isMarket || price === undefined) return undefined;
  return { at: exact(minValue).div(exact(price)), says: `${says} at this price` };
}

/**
 * How far from the market a limit price may be. Which of its own prices the exchange measures from is not documented, so only a
 * price that is too far from all of them is refused here.
 */
function priceLimits(order: OrderNumbers, rules: SymbolRules, ticker: Ticker | null): Pick<Limits, "least" | "most"> {
  const { side, isMarket } = order;
  const ratio = side === "buy" ? rules.buyBand : rules.sellBand;
  if (side === undefined || isMarket || ratio === null || ticker === null) return {};
  const quoted = [ticker.lastPrice, ticker.markPrice, ticker.indexPrice, ticker.bid1Price, ticker.ask1Price];
  const prices = quoted.flatMap((one) => (one === null || !exact(one).gt("0") ? [] : [exact(one)]));
  const [first, ...others] = prices;
  if (first === undefined) return {};
  const percent = plain(exact(ratio).times("100"));
  if (side === "buy") {
    const highest = others.reduce((one, other) => (one.gt(other) ? one : other), first);
    return { most: { at: highest.times(exact("1").plus(exact(ratio))), says: `must be at most ${percent} % above the market` } };
  }
  const lowest = others.reduce((one, other) => (one.lt(other) ? one : other), first);
  return { least: { at: lowest.times(exact("1").minus(exact(ratio))), says: `must be at most ${percent} % below the market` } };
}

const greatest = (one: Bound | undefined, other: Bound | undefined): Bound | undefined =>
  one === undefined || (other?.at.gt(one.at) ?? false) ? other : one;
