import { type Leg, type Plan, type PlanKind, type PlanStatus, tpslTrigger } from "../plans/plan.js";
import type { PlanStore } from "../plans/planStore.js";
import { type ClosedPosition, closeAverage } from "../positions/position.js";
import type { Random } from "../random.js";
import type { InitialState } from "./initialState.js";

/** One past position in this many had a take-profit or stop-loss. */
const ONE_IN = 3;

/** Adds past trigger orders: take-profits and stop-losses of closed positions, executed or cancelled with them. */
export function enterPastPlans(state: InitialState, plans: PlanStore, random: Random): void {
  // Positions closed since the start are not part of the history.
  const closed = state.positions.closed(state.uid).filter(({ updatedTime }) => updatedTime <= state.began);
  for (const position of closed) if (random.oneIn(ONE_IN)) enterOne(state, plans, random, position);
}

function enterOne(state: InitialState, plans: PlanStore, random: Random, position: ClosedPosition): void {
  const { uid, category, symbol, side, createdTime, updatedTime } = position;
  const { listing } = state.markets.of(category, symbol);
  const isProfit = position.realised.gt("0");
  const isExecuted = random.oneIn(2);
  const role = isProfit === isExecuted ? "takeProfit" : "stopLoss";
  const average = closeAverage(position);
  // An executed one has the closing price, a cancelled one a price a few percent away.
  const away = (role === "takeProfit") === (side === "long") ? 103 : 97;
  const price = isExecuted ? average : average.times(String(away)).div("100");
  const triggerPrice = listing.grid.price(listing.grid.steps(price));
  const leg: Leg = { role, trigger: tpslTrigger(role, { triggerPrice, triggerBy: "mark" }, side) };
  const kind: PlanKind = state.isUnified ? "tpsl" : role === "takeProfit" ? "pos_profit" : "pos_loss";
  const status: PlanStatus = isExecuted ? "executed" : "cancelled";
  const plan: Plan = {
    planId: state.ids.past(createdTime),
    clientOid: "",
    uid,
    category,
    symbol,
    kind,
    action: { kind: "close", side, stpMode: "none" },
    createdTime,
    legs: [leg],
    orders: [],
    quantity: undefined,
    status,
    updatedTime,
    ...(isExecuted ? { triggered: leg } : {}),
  };
  plans.end(listing.name, plan);
}
