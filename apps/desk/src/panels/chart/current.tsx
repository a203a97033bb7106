import type { ReactNode } from "react";
import { useOrders, usePlanOrders } from "../../live/orders.js";
import { usePositions } from "../../live/positions.js";
import { currentOf } from "../../live/rows.js";
import { CLOSED } from "../closed.js";
import { EndedOrder } from "../endedOrder.js";
import { EndedPlan } from "../endedPlan.js";
import type { Move } from "./levels.js";

/** A move of what it moves as that is now; null once that has ended, undefined while it is not known. */
export function useCurrent(account: string, move: Move | undefined): Move | null | undefined {
  const { rows: orders } = useOrders(account);
  const { rows: plans } = usePlanOrders(account);
  const { rows: positions } = usePositions(account);
  switch (move?.kind) {
    case "order":
    case "orderExit": {
      const order = currentOf(orders, move.order.id);
      return order && { ...move, order };
    }
    case "trigger":
    case "plan": {
      const plan = currentOf(plans, move.plan.id);
      return plan && { ...move, plan };
    }
    case "position": {
      const position = currentOf(positions, move.position.id);
      return position && { ...move, position };
    }
    default:
      return undefined;
  }
}

/** Says that what a move would move has ended. */
export function endedWords(account: string, move: Move): ReactNode {
  switch (move.kind) {
    case "order":
    case "orderExit":
      return <EndedOrder account={account} order={move.order} />;
    case "position":
      return CLOSED;
    case "trigger":
    case "plan":
      return <EndedPlan id={move.plan.id} />;
    default:
      return undefined;
  }
}
