import { MINUTE_MS, SECOND_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { IcebergParameters, TwapParameters } from "@exchange-graph/contract/strategyTerms";
import { Refused } from "../../refused.js";
import { type Dialect, dialectOf } from "../dialect.js";
import { ZERO } from "../ledger.js";
import type { Market } from "../market/market.js";
import { least, most } from "../money.js";
import { isOpen, type Order, type OrderRequest } from "../orders/order.js";
import type { OrderEntry } from "../orders/orderEntry.js";
import type { OrderService } from "../orders/orderService.js";
import { listedMarket } from "../orders/orderTerms.js";
import { checkQuantity, checkStatus, checkTriggerScale } from "../orders/rules.js";
import type { State } from "../state.js";
import type { Leg, Plan, Run, Strategy, Trail, Trigger } from "./plan.js";
import type { PlanService } from "./planService.js";
import type { PlanStore } from "./planStore.js";
import type { StrategyRequest } from "./requests.js";

const HUNDREDTH = exact("0.01");

/**
 * v3's strategy orders. An OCO order has a limit order in the book until its trigger is reached. A trailing stop follows the price.
 * The parts of an iceberg order are in the book one after the other, those of a TWAP order are placed at intervals.
 */
export class Strategies {
  constructor(
    private readonly state: State,
    private readonly store: PlanStore,
    private readonly plans: PlanService,
    private readonly entry: OrderEntry,
    private readonly service: OrderService,
  ) {
    state.events.on((event) => {
      if (event.kind === "order" && event.order.planId !== undefined && !isOpen(event.order)) this.#partEnded(event.order);
    });
  }

  place({ strategy, order }: StrategyRequest): Plan {
    const { uid, category, clientOid = "", quantity } = order;
    const market = listedMarket(this.state, order);
    const dialect = dialectOf(this.state.accounts.of(uid), category);
    checkStatus(this.state, market, order.reduceOnly === true, dialect);
    checkQuantity({ quantity, orderType: "limit" }, market, dialect);
    const terms = {
      uid,
      category,
      symbol: market.listing.instrument.symbol,
      clientOid,
      kind: strategy.kind,
      strategy,
      quantity,
      action: { kind: "order", request: { ...order, ...triggeredOrder(strategy) } },
      ...this.#termsOf(strategy, order, market, dialect),
    } as const;
    if (strategy.kind !== "oco") return this.plans.enter(market, terms);
    const resting = { orderType: "limit", price: exact(strategy.params.ocoLimitPrice), quantity } as const;
    const plan = this.plans.enter(market, terms, (begun) => this.#placePart(begun, resting));
    if (leftOf(plan).eq(ZERO)) this.plans.end(plan, "executed");
    return plan;
  }

  /** A price of a running strategy is reached. */
  reached(plan: Plan, leg: Leg, market: Market): void {
    plan.legs = plan.legs.filter((other) => other !== leg);
    if (leg.role === "end") this.plans.cancel(plan);
    else if (plan.strategy?.kind === "oco") this.#placeOther(plan, leg);
    else if (plan.run !== undefined) {
      plan.run.nextAt = this.state.now();
      this.proceed(plan, market);
    }
  }

  /** Places the next part of an iceberg or TWAP order. */
  proceed(plan: Plan, market: Market): void {
    const { strategy, run } = plan;
    if (run === undefined) return;
    run.nextAt = undefined;
    // A part of a TWAP order that has not been filled in its interval is placed again with the next ones.
    for (const order of plan.orders) if (isOpen(order)) this.service.cancel(order, "normal_cancel");
    const left = leftOf(plan);
    const isLast = run.parts <= 1;
    const even = market.listing.grid.floored(left.div(String(Math.max(run.parts, 1))));
    try {
      if (strategy?.kind === "twap") {
        run.parts--;
        if (!isLast) run.nextAt = this.state.now() + secondsOf(strategy.params) * SECOND_MS;
        this.#placePart(plan, { ...this.#twapTerms(plan, strategy.params, market), quantity: isLast ? left : even });
        if (isLast && plan.status === "live" && leftOf(plan).eq(ZERO)) this.plans.end(plan, "executed");
      } else if (strategy?.kind === "iceberg") {
        const { splitMode, qtyPerOrder } = strategy.params;
        if (splitMode === "order") run.parts--;
        const part = splitMode === "quantity" ? least(left, exact(qtyPerOrder ?? "0")) : isLast ? left : even;
        this.#placePart(plan, {
          orderType: "limit",
          price: this.#icebergPrice(plan, strategy.params, market),
          quantity: part,
        });
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.plans.end(plan, "fail_execute");
    }
  }

  #termsOf(
    strategy: Strategy,
    { side, quantity }: StrategyRequest["order"],
    market: Market,
    dialect: Dialect,
  ): { readonly legs: readonly Leg[]; readonly trail?: Trail; readonly run?: Run } {
    const scale = (...prices: readonly (string | undefined)[]): void => {
      for (const price of prices) if (price !== undefined) checkTriggerScale({ triggerPrice: exact(price) }, market, dialect);
    };
    const { listing } = market;
    const priceNow = (by: Trigger["by"]): Exact => listing.price(this.state.markets.tick, by);
    const towards = (price: Exact): Trigger["direction"] => (price.gt(priceNow("market")) ? "up" : "down");
    switch (strategy.kind) {
      case "oco": {
        const { ocoLimitPrice, ocoTriggerPrice, ocoOrderPrice } = strategy.params;
        scale(ocoLimitPrice, ocoTriggerPrice, ocoOrderPrice);
        const trigger: Trigger = { price: exact(ocoTriggerPrice), by: "market", direction: side === "buy" ? "up" : "down" };
        return { legs: [{ role: "entry", trigger }], run: { nextAt: undefined, parts: 1 } };
      }
      case "trailing_stop": {
        const { activationPrice, activationType: by = "market", trailType, trailVariance, preOrderPrice } = strategy.params;
        scale(activationPrice, preOrderPrice);
        const price = activationPrice === undefined ? priceNow(by) : exact(activationPrice);
        const trigger: Trigger = { price, by, direction: side === "sell" ? "up" : "down" };
        return {
          legs: [{ role: "entry", trigger }],
          trail: { distance: exact(trailVariance), type: trailType, best: undefined },
        };
      }
      case "iceberg": {
        const { qtyPerOrder, splitOrderNumbers = 1, fixedPrice, priceLimit } = strategy.params;
        scale(fixedPrice, priceLimit);
        const part = qtyPerOrder === undefined ? quantity.div(String(splitOrderNumbers)) : exact(qtyPerOrder);
        checkQuantity({ quantity: listing.grid.floored(part), orderType: "limit" }, market, dialect);
        return { legs: [], run: { nextAt: this.state.now(), parts: splitOrderNumbers } };
      }
      case "twap": {
        const { duration, twapTriggerPrice, twapTerminationPrice } = strategy.params;
        scale(twapTriggerPrice, twapTerminationPrice);
        const parts = Math.floor((duration * MINUTE_MS) / (secondsOf(strategy.params) * SECOND_MS));
        checkQuantity({ quantity: listing.grid.floored(quantity.div(String(parts))), orderType: "limit" }, market, dialect);
        const legOf = (role: Leg["role"], price: string | undefined): readonly Leg[] =>
          price === undefined ? [] : [{ role, trigger: { price: exact(price), by: "market", direction: towards(exact(price)) } }];
        const legs = [...legOf("entry", twapTriggerPrice), ...legOf("end", twapTerminationPrice)];
        return { legs, run: { nextAt: twapTriggerPrice === undefined ? this.state.now() : undefined, parts } };
      }
    }
  }

  /** The trigger of an OCO order is reached: what is left of its limit order is placed with the other terms. */
  #placeOther(plan: Plan, leg: Leg): void {
    plan.triggered = leg;
    plan.status = "executing";
    for (const order of plan.orders) if (isOpen(order)) this.service.cancel(order, "normal_cancel");
    try {
      this.#placePart(plan, { quantity: leftOf(plan) });
      this.plans.end(plan, "executed");
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.plans.end(plan, "fail_execute");
    }
  }

  /** Places an order of a strategy. A market buy on spot and margin spends what its quantity costs at the last price. */
  #placePart(plan: Plan, terms: Partial<OrderRequest> & { readonly quantity: Exact }): void {
    if (plan.action.kind !== "order") return;
    const request: OrderRequest = { ...plan.action.request, clientOid: undefined, ...terms, planId: plan.planId };
    const { category, symbol, side, orderType } = request;
    const isSpent = orderType === "market" && side === "buy" && (category === "SPOT" || category === "MARGIN");
    const { listing } = this.state.markets.of(category, symbol);
    const spent = isSpent
      ? {
          quantity: undefined,
          amount: terms.quantity.times(listing.price(this.state.markets.tick)).round(listing.instrument.quotePrecision),
        }
      : {};
    const { order } = this.entry.place({ ...request, ...spent });
    if (!plan.orders.includes(order)) plan.orders.push(order);
    plan.orderId = order.orderId;
  }

  #twapTerms({ action }: Plan, params: TwapParameters, { listing }: Market): Pick<OrderRequest, "orderType" | "price"> {
    if (params.orderType !== "limit" || action.kind !== "order") return { orderType: "market", price: undefined };
    const last = listing.price(this.state.markets.tick);
    const away = exact(
      params.limitOffsetType === "spread" ? (params.limitOffsetSpread ?? "0") : (params.limitOffsetPercentage ?? "0"),
    );
    const distance = params.limitOffsetType === "spread" ? away : last.times(away);
    const price = action.request.side === "buy" ? last.minus(distance) : last.plus(distance);
    return { orderType: "limit", price: listing.grid.price(listing.grid.steps(price)) };
  }

  #icebergPrice({ action }: Plan, params: IcebergParameters, market: Market): Exact {
    const { grid } = market.listing;
    const isBuy = action.kind === "order" && action.request.side === "buy";
    const last = market.listing.price(this.state.markets.tick);
    const { orderPreference, executionStrategy, fixedDistanceType, distance = "0", fixedPrice, priceLimit } = params;
    if (orderPreference === "fixed_price") return exact(fixedPrice ?? "0");
    const { bids, asks } = market.depth(this.state.markets.tick, 1);
    const [best] = isBuy === (executionStrategy === "queue1") ? bids : asks;
    const away = fixedDistanceType === "percentage" ? last.times(distance).times(HUNDREDTH) : exact(distance);
    const wanted = orderPreference === "faster_execution" ? exact(best?.[0] ?? "0") : isBuy ? last.minus(away) : last.plus(away);
    const price = grid.price(grid.steps(wanted));
    if (priceLimit === undefined) return price;
    return isBuy ? least(price, exact(priceLimit)) : most(price, exact(priceLimit));
  }

  /** The order of a strategy has ended: the next part is placed, or the strategy ends with it. */
  #partEnded(order: Order): void {
    const plan = this.store.find(order.uid, { orderId: order.planId });
    if (plan?.run === undefined || plan.status !== "live" || plan.run.nextAt !== undefined) return;
    if (!plan.orders.includes(order)) plan.orders.push(order);
    if (leftOf(plan).lte(ZERO)) this.plans.end(plan, "executed");
    else if (plan.kind === "iceberg" && order.status === "filled") plan.run.nextAt = this.state.now();
    else if (plan.kind !== "twap" || plan.run.parts <= 0) this.plans.end(plan, "cancelled");
  }
}

const secondsOf = ({ interval }: TwapParameters): number => Number.parseInt(interval, 10);

/** What a strategy has not traded yet, in base coin. */
const leftOf = ({ quantity = ZERO, orders }: Plan): Exact =>
  orders.reduce((left, { filledQuantity }) => left.minus(filledQuantity), quantity);

function triggeredOrder(strategy: Strategy): Pick<OrderRequest, "orderType" | "price"> {
  const [type, price] =
    strategy.kind === "oco"
      ? [strategy.params.ocoOrderType, strategy.params.ocoOrderPrice]
      : strategy.kind === "trailing_stop"
        ? [strategy.params.preOrderType, strategy.params.preOrderPrice]
        : [];
  return type === "limit" && price !== undefined
    ? { orderType: "limit", price: exact(price) }
    : { orderType: "market", price: undefined };
}
