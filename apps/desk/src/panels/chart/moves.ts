import { compareDecimals, type GraphError, multiplyDecimals, subtractDecimals } from "@exchange-graph/client";
import { amount, words } from "../../format/format.js";
import { ModifyOrder, ModifyPlan, PlaceTpsl } from "../../graph/mutations.js";
import { rehearse, submit } from "../../graph/writes.js";
import type { Order, PlanOrder } from "../../live/orders.js";
import type { Position } from "../../live/positions.js";
import { t } from "../../text/text.js";
import { cancelPlan } from "../cancel.js";
import { categoryOf, futuresOf } from "../market.js";
import type { Estimate } from "../trade/usePreview.js";
import { exitTerms, isZero } from "./exitTerms.js";
import { EXIT_NAMES, type Exit, exitPrice, type Move } from "./levels.js";

/** What a move would do: its dry run, and the writes that do it. */
export interface Change {
  /** In words, for the dialog and the outcome. */
  readonly title: string;
  /** Identifies the dry run. */
  readonly key: string;
  /** The profit at the new price, in quote coin, where the move is an exit of a position; negative for a loss. */
  readonly profit: string | undefined;
  rehearse(): Promise<{ readonly estimate: Estimate | undefined; readonly errors: readonly GraphError[] }>;
  send(): Promise<{ readonly outcome: "accepted" | "rejected" | "unknown"; readonly errors: readonly GraphError[] }>;
}

/** The change that dropping a level at a price makes; undefined if it writes nothing. */
export function changeOf(account: string, move: Move, price: string): Change | undefined {
  switch (move.kind) {
    case "order":
      return modified(account, move.order, t("Move {order} to {price}", { order: named(move.order), price: amount(price) }), {
        price,
      });
    case "orderExit": {
      const title = t("Move the {value} of {order} to {price}", {
        value: EXIT_NAMES[move.exit].toLowerCase(),
        order: named(move.order),
        price: amount(price),
      });
      return modified(account, move.order, title, { price: move.order.price, [move.exit]: { triggerPrice: price } });
    }
    case "trigger":
      return triggered(account, move.plan, price);
    case "plan":
      return replaced(account, move.plan, move.exit, price, move.position);
    case "position":
      return exited(account, move.position, price);
    case "drawing":
      return undefined;
  }
}

const named = ({ side, qty, symbol }: Order): string => `${words(side).toLowerCase()} ${amount(qty)} ${symbol}`;

interface Modified {
  readonly price: string | null;
  readonly takeProfit?: { readonly triggerPrice: string };
  readonly stopLoss?: { readonly triggerPrice: string };
}

function modified(account: string, order: Order, title: string, { price, ...exits }: Modified): Change | undefined {
  const { symbol, orderId, qty } = order;
  const category = categoryOf(order.category);
  if (category === undefined || price === null || qty === null) return undefined;
  const input = { account, category, symbol, by: { orderId }, price, qty, ...exits };
  return {
    title,
    key: JSON.stringify(input),
    profit: undefined,
    rehearse: async () => {
      const { payload, errors } = await rehearse(ModifyOrder, input);
      return { estimate: payload?.estimate ?? undefined, errors };
    },
    send: () => submit(title, ModifyOrder, input),
  };
}

/** Moves the trigger of an order; its limit price stays where it is. */
function triggered(account: string, plan: PlanOrder, triggerPrice: string): Change | undefined {
  const { symbol, orderId, executePrice, triggerBy } = plan;
  const category = categoryOf(plan.category);
  if (category === undefined) return undefined;
  const title = t("Move the trigger of {symbol} to {price}", { symbol, price: amount(triggerPrice) });
  const trigger = {
    triggerPrice,
    ...(executePrice !== null && !isZero(executePrice) && { limitPrice: executePrice }),
    ...((triggerBy === "MARK" || triggerBy === "MARKET") && { triggerBy }),
  };
  const input = { account, category, symbol, by: { orderId }, terms: { trigger } };
  return {
    title,
    key: JSON.stringify(input),
    profit: undefined,
    rehearse: async () => ({ estimate: undefined, errors: (await rehearse(ModifyPlan, input)).errors }),
    send: () => submit(title, ModifyPlan, input),
  };
}

/** A take-profit or stop-loss of a quantity of a position, or of all of it. */
function exitInput(
  account: string,
  { symbol, posSide, ...of }: Pick<Position | PlanOrder, "category" | "symbol" | "posSide">,
  exit: Exit,
  triggerPrice: string,
  qty: string | null,
  terms: ReturnType<typeof exitTerms> = {},
) {
  const category = futuresOf(of.category);
  if (category === undefined || (posSide !== "LONG" && posSide !== "SHORT")) return undefined;
  const planType =
    qty === null
      ? exit === "takeProfit"
        ? ("POS_PROFIT" as const)
        : ("POS_LOSS" as const)
      : exit === "takeProfit"
        ? ("PROFIT_PLAN" as const)
        : ("LOSS_PLAN" as const);
  return { account, category, symbol, posSide, planType, triggerPrice, ...(qty !== null && { qty }), ...terms };
}

const rehearsed = (input: NonNullable<ReturnType<typeof exitInput>>) => async () => {
  const { payload, errors } = await rehearse(PlaceTpsl, input);
  return { estimate: payload?.estimate ?? undefined, errors };
};

/** A new exit of the whole position: a take-profit beyond the price in its favour, and a stop-loss otherwise. */
function exited(account: string, position: Position, price: string): Change | undefined {
  const current = position.markPrice ?? position.avgPrice;
  if (current === null) return undefined;
  const isAbove = compareDecimals(price, current) > 0;
  const exit = isAbove === (position.posSide === "LONG") ? "takeProfit" : "stopLoss";
  const input = exitInput(account, position, exit, price, null);
  if (input === undefined) return undefined;
  const title = t("{exit} of {symbol} {side} at {price}", {
    exit: EXIT_NAMES[exit],
    symbol: position.symbol,
    side: words(position.posSide).toLowerCase(),
    price: amount(price),
  });
  return {
    title,
    key: JSON.stringify(input),
    profit: profitAt(position, price, null),
    rehearse: rehearsed(input),
    send: () => submit(title, PlaceTpsl, input),
  };
}

const EXITS = ["takeProfit", "stopLoss"] as const;

/**
 * Moves an exit. The exchange changes no trigger order of a position: a new one is placed, and the old one is cancelled after that,
 * so that the position is never without it. The other exit of the same order is placed anew too.
 */
function replaced(account: string, plan: PlanOrder, moved: Exit, price: string, position?: Position): Change | undefined {
  const inputs = EXITS.flatMap((exit) => {
    const at = exit === moved ? price : exitPrice(plan, exit);
    return at === undefined ? [] : [exitInput(account, plan, exit, at, plan.qty, exitTerms(plan, exit))];
  });
  const input = exitInput(account, plan, moved, price, plan.qty, exitTerms(plan, moved));
  if (input === undefined) return undefined;
  const title = t("Move the {value} of {symbol} to {price}", {
    value: EXIT_NAMES[moved].toLowerCase(),
    symbol: plan.symbol,
    price: amount(price),
  });
  return {
    title,
    key: JSON.stringify(input),
    profit: position && profitAt(position, price, plan.qty),
    rehearse: rehearsed(input),
    async send() {
      for (const each of inputs) {
        if (each === undefined || each.planType === input.planType) continue;
        const other = await submit(t("{title}: its other exit", { title }), PlaceTpsl, each);
        if (other.outcome !== "accepted") return other;
      }
      const result = await submit(title, PlaceTpsl, input);
      // An unknown outcome leaves the old one in place: two exits close a position once.
      if (result.outcome === "accepted") await cancelPlan(account, plan);
      return result;
    },
  };
}

/** The profit of closing at a price; undefined for inverse contracts and where a figure is missing. */
function profitAt({ category, posSide, avgPrice, qty: held }: Position, price: string, part: string | null): string | undefined {
  const qty = part ?? held;
  if (category === "COIN_FUTURES" || avgPrice === null || qty === null) return undefined;
  const gain = posSide === "LONG" ? subtractDecimals(price, avgPrice) : subtractDecimals(avgPrice, price);
  return multiplyDecimals(gain, qty);
}
