import { TPSL_ROLES } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../../refused.js";
import { dialectOf } from "../dialect.js";
import { ZERO } from "../ledger.js";
import { isOpen, type Order } from "../orders/order.js";
import { contractOf, type State } from "../state.js";
import type { PlanService } from "./planService.js";
import type { TpslRequest } from "./requests.js";

const KINDS = { takeProfit: "profit_plan", stopLoss: "loss_plan" } as const;

/** Take-profits and stop-losses attached to an order become active when it has ended, for its traded quantity. */
export function activatePresets(state: State, plans: PlanService): void {
  state.events.on((event) => {
    if (event.kind === "order" && !isOpen(event.order) && event.order.filledQuantity.gt(ZERO))
      activate(state, plans, event.order);
  });
}

function activate(state: State, plans: PlanService, order: Order): void {
  const tpsl = TPSL_ROLES.flatMap((role) => (order[role] === undefined ? [] : [{ role, ...order[role] }]));
  if (tpsl.length === 0) return;
  try {
    if (order.position === undefined) placeOnSpot(state, plans, order, tpsl);
    else placeOnPosition(state, plans, order, tpsl);
  } catch (error) {
    // The price may have passed a trigger meanwhile; the order remains valid.
    if (!(error instanceof Refused)) throw error;
  }
}

/** v3 has both in one trigger order, Classic creates one for each. */
function placeOnPosition(state: State, plans: PlanService, order: Order, tpsl: readonly TpslRequest[]): void {
  const { uid, symbol, orderId, filledQuantity, stpMode } = order;
  const { category } = contractOf(state, order.category, symbol);
  const side = order.position?.posSide ?? (order.side === "buy" ? "long" : "short");
  const common = { uid, category, symbol, side, quantity: filledQuantity, stpMode, attachedTo: orderId } as const;
  if (dialectOf(state.accounts.of(uid), category) === "unified") plans.placeTpsl({ ...common, kind: "tpsl", tpsl });
  else for (const one of tpsl) plans.placeTpsl({ ...common, kind: KINDS[one.role], tpsl: [one] });
}

function placeOnSpot(state: State, plans: PlanService, order: Order, tpsl: readonly TpslRequest[]): void {
  const { uid, category, symbol, orderId, fees, filledQuantity } = order;
  const { grid, instrument } = state.markets.of(category, symbol).listing;
  const received = grid.floored(filledQuantity.minus(fees.get(instrument.baseCoin) ?? ZERO));
  for (const { role, triggerPrice, triggerBy, limitPrice } of tpsl) {
    plans.placeEntry({
      kind: "spot",
      role,
      triggerPrice,
      triggerBy,
      attachedTo: orderId,
      order: {
        uid,
        category,
        symbol,
        side: order.side === "buy" ? "sell" : "buy",
        orderType: limitPrice === undefined ? "market" : "limit",
        price: limitPrice,
        quantity: received,
      },
    });
  }
}
