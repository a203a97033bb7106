import { REFUSAL } from "../../../contract/errors/refusal.js";
import type { Exact } from "../../../decimal.js";
import { Refused } from "../../refused.js";
import type { PositionSide } from "../accounts.js";
import { dialectOf, refused } from "../dialect.js";
import type { Market } from "../market/market.js";
import type { Closers } from "../orders/closers.js";
import { listedMarket } from "../orders/terms.js";
import type { ClosedPosition } from "../positions/position.js";
import type { State } from "../state.js";
import { isReached, type Leg, type Plan, type PlanKind, type Trail, type Trigger } from "./plan.js";
import type { PlanKey, PlanStore } from "./planStore.js";
import type { EntryPlanRequest, ExitPlanRequest, ExitRequest } from "./requests.js";

/** Most plans of one user that may wait at a time. */
const MOST_WAITING = 400;

const trailOf = (percent: Exact | undefined): { readonly trail?: Trail } =>
  percent === undefined ? {} : { trail: { percent, best: undefined } };

/** Takes plan orders in, changes and cancels them. */
export class PlanDesk {
  constructor(
    private readonly state: State,
    private readonly store: PlanStore,
    private readonly closers: Closers,
  ) {
    state.events.on((event) => {
      if (event.kind === "positionClosed") this.#drop(event.position);
    });
  }

  /** A plan that closes a position, which must be there, at prices that are still ahead. */
  placeExit(request: ExitPlanRequest): Plan {
    const { uid, category, side, kind, exits, quantity, clientOid = "", stpMode = "none", attachedTo } = request;
    const market = listedMarket(this.state, request);
    const { symbol } = market.listing.instrument;
    const size = this.closers.sizeOf({ uid, category, symbol, side });
    if (size.eq("0") || quantity?.gt(size)) throw refused(dialectOf(this.state.accounts.of(uid), category), "noPositionForTpsl");
    return this.#enter(market, {
      uid,
      category,
      symbol,
      clientOid,
      kind,
      legs: exits.map((exit) => this.#leg(exit, side, market, kind)),
      quantity,
      action: { kind: "exit", side, stpMode },
      ...trailOf(request.callbackPercent),
      ...(attachedTo === undefined ? {} : { attachedTo }),
    });
  }

  /** A plan that places an order. */
  placeEntry({ kind, triggerPrice, triggerBy, callbackPercent, order, role = "entry", attachedTo }: EntryPlanRequest): Plan {
    const { uid, category, clientOid = "", quantity } = order;
    const market = listedMarket(this.state, order);
    const current = market.listing.price(this.state.markets.tick, triggerBy);
    const trigger: Trigger = { price: triggerPrice, by: triggerBy, direction: triggerPrice.gt(current) ? "up" : "down" };
    return this.#enter(market, {
      uid,
      category,
      symbol: market.listing.instrument.symbol,
      clientOid,
      kind,
      legs: [{ role, trigger }],
      quantity,
      action: { kind: "order", request: order },
      ...trailOf(callbackPercent),
      ...(attachedTo === undefined ? {} : { attachedTo }),
    });
  }

  cancel(plan: Plan): void {
    this.end(plan, "cancelled");
  }

  /** Changes what a waiting exit plan waits for. */
  modify(plan: Plan, exits: readonly ExitRequest[], quantity: Exact | undefined): void {
    const { action, kind } = plan;
    if (action.kind !== "exit") throw new Refused(REFUSAL.tpslOrderNotFound);
    const market = listedMarket(this.state, plan);
    plan.legs = exits.map((exit) => this.#leg(exit, action.side, market, kind));
    plan.quantity = quantity;
    plan.updatedTime = this.state.now();
    this.state.events.emit({ kind: "plan", plan });
  }

  /** The waiting plan of a key, or the refusal that there is none. */
  waitingPlan(uid: string, key: PlanKey): Plan {
    const plan = this.store.find(uid, key);
    if (plan === undefined) throw new Refused(REFUSAL.planOrderNotFound);
    return plan;
  }

  /** The plan waits no longer. */
  end(plan: Plan, status: Exclude<Plan["status"], "live">): void {
    plan.status = status;
    plan.updatedTime = this.state.now();
    this.store.end(listedMarket(this.state, plan).listing.name, plan);
    this.state.events.emit({ kind: "plan", plan });
  }

  #leg({ role, triggerPrice, triggerBy, limitPrice }: ExitRequest, side: PositionSide, market: Market, kind: PlanKind): Leg {
    const direction = (role === "takeProfit") === (side === "long") ? "up" : "down";
    const trigger: Trigger = { price: triggerPrice, by: triggerBy, direction };
    // A trailing stop may begin to follow at once; every other exit must still be ahead.
    if (kind !== "moving_plan" && isReached(trigger, market.listing.price(this.state.markets.tick, triggerBy))) {
      throw new Refused(role === "takeProfit" ? REFUSAL.takeProfitWrongSide : REFUSAL.stopLossWrongSide);
    }
    return { role, trigger, ...(limitPrice === undefined ? {} : { limitPrice }) };
  }

  /** A position is gone: nothing is left to exit from. A plan that has just closed it is no longer waiting. */
  #drop({ uid, category, symbol, side }: ClosedPosition): void {
    for (const plan of this.store.waiting(uid)) {
      const { action } = plan;
      const isOfIt = plan.category === category && plan.symbol === symbol && action.kind === "exit" && action.side === side;
      if (isOfIt && plan.status === "live") this.cancel(plan);
    }
  }

  #enter(market: Market, terms: Omit<Plan, "planId" | "status" | "createdTime" | "updatedTime">): Plan {
    const { uid, category } = terms;
    if (this.store.waiting(uid).length >= MOST_WAITING) {
      throw refused(dialectOf(this.state.accounts.of(uid), category), "tooManyOrders");
    }
    const at = this.state.now();
    const planId = this.state.ids.next();
    const clientOid = terms.clientOid === "" ? planId : terms.clientOid;
    const plan: Plan = { ...terms, clientOid, planId, status: "live", createdTime: at, updatedTime: at };
    this.store.enter(market.listing.name, plan);
    this.state.events.emit({ kind: "plan", plan });
    return plan;
  }
}
