import { type Exact, exact, isZero, plain } from "@exchange-graph/contract/decimal";
import { rowsRead } from "@exchange-graph/contract/rows";
import type { FuturesCategory, POSITION_SIDES } from "@exchange-graph/contract/vocabulary";
import type { ArgumentViolation } from "../../../errors/index.js";
import { isFuturesCategory, readPositions } from "../../../reads/index.js";
import { orNothing } from "../../limits/marketView.js";
import type { Planning } from "../mutation.js";
import type { AttachedTpsl } from "../tpsl.js";
import { isClose, type PlaceOrder } from "./placeOrderInput.js";

/**
 * What the exchange refuses as the market and the positions are now: exits on the wrong side, and closes without a position. Both
 * may have changed when a write arrives, so only dry runs are refused for it. A price that cannot be read breaks no rule.
 */

type Side = (typeof POSITION_SIDES)[number];

interface HeldMarket {
  readonly category: FuturesCategory;
  readonly symbol: string;
}

/** Quantity of the position on a side; 0 if there is none. Throws `Fault` if the positions cannot be read. */
export async function heldQty({ reads, account }: Planning, market: HeldMarket, side: Side): Promise<Exact> {
  const held = rowsRead(await readPositions(reads, account, market)).filter(({ posSide }) => posSide === side);
  return held.reduce((sum, { qty }) => sum.plus(exact(qty ?? "0").abs()), exact("0"));
}

/** Violations of an order. `isAlone`: no order goes before it that may open the position which it closes. */
export async function brokenOrderNow(
  planning: Planning,
  order: PlaceOrder,
  { isHedged, isAlone }: { readonly isHedged: boolean; readonly isAlone: boolean },
): Promise<readonly ArgumentViolation[]> {
  const { category, symbol, side, reduceOnly, triggerPrice, price } = order;
  if (isFuturesCategory(category) && isClose(order, isHedged)) {
    const closed = side === "buy" ? "short" : "long";
    if (!isAlone || !(await heldQty(planning, { category, symbol }, closed)).eq("0")) return [];
    const [argument, must] = reduceOnly === true ? ["reduceOnly", "not be true"] : ["posSide", "name an open position"];
    return [{ argument, rule: `must ${must}: there is no ${closed} position to close` }];
  }
  // The exits of an order that waits for its trigger are compared with the market of that time.
  if (triggerPrice !== undefined) return [];
  return brokenExits(order, side === "buy" ? "long" : "short", await entryPrice(planning, { category, symbol, side, price }));
}

/** The best price at which an order can trade now; null if not known. */
export async function entryPrice(
  { reads }: Planning,
  { category, symbol, side, price }: Pick<PlaceOrder, "category" | "symbol" | "side" | "price">,
): Promise<Exact | null> {
  const last = (await orNothing(reads.loaders.marketTicker(category, symbol)))?.lastPrice ?? null;
  if (last === null || isZero(last)) return null;
  const market = exact(last);
  if (price === undefined) return market;
  const limit = exact(price);
  return limit.lt(market) === (side === "buy") ? limit : market;
}

/** Violations of exits of a position that a price has already reached. A trigger price of 0 removes an exit. */
export const brokenExits = ({ takeProfit, stopLoss }: AttachedTpsl, side: Side, price: Exact | null): ArgumentViolation[] =>
  price === null
    ? []
    : [
        ...wrongSide("takeProfit.triggerPrice", takeProfit?.triggerPrice, side === "long", side, price),
        ...wrongSide("stopLoss.triggerPrice", stopLoss?.triggerPrice, side === "short", side, price),
      ];

function wrongSide(argument: string, trigger: string | undefined, isAbove: boolean, side: Side, price: Exact) {
  if (trigger === undefined || isZero(trigger)) return [];
  const value = exact(trigger);
  if (isAbove ? value.gt(price) : value.lt(price)) return [];
  return [
    { argument, rule: `must be ${isAbove ? "above" : "below"} ${plain(price)} for a ${side} position, as the market is now` },
  ];
}

/** Violations of exits of a position that is held, and of their quantity. */
export async function brokenExitsNow(
  planning: Planning,
  { category, symbol }: HeldMarket,
  side: Side,
  { qty, takeProfit, stopLoss }: AttachedTpsl & { readonly qty?: string | undefined },
): Promise<readonly ArgumentViolation[]> {
  const [held, ticker] = await Promise.all([
    heldQty(planning, { category, symbol }, side),
    orNothing(planning.reads.loaders.marketTicker(category, symbol)),
  ]);
  if (held.eq("0")) return [{ argument: "posSide", rule: `must name a position that is held: there is no ${side} position` }];
  const at = (exit: AttachedTpsl["takeProfit"]): Exact | null => {
    const price = exit?.triggerBy === "mark" ? ticker?.markPrice : ticker?.lastPrice;
    return price === undefined || price === null || isZero(price) ? null : exact(price);
  };
  return [
    ...(qty !== undefined && exact(qty).gt(held)
      ? [{ argument: "qty", rule: `must be at most ${plain(held)}, which is what the ${side} position has` }]
      : []),
    ...brokenExits({ takeProfit }, side, at(takeProfit)),
    ...brokenExits({ stopLoss }, side, at(stopLoss)),
  ];
}
