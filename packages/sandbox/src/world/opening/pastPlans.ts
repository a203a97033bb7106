import type { Leg, Plan, PlanKind, PlanStatus } from "../plans/plan.js";
import { exitTrigger } from "../plans/plan.js";
import type { PlanStore } from "../plans/planStore.js";
import { type ClosedPosition, closeAverage } from "../positions/position.js";
import { type Random, randomOf } from "../random.js";
import type { State } from "../state.js";

/** Every how-manieth position of the past was protected. */
const ONE_IN = 3;

/** Enters trigger orders of the past: exits of positions that have been closed, carried out or cancelled with them. */
export function enterPastPlans(state: State, plans: PlanStore, uids: readonly string[], seed: string): void {
  for (const uid of uids) {
    const random = randomOf(`${seed}/past plans/${uid}`);
    for (const position of state.positions.closed(uid)) {
      if (random.oneIn(ONE_IN)) enterOne(state, plans, random, position);
    }
  }
}

function enterOne(state: State, plans: PlanStore, random: Random, position: ClosedPosition): void {
  const { uid, category, symbol, side, createdTime, updatedTime } = position;
  const { listing } = state.markets.of(category, symbol);
  const isUnified = state.accounts.of(uid).mode === "unified";
  const isProfit = position.realised.gt("0");
  const isExecuted = random.oneIn(2);
  const role = isProfit === isExecuted ? "takeProfit" : "stopLoss";
  const average = closeAverage(position);
  // What was carried out stood where the position was closed, what was cancelled a few percent away.
  const away = (role === "takeProfit") === (side === "long") ? 103 : 97;
  const price = isExecuted ? average : average.times(String(away)).div("100");
  const triggerPrice = listing.grid.price(listing.grid.steps(price));
  const leg: Leg = { role, trigger: exitTrigger(role, { triggerPrice, triggerBy: "mark" }, side) };
  const kind: PlanKind = isUnified ? "tpsl" : role === "takeProfit" ? "pos_profit" : "pos_loss";
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
