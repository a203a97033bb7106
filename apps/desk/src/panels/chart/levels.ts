import { amount, words } from "../../format/format.js";
import type { Order, PlanOrder } from "../../live/orders.js";
import type { Position } from "../../live/positions.js";
import { t } from "../../text/text.js";
import type { Market } from "../trade/instrument.js";
import type { Drawing } from "./drawings.js";

/** What dragging a level changes. */
export type Move =
  | { readonly kind: "order"; readonly order: Order }
  | { readonly kind: "orderExit"; readonly order: Order; readonly exit: Exit }
  /** A trigger order that places another order. */
  | { readonly kind: "trigger"; readonly plan: PlanOrder }
  | { readonly kind: "plan"; readonly plan: PlanOrder; readonly exit: Exit; readonly position: Position | undefined }
  /** A new take-profit or stop-loss of the whole position, by the side on which it is dropped. */
  | { readonly kind: "position"; readonly position: Position }
  | { readonly kind: "drawing"; readonly drawing: Drawing };

export type Exit = "takeProfit" | "stopLoss";

/** A line across the chart at a price. */
export interface Level {
  readonly id: string;
  readonly price: string;
  readonly title: string;
  readonly tone: "up" | "down" | "accent" | "warn" | "muted";
  /** Undefined: it cannot be dragged. */
  readonly move?: Move;
}

const EXITS = ["takeProfit", "stopLoss"] as const;
export const EXIT_NAMES = { takeProfit: t("Take profit"), stopLoss: t("Stop loss") } as const;
const EXIT_TONES = { takeProfit: "up", stopLoss: "down" } as const;

/** A quantity; nothing for all of a position. */
const sized = (qty: string | null): string => (qty === null ? "" : amount(qty));

function orderLevels(order: Order): readonly Level[] {
  const { id, side, price, qty, tpslType, orderType } = order;
  const exits = EXITS.flatMap((exit): readonly Level[] => {
    const at = order[exit]?.triggerPrice;
    if (!at) return [];
    const title = t("{exit} of the order", { exit: EXIT_NAMES[exit] });
    return [{ id: `${id} ${exit}`, price: at, title, tone: EXIT_TONES[exit], move: { kind: "orderExit", order, exit } }];
  });
  if (price === null) return exits;
  const title = `${side === "BUY" ? t("Buy") : t("Sell")} ${sized(qty)}`;
  const isMovable = orderType === "LIMIT" && tpslType !== "TPSL";
  const level = { id, price, title, tone: side === "BUY" ? ("up" as const) : ("down" as const) };
  return [isMovable ? { ...level, move: { kind: "order", order } } : level, ...exits];
}

/** The exits of a trigger order of a position, or the trigger of one that places an order. */
function planLevels(plan: PlanOrder, positions: readonly Position[]): readonly Level[] {
  const position = positions.find(({ posSide }) => posSide === plan.posSide);
  const found = EXITS.flatMap((exit): readonly Level[] => {
    const at = exitPrice(plan, exit);
    if (at === undefined || plan.posSide === null) return [];
    const title = `${EXIT_NAMES[exit]} ${sized(plan.qty)}`.trim();
    return [{ id: `${plan.id} ${exit}`, price: at, title, tone: EXIT_TONES[exit], move: { kind: "plan", plan, exit, position } }];
  });
  if (found.length > 0 || plan.triggerPrice === null) return found;
  const level = {
    id: plan.id,
    price: plan.triggerPrice,
    title: t("Trigger {value}", { value: sized(plan.qty) }),
    tone: "warn" as const,
  };
  return [plan.planType === "NORMAL_PLAN" ? { ...level, move: { kind: "trigger", plan } } : level];
}

/** Plan types that close a position, by the exit that they are. */
const EXIT_PLANS: { readonly [exit in Exit]: ReadonlySet<string | null> } = {
  takeProfit: new Set(["PROFIT_PLAN", "POS_PROFIT"]),
  stopLoss: new Set(["LOSS_PLAN", "POS_LOSS"]),
};

/** Trigger price of an exit: Classic accounts have one order for each, unified ones may have both in one. */
export function exitPrice(plan: PlanOrder, exit: Exit): string | undefined {
  if (EXIT_PLANS[exit].has(plan.planType)) return plan.triggerPrice ?? undefined;
  return plan.planType === "TPSL" ? (plan[exit]?.triggerPrice ?? undefined) : undefined;
}

function positionLevels(position: Position): readonly Level[] {
  const { id, posSide, avgPrice, qty, liquidationPrice } = position;
  const title = `${words(posSide)} ${sized(qty)}`;
  return [
    ...(avgPrice === null
      ? []
      : [{ id, price: avgPrice, title, tone: "accent" as const, move: { kind: "position" as const, position } }]),
    ...(liquidationPrice === null
      ? []
      : [{ id: `${id} liquidation`, price: liquidationPrice, title: t("Liquidation"), tone: "warn" as const }]),
  ];
}

interface OfAccount {
  readonly orders: readonly Order[] | undefined;
  readonly plans: readonly PlanOrder[] | undefined;
  readonly positions: readonly Position[] | undefined;
  readonly drawings: readonly Drawing[];
  /** Whether they may be moved. */
  readonly mayTrade: boolean;
}

/** The levels of a market: orders, exits, positions, and the user's lines; none of what is not known. */
export function levelsOf(market: Market, { orders, plans, positions, drawings, mayTrade }: OfAccount): readonly Level[] {
  const here = <Row extends { readonly category: string; readonly symbol: string }>(rows: readonly Row[] | undefined) =>
    rows?.filter(({ category, symbol }) => category === market.category && symbol === market.symbol) ?? [];
  const held = here(positions);
  const traded = [
    ...here(orders).flatMap(orderLevels),
    ...here(plans).flatMap((plan) => planLevels(plan, held)),
    ...held.flatMap(positionLevels),
  ];
  const lines = drawings.flatMap((drawing): readonly Level[] =>
    drawing.kind === "level"
      ? [{ id: drawing.id, price: drawing.price, title: "", tone: "muted", move: { kind: "drawing", drawing } }]
      : [],
  );
  return [...(mayTrade ? traded : traded.map(({ move: _, ...level }) => level)), ...lines];
}
