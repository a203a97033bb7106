import type { Ticker } from "../../../contract/ticker.js";
import { type DecimalText, type Exact, exact, plain } from "../../../decimal.js";
import type { ArgumentViolation } from "../../fault.js";
import { isOnStep, nearestStep, stepAbove, stepBelow } from "./steps.js";
import type { SymbolRules } from "./symbolRules.js";

/** The numbers of an order, each under the name that its caller knows. */
export interface OrderNumbers {
  readonly side: "buy" | "sell";
  readonly isMarket: boolean;
  /** Does it only close something? Small rests may always be closed. */
  readonly closes: boolean;
  readonly qty?: DecimalText | undefined;
  readonly quoteQty?: DecimalText | undefined;
  readonly price?: DecimalText | undefined;
  /** Other prices, by the name of their field. */
  readonly triggers?: Readonly<Record<string, DecimalText | undefined>>;
}

/** What an order breaks of its symbol's rules, each with the nearest value that would do. */
export function brokenBy(order: OrderNumbers, rules: SymbolRules, ticker: Ticker | null): ArgumentViolation[] {
  const { qty, quoteQty, price, triggers = {} } = order;
  return [
    ...offStep("qty", qty, rules.qtyStep),
    ...offStep("quoteQty", quoteQty, rules.quoteStep),
    ...offStep("price", price, rules.priceStep),
    ...Object.entries(triggers).flatMap(([field, trigger]) => offStep(field, trigger, rules.priceStep)),
    ...outOfSize(order, rules),
    ...belowValue(order, rules),
    ...outOfBand(order, rules, ticker),
  ];
}

/** A number that is no multiple of its step. */
export function offStep(argument: string, value: DecimalText | undefined, step: DecimalText | null): ArgumentViolation[] {
  if (value === undefined || step === null) return [];
  const [number, grid] = [exact(value), exact(step)];
  if (isOnStep(number, grid)) return [];
  return [{ argument, rule: `must be a multiple of ${step}; the nearest is ${plain(nearestStep(number, grid))}` }];
}

function outOfSize({ qty, isMarket }: OrderNumbers, { minQty, maxQty, maxMarketQty }: SymbolRules): ArgumentViolation[] {
  if (qty === undefined) return [];
  const most = isMarket ? (maxMarketQty ?? maxQty) : maxQty;
  if (minQty !== null && exact(qty).lt(exact(minQty))) return [{ argument: "qty", rule: `must be at least ${minQty}` }];
  if (most !== null && exact(qty).gt(exact(most))) return [{ argument: "qty", rule: `must be at most ${most}` }];
  return [];
}

function belowValue(order: OrderNumbers, { minValue, qtyStep, quoteCoin }: SymbolRules): ArgumentViolation[] {
  const { qty, quoteQty, price, isMarket, closes } = order;
  if (minValue === null || closes) return [];
  const least = exact(minValue);
  if (quoteQty !== undefined)
    return exact(quoteQty).lt(least) ? [{ argument: "quoteQty", rule: `must be at least ${minValue} ${quoteCoin}` }] : [];
  if (qty === undefined || price === undefined || isMarket || exact(qty).times(exact(price)).gte(least)) return [];
  const needed = least.div(exact(price));
  const enough = qtyStep === null ? needed : stepAbove(needed, exact(qtyStep));
  return [
    {
      argument: "qty",
      rule: `must be worth at least ${minValue} ${quoteCoin} at this price; the nearest is ${plain(enough)}`,
    },
  ];
}

/**
 * A limit price too far from the market. Which of its own prices the exchange measures from is not told, so only a price
 * that is too far from all of them is refused here.
 */
function outOfBand(order: OrderNumbers, rules: SymbolRules, ticker: Ticker | null): ArgumentViolation[] {
  const { side, price, isMarket } = order;
  const ratio = side === "buy" ? rules.buyBand : rules.sellBand;
  if (price === undefined || isMarket || ratio === null || ticker === null) return [];
  const quoted = [ticker.lastPrice, ticker.markPrice, ticker.indexPrice, ticker.bid1Price, ticker.ask1Price];
  const prices = quoted.filter((one): one is DecimalText => one !== null && exact(one).gt("0")).map(exact);
  const [first, ...others] = prices;
  if (first === undefined) return [];
  const step = exact(rules.priceStep ?? "0.000000000000000001");
  const percent = plain(exact(ratio).times("100"));
  if (side === "buy") {
    const most = stepBelow(others.reduce(greater, first).times(exact("1").plus(exact(ratio))), step);
    if (exact(price).lte(most)) return [];
    return [{ argument: "price", rule: `must be at most ${percent} % above the market; the nearest is ${plain(most)}` }];
  }
  const least = stepAbove(others.reduce(lesser, first).times(exact("1").minus(exact(ratio))), step);
  if (exact(price).gte(least)) return [];
  return [{ argument: "price", rule: `must be at most ${percent} % below the market; the nearest is ${plain(least)}` }];
}

const greater = (one: Exact, other: Exact): Exact => (one.gt(other) ? one : other);
const lesser = (one: Exact, other: Exact): Exact => (one.lt(other) ? one : other);
