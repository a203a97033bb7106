import type { Exact } from "@exchange-graph/contract/decimal";
import { type Dialect, dialectOf, refused } from "../dialect.js";
import { ZERO } from "../ledger.js";
import type { Market } from "../market/market.js";
import { isOpen } from "../orders/order.js";
import type { OrderService } from "../orders/orderService.js";
import { listedMarket } from "../orders/orderTerms.js";
import { checkQuantity, checkStatus, checkTriggerScale } from "../orders/rules.js";
import type { ClosedPosition } from "../positions/position.js";
import type { State } from "../state.js";
import { isReached, type Leg, type Plan, type Trail, type Trigger, tpslTrigger, wrongSide } from "./plan.js";
import type { PlanKey, PlanStore } from "./planStore.js";
import type { EntryPlanRequest, PlanChange, TpslPlanRequest, TpslRequest } from "./requests.js";

/** Maximum number of waiting trigger orders of one user. */
const MOST_WAITING = 400;
/** Time for which the client id of a unified account's trigger order stays taken, also after its end. */
const UNIFIED_CLIENT_OID_MS = 6 * 60 * 60_000;

const trailOf = (percent: Exact | undefined): { readonly trail?: Trail } =>
  percent === undefined ? {} : { trail: { distance: percent, type: "ratio", best: undefined } };

export class PlanService {
  constructor(
    private readonly state: State,
    private readonly store: PlanStore,
    private readonly service: OrderService,
  ) {
    state.events.on((event) => {
      if (event.kind === "positionClosed") this.#drop(event.position);
    });
  }

  /**
   * Places a trigger order that closes an existing position, at prices not yet reached. The price may have passed one that was
   * attached to an order: then it triggers at once. A trailing stop may begin to follow at once.
   */
  placeTpsl(request: TpslPlanRequest): Plan {
    const { uid, category, side, kind, tpsl, quantity, clientOid = "", stpMode = "none", attachedTo } = request;
    const market = listedMarket(this.state, request);
    const { symbol } = market.listing.instrument;
    const dialect = dialectOf(this.state.accounts.of(uid), category);
    const size = this.state.positions.sizeOf({ uid, category, symbol, side });
    if (size.eq("0") || quantity?.gt(size)) throw refused(dialect, "noPositionForTpsl");
    for (const one of tpsl) checkTriggerScale(one, market, dialect);
    // An attached one has the traded quantity of its order, also below the minimum.
    if (quantity !== undefined && attachedTo === undefined) checkQuantity({ quantity, orderType: "limit" }, market, dialect);
    return this.enter(market, {
      uid,
      category,
      symbol,
      clientOid,
      kind,
      legs: tpsl.map((one) =>
        this.#leg(one, { uid, category, side }, market, kind !== "moving_plan" && attachedTo === undefined),
      ),
      quantity,
      action: { kind: "close", side, stpMode },
      ...trailOf(request.callbackPercent),
      ...(attachedTo === undefined ? {} : { attachedTo }),
    });
  }

  /** Places a trigger order that places an order, whose price and size must be valid on the market. */
  placeEntry(request: EntryPlanRequest): Plan {
    const { kind, callbackPercent, order, role = "entry", attachedTo } = request;
    const { uid, category, side, clientOid = "" } = order;
    const quantity = request.quantity ?? order.quantity;
    const market = listedMarket(this.state, order);
    if (attachedTo === undefined) this.#checkOrder(request, market);
    const trigger =
      role === "entry" ? this.#entryTrigger(request, market) : tpslTrigger(role, request, side === "sell" ? "long" : "short");
    return this.enter(market, {
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

  /** Changes a waiting trigger order in place: it keeps its id. */
  modify(plan: Plan, { legs, trigger, limitPrice, quantity, callbackPercent }: PlanChange): void {
    const market = listedMarket(this.state, plan);
    const dialect = dialectOf(this.state.accounts.of(plan.uid), plan.category);
    if (quantity !== undefined) checkQuantity({ quantity, orderType: "limit" }, market, dialect);
    const { action } = plan;
    if (action.kind === "close") {
      for (const one of legs) checkTriggerScale(one, market, dialect);
      const size = this.state.positions.sizeOf({ ...plan, side: action.side });
      if (quantity?.gt(size)) throw refused(dialect, "noPositionForTpsl");
      plan.legs = legs.map((one) => this.#leg(one, { ...plan, side: action.side }, market, plan.trail === undefined));
    } else {
      if (trigger !== undefined) {
        checkTriggerScale({ ...trigger, limitPrice }, market, dialect);
        plan.legs = [{ role: "entry", trigger: this.#entryTrigger(trigger, market) }];
      }
      const { amount: _, ...request } = action.request;
      const size = quantity ?? plan.quantity;
      const isSpent = action.request.amount !== undefined && limitPrice === undefined;
      const [leg] = plan.legs;
      plan.action = {
        kind: "order",
        request: {
          ...request,
          orderType: limitPrice === undefined ? "market" : "limit",
          price: limitPrice,
          ...(isSpent && leg !== undefined && size !== undefined
            ? { amount: size.times(leg.trigger.price) }
            : { quantity: size }),
        },
      };
    }
    if (quantity !== undefined) plan.quantity = quantity;
    if (callbackPercent !== undefined && plan.trail !== undefined) plan.trail.distance = callbackPercent;
    plan.updatedTime = this.state.now();
    this.state.events.emit({ kind: "plan", plan });
  }

  /** Cancels it, and the order that it has in the book. */
  cancel(plan: Plan): void {
    this.end(plan, "cancelled");
    for (const order of plan.orders) if (isOpen(order)) this.service.cancel(order, "normal_cancel");
  }

  /** The waiting trigger order of a key among those of the given kind. Refuses if there is none. */
  waitingPlan(uid: string, key: PlanKey, isMeant: (plan: Plan) => boolean = () => true): Plan {
    const plan = this.store.find(uid, key, isMeant);
    if (plan === undefined) throw refused(dialectOf(this.state.accounts.of(uid), "USDT-FUTURES"), "planNotFound");
    return plan;
  }

  end(plan: Plan, status: Exclude<Plan["status"], "live">): void {
    plan.status = status;
    plan.updatedTime = this.state.now();
    this.store.end(listedMarket(this.state, plan).listing.name, plan);
    this.state.events.emit({ kind: "plan", plan });
  }

  #checkOrder({ triggerPrice, order }: EntryPlanRequest, market: Market): void {
    const { uid, category, price, quantity = ZERO, amount, orderType, reduceOnly } = order;
    const dialect = dialectOf(this.state.accounts.of(uid), category);
    checkStatus(this.state, market, reduceOnly === true, dialect);
    checkTriggerScale({ triggerPrice, limitPrice: price }, market, dialect);
    checkQuantity({ quantity, orderType, ...(amount === undefined ? {} : { amount }) }, market, dialect);
  }

  /** Trigger of an entry, with the direction from the current price. */
  #entryTrigger({ triggerPrice, triggerBy }: Pick<EntryPlanRequest, "triggerPrice" | "triggerBy">, { listing }: Market): Trigger {
    const current = listing.price(this.state.markets.tick, triggerBy);
    return { price: triggerPrice, by: triggerBy, direction: triggerPrice.gt(current) ? "up" : "down" };
  }

  #leg(
    request: TpslRequest,
    { uid, category, side }: Pick<Plan, "uid" | "category"> & Pick<TpslPlanRequest, "side">,
    { listing }: Market,
    mustBeAhead: boolean,
  ): Leg {
    const { role, limitPrice } = request;
    const trigger = tpslTrigger(role, request, side);
    if (mustBeAhead && isReached(trigger, listing.price(this.state.markets.tick, trigger.by)))
      throw wrongSide(role, side, dialectOf(this.state.accounts.of(uid), category));
    return { role, trigger, ...(limitPrice === undefined ? {} : { limitPrice }) };
  }

  /** Ends the trigger orders of a closed position. The one that has just closed it is no longer waiting. */
  #drop({ uid, category, symbol, side }: ClosedPosition): void {
    for (const plan of this.store.waiting(uid)) {
      const { action } = plan;
      const isOfIt = plan.category === category && plan.symbol === symbol && action.kind === "close" && action.side === side;
      if (isOfIt && plan.status === "live") this.cancel(plan);
    }
  }

  /** Whether the client id belongs to another trigger order: a waiting one, or on a unified account one of the last hours. */
  #isTaken({ uid, clientOid }: Pick<Plan, "uid" | "clientOid">, dialect: Dialect, at: number): boolean {
    if (this.store.find(uid, { clientOid }) !== undefined) return true;
    const isRecent = ({ createdTime }: Plan) => at - createdTime < UNIFIED_CLIENT_OID_MS;
    return dialect === "unified" && this.store.ended(uid).some((plan) => plan.clientOid === clientOid && isRecent(plan));
  }

  /** Adds it under a new id, after `begin`, which may refuse it. */
  enter(
    market: Market,
    terms: Omit<Plan, "planId" | "status" | "createdTime" | "updatedTime" | "orders">,
    begin?: (plan: Plan) => void,
  ): Plan {
    const { uid, category } = terms;
    const dialect = dialectOf(this.state.accounts.of(uid), category);
    if (this.store.waiting(uid).length >= MOST_WAITING) throw refused(dialect, "tooManyOrders");
    const at = this.state.now();
    if (terms.clientOid !== "" && this.#isTaken(terms, dialect, at)) throw refused(dialect, "duplicate");
    const planId = this.state.ids.next();
    const clientOid = terms.clientOid === "" ? planId : terms.clientOid;
    const plan: Plan = { ...terms, clientOid, planId, status: "live", createdTime: at, updatedTime: at, orders: [] };
    begin?.(plan);
    this.store.enter(market.listing.name, plan);
    this.state.events.emit({ kind: "plan", plan });
    return plan;
  }
}
