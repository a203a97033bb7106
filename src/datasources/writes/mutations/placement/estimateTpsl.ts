import { type DecimalText, exact, isZero, plain, roundedUp } from "@exchange-graph/contract/decimal";
import type { FuturesCategory, POSITION_SIDES } from "@exchange-graph/contract/vocabulary";
import { marginCoinOf, type SymbolRules } from "../../../reads/index.js";
import type { OrderEstimate } from "../../writePlan.js";
import type { Planning } from "../mutation.js";
import { heldQty } from "./presentRules.js";

const PLACES = 8;

/** A take-profit, stop-loss or trailing stop to be estimated. */
interface EstimatedTpsl {
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly posSide: (typeof POSITION_SIDES)[number];
  readonly triggerPrice: DecimalText;
  /** 0 or undefined: a market order. */
  readonly executePrice?: DecimalText | undefined;
  /** 0 or undefined: the whole position at that time. */
  readonly qty?: DecimalText | undefined;
}

/**
 * Cost of closing a position: its fee, because no margin is required. Null without the position, or if no list of symbols can be
 * read. Throws `Fault` if the positions cannot be read.
 */
export async function estimateTpsl(
  planning: Planning,
  tpsl: EstimatedTpsl,
  rules: SymbolRules | undefined,
): Promise<OrderEstimate | null> {
  const { category, symbol, posSide, triggerPrice, executePrice, qty } = tpsl;
  const [size, instrument] = await Promise.all([
    heldQty(planning, { category, symbol }, posSide),
    planning.reads.loaders.instrument(category, symbol),
  ]);
  const costCoin = rules?.quoteCoin ?? null;
  if (costCoin === null || size.eq("0")) return null;
  const price = executePrice === undefined || isZero(executePrice) ? triggerPrice : executePrice;
  const cost = (qty === undefined || isZero(qty) ? size : exact(qty)).times(exact(price));
  const feeRate = instrument?.takerFeeRate ?? null;
  return {
    price,
    cost: plain(roundedUp(cost, PLACES)),
    costCoin,
    feeRate,
    fee: feeRate === null ? null : plain(roundedUp(cost.times(exact(feeRate)), PLACES)),
    leverage: null,
    margin: "0",
    required: "0",
    requiredCoin: marginCoinOf(category, rules),
    available: null,
    isAffordable: true,
    maxQty: plain(size),
    maxQuoteQty: null,
    field: "qty",
    funds: "none",
    isProportional: true,
  };
}
