import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { Refused } from "../../refused.js";
import { timeOf } from "../market/listing.js";
import type { Market } from "../market/market.js";
import { lastTickOf, type Stretch } from "../market/path.js";
import { least, most } from "../money.js";
import type { Closers } from "../orders/closers.js";
import type { OrderRequest } from "../orders/order.js";
import type { OrderEntry } from "../orders/orderEntry.js";
import type { OrderService } from "../orders/orderService.js";
import { listedMarket } from "../orders/orderTerms.js";
import { closedBy } from "../positions/position.js";
import type { State } from "../state.js";
import { isReached, type Leg, type Plan, type PlanAction, type Trail, type Trigger } from "./plan.js";
import type { PlanService } from "./planService.js";
import type { PlanStore } from "./planStore.js";
import type { Strategies } from "./strategies.js";

type Kind = Trigger["by"];

/** The nearest triggers of the trigger orders on a market: no price reaches any trigger without reaching one of these. */
interface Nearest {
  /** Trailing orders whose trigger was reached: they follow the price, and every tick counts. */
  readonly following: readonly Plan[];
  /** At most one trigger per price and direction. */
  readonly triggers: readonly Trigger[];
}

const isFollowing = ({ trail }: Plan): boolean => trail?.best !== undefined;

function nearestOf(plans: readonly Plan[]): Nearest {
  const triggers = new Map<string, Trigger>();
  for (const plan of plans) {
    if (isFollowing(plan)) continue;
    for (const { trigger } of plan.legs) {
      const { by, direction, price } = trigger;
      const other = triggers.get(`${by} ${direction}`)?.price ?? price;
      triggers.set(`${by} ${direction}`, { by, direction, price: direction === "up" ? least(price, other) : most(price, other) });
    }
  }
  return { following: plans.filter(isFollowing), triggers: [...triggers.values()] };
}

/** Whether a trigger is reached at these prices, which may differ for the two directions. */
const isNearestReached = ({ triggers }: Nearest, priceFor: (by: Kind, direction: Trigger["direction"]) => Exact): boolean =>
  triggers.some((trigger) => isReached(trigger, priceFor(trigger.by, trigger.direction)));

const HUNDREDTH = exact("0.01");

/** Watches prices for the waiting trigger orders and places their orders. */
export class PlanWatch {
  /** By market, until one of its plans changes. */
  readonly #nearest = new Map<string, Nearest>();

  constructor(
    private readonly state: State,
    private readonly store: PlanStore,
    private readonly plans: PlanService,
    private readonly entry: OrderEntry,
    private readonly service: OrderService,
    private readonly closers: Closers,
    private readonly strategies: Strategies,
  ) {
    state.events.on((event) => {
      if (event.kind === "plan") this.#nearest.delete(listedMarket(state, event.plan).listing.name);
    });
  }

  /** Places the orders of all trigger orders on a market that are reached at this tick. */
  review(market: Market): void {
    const { listing } = market;
    const waiting = this.store.on(listing.name);
    if (waiting.length === 0) return;
    const nearest = this.#nearestOn(market);
    const isNear = isNearestReached(nearest, (by) => listing.price(this.state.markets.tick, by));
    for (const plan of isNear ? waiting : nearest.following) {
      if (plan.status !== "live") continue;
      const due = plan.legs.find((leg) => this.#isDue(leg, plan.trail, market));
      if (due === undefined) continue;
      if (plan.run === undefined) this.#trigger(plan, due);
      else this.strategies.reached(plan, due, market);
    }
    for (const plan of waiting) if (isDueBy(plan, this.state.now())) this.strategies.proceed(plan, market);
    // A trailing order may have begun to follow.
    if (isNear) this.#nearest.delete(listing.name);
  }

  /** Whether the prices of a period can reach a trigger. Once a trailing order follows the price, every tick counts. */
  isHot(market: Market, stretch: Stretch): boolean {
    const { grid, name } = market.listing;
    if (this.store.on(name).length === 0) return false;
    if (this.store.on(name).some((plan) => isDueBy(plan, timeOf(lastTickOf(stretch))))) return true;
    const nearest = this.#nearestOn(market);
    if (nearest.following.length > 0) return true;
    return isNearestReached(nearest, (by, direction) => {
      const { low, high } = market.listing.range(stretch, by);
      return grid.price(direction === "up" ? high : low);
    });
  }

  #nearestOn({ listing: { name } }: Market): Nearest {
    const nearest = this.#nearest.get(name) ?? nearestOf(this.store.on(name));
    this.#nearest.set(name, nearest);
    return nearest;
  }

  #isDue({ trigger }: Leg, trail: Trail | undefined, { listing }: Market): boolean {
    const price = listing.price(this.state.markets.tick, trigger.by);
    if (trail === undefined) return isReached(trigger, price);
    if (trail.best === undefined && !isReached(trigger, price)) return false;
    return hasComeBack(trail, price, trigger.direction === "up");
  }

  #trigger(plan: Plan, leg: Leg): void {
    plan.triggered = leg;
    plan.status = "executing";
    const request =
      plan.action.kind === "order" ? { ...plan.action.request, planId: plan.planId } : this.#closingOrder(plan, plan.action, leg);
    try {
      const { order } = this.entry.place(request);
      plan.orders.push(order);
      plan.orderId = order.orderId;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.plans.end(plan, "fail_execute");
      return;
    }
    this.plans.end(plan, "executed");
  }

  /** The closing order. For the whole position, all other orders that would close it are cancelled. */
  #closingOrder(
    { uid, category, symbol, quantity, planId }: Plan,
    { side, stpMode }: Extract<PlanAction, { kind: "close" }>,
    { limitPrice }: Leg,
  ): OrderRequest {
    const target = { uid, category, symbol, side };
    if (quantity === undefined) for (const order of this.closers.of(target)) this.service.cancel(order, "tpsl_plan_cancel");
    const size = this.state.positions.sizeOf(target);
    return {
      uid,
      category,
      symbol,
      side: closedBy(side),
      posSide: side,
      reduceOnly: true,
      orderType: limitPrice === undefined ? "market" : "limit",
      price: limitPrice,
      quantity: quantity === undefined ? size : least(quantity, size),
      stpMode,
      planId,
    };
  }
}

/** Whether the next part of a running strategy is due by then. */
const isDueBy = ({ status, run }: Plan, at: number): boolean =>
  status === "live" && run?.nextAt !== undefined && run.nextAt <= at;

/** Updates the best price, and returns whether the price has come back by the callback. */
function hasComeBack(trail: Trail, price: Exact, isUp: boolean): boolean {
  if (trail.best === undefined || (isUp ? price.gt(trail.best) : price.lt(trail.best))) trail.best = price;
  const away = trail.type === "spread" ? trail.distance : trail.best.times(trail.distance).times(HUNDREDTH);
  return isUp ? price.lte(trail.best.minus(away)) : price.gte(trail.best.plus(away));
}
