import { type DecimalText, type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { ArgumentViolation } from "../../errors/index.js";
import type { SymbolRules } from "../../reads/index.js";

/** Steps of prices and quantities. */

export const isOnStep = (value: Exact, step: Exact): boolean => value.mod(step).eq("0");

/** The largest multiple of the step that is not above the value. */
export const stepBelow = (value: Exact, step: Exact): Exact => value.minus(value.mod(step));

/** The smallest multiple of the step that is not below the value. */
const stepAbove = (value: Exact, step: Exact): Exact => (isOnStep(value, step) ? value : stepBelow(value, step).plus(step));

/** The multiple of the step nearest to the value; never zero. */
function nearestStep(value: Exact, step: Exact): Exact {
  const below = stepBelow(value, step);
  const above = below.plus(step);
  return below.eq("0") || above.minus(value).lt(value.minus(below)) ? above : below;
}

/** The numbers of an order by their input fields. */
export interface OrderNumbers {
  /** Undefined if not known; then the distance from the market is not checked. */
  readonly side?: "buy" | "sell";
  readonly isMarket: boolean;
  /** Whether it can only reduce a position; then there is no minimum value. */
  readonly closes: boolean;
  readonly qty?: DecimalText | undefined;
  readonly quoteQty?: DecimalText | undefined;
  readonly price?: DecimalText | undefined;
  /** Other prices, by field. */
  readonly triggers?: Readonly<Record<string, DecimalText | undefined>>;
}

/** Violations of the symbol's rules: one sentence per number, with the nearest valid value. */
export function brokenBy(order: OrderNumbers, rules: SymbolRules, ticker: Ticker | null): ArgumentViolation[] {
  const { qty, quoteQty, price, triggers = {} } = order;
  return [
    ...outside("qty", qty, { step: rules.qtyStep, ...sizeLimits(order, rules) }),
    ...outside("quoteQty", quoteQty, { step: rules.quoteStep, least: worth(order, rules) }),
    ...outside("price", price, { step: rules.priceStep, ...priceLimits(order, rules, ticker) }),
    ...Object.entries(triggers).flatMap(([field, trigger]) => outside(field, trigger, { step: rules.priceStep })),
  ];
}

interface Bound {
  readonly at: Exact;
  readonly rule: string;
}
interface Limits {
  readonly step: DecimalText | null;
  readonly least?: Bound | undefined;
  readonly most?: Bound | undefined;
}

/** Checks a number against its step and bounds. */
export function outside(argument: string, value: DecimalText | undefined, limits: Limits): ArgumentViolation[] {
  if (value === undefined) return [];
  const { least, most } = limits;
  const number = exact(value);
  const step = limits.step === null ? FINEST : exact(limits.step);
  const broken = isOnStep(number, step)
    ? [least?.at.gt(number) ? least.rule : undefined, most?.at.lt(number) ? most.rule : undefined]
    : [`must be a multiple of ${limits.step}`];
  const rule = broken.find((one) => one !== undefined);
  if (rule === undefined) return [];
  const nearest =
    least?.at.gt(number) === true
      ? stepAbove(least.at, step)
      : most?.at.lt(number) === true
        ? stepBelow(most.at, step)
        : nearestStep(number, step);
  return [{ argument, rule: `${rule}; the nearest is ${plain(nearest)}` }];
}

/** The finest step of the exchange's numbers. */
const FINEST = exact("0.000000000000000001");

function sizeLimits(order: OrderNumbers, rules: SymbolRules): Pick<Limits, "least" | "most"> {
  const { minQty, maxQty, maxMarketQty } = rules;
  const most = order.isMarket ? (maxMarketQty ?? maxQty) : maxQty;
  const smallest = minQty === null ? undefined : { at: exact(minQty), rule: `must be at least ${minQty}` };
  return {
    least: greatest(smallest, worth(order, rules)),
    most: most === null ? undefined : { at: exact(most), rule: `must be at most ${most}` },
  };
}

/**
 * The minimum value of an order, in the coin that it is counted in. The value of a market order is known to the exchange only.
 */
function worth({ quoteQty, price, isMarket, closes }: OrderNumbers, { minValue, quoteCoin }: SymbolRules): Bound | undefined {
  if (minValue === null || closes) return undefined;
  const rule = `must be worth at least ${minValue} ${quoteCoin}`;
  if (quoteQty !== undefined) return { at: exact(minValue), rule };
  if (isMarket || price === undefined) return undefined;
  return { at: exact(minValue).div(exact(price)), rule: `${rule} at this price` };
}

/**
 * Maximum distance of a limit price from the market. It is not documented which of its prices the exchange measures from, so only
 * a price too far from all of them is refused here.
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
    return { most: { at: highest.times(exact("1").plus(exact(ratio))), rule: `must be at most ${percent} % above the market` } };
  }
  const lowest = others.reduce((one, other) => (one.lt(other) ? one : other), first);
  return { least: { at: lowest.times(exact("1").minus(exact(ratio))), rule: `must be at most ${percent} % below the market` } };
}

const greatest = (one: Bound | undefined, other: Bound | undefined): Bound | undefined =>
  one === undefined || (other?.at.gt(one.at) ?? false) ? other : one;
