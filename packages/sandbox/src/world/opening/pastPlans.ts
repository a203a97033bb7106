import type { Leg, Plan, PlanKind, PlanStatus } from "../plans/plan.js";
import { exitTrigger } from "../plans/plan.js";
import type { PlanStore } from "../plans/planStore.js";
import { type ClosedPosition, closeAverage } from "../positions/position.js";
import type { Random } from "../random.js";
import type { Beginning } from "./beginning.js";

/** Every how-manieth position of the past was protected. */
const ONE_IN = 3;

/** Enters trigger orders of the past: exits of positions that have been closed, carried out or cancelled with them. */
export function enterPastPlans(state: Beginning, plans: PlanStore, random: Random): void {
  // What was closed since then is no part of the past.
  const closed = state.positions.closed(state.uid).filter(({ updatedTime }) => updatedTime <= state.began);
  for (const position of closed) if (random.oneIn(ONE_IN)) enterOne(state, plans, random, position);
}

function enterOne(state: Beginning, plans: PlanStore, random: Random, position: ClosedPosition): void {
  const { uid, category, symbol, side, createdTime, updatedTime } = position;
  const { listing } = state.markets.of(category, symbol);
  const isProfit = position.realised.gt("0");
  const isExecuted = random.oneIn(2);
  const role = isProfit === isExecuted ? "takeProfit" : "stopLoss";
  const average = closeAverage(position);
  // What was carried out stood where the position was closed, what was cancelled a few percent away.
  const away = (role === "takeProfit") === (side === "long") ? 103 : 97;
  const price = isExecuted ? average : average.times(String(away)).div("100");
  const triggerPrice = listing.grid.price(listing.grid.steps(price));
  const leg: Leg = { role, trigger: exitTrigger(role, { triggerPrice, triggerBy: "mark" }, side) };
  const kind: PlanKind = state.isUnified ? "tpsl" : role === "takeProfit" ? "pos_profit" : "pos_loss";
  const status: PlanStatus = isExecuted ? "executed" : "cancelled";
  const plan: Plan = {
    planId: state.ids.past(createdTime),
    clientOid: "",
    uid,
    category,
    symbol,
    kind,
    action: { kind: "exit", side, stpMode: "none" },
    createdTime,
    legs: [leg],
    quantity: undefined,
    status,
    updatedTime,
    ...(isExecuted ? { triggered: leg } : {}),
  };
  plans.end(listing.name, plan);
}
