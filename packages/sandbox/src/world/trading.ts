import { Settings } from "./accountSettings.js";
import { Liquidation } from "./margin/liquidation.js";
import { worstPrices } from "./margin/prices.js";
import { isSafe } from "./margin/risk.js";
import type { Market } from "./market/market.js";
import { lastTickOf, type Stretch, stretchOf } from "./market/path.js";
import { onAccountChange } from "./moments.js";
import { Backing } from "./orders/backing.js";
import { Closers } from "./orders/closers.js";
import { Executor } from "./orders/execution.js";
import { Matching } from "./orders/matching.js";
import { OrderEntry } from "./orders/orderEntry.js";
import { OrderService } from "./orders/orderService.js";
import { PlanService } from "./plans/planService.js";
import { PlanStore } from "./plans/planStore.js";
import { PlanWatch } from "./plans/planWatch.js";
import { activatePresets } from "./plans/presets.js";
import { Strategies } from "./plans/strategies.js";
import { ForcedClosing } from "./positions/forcedClosing.js";
import { settleFunding } from "./positions/fundingPayments.js";
import { FuturesSettlement } from "./positions/futuresSettlement.js";
import { PositionMargin } from "./positions/positionMargin.js";
import type { State } from "./state.js";
import type { Course } from "./worldTime.js";

/** Margin is checked once a second. */
const REVIEW_TICKS = 5;

/** Effects of market moves on orders, trigger orders and positions. */
class MarketCourse implements Course {
  /** The tick until which an account is safe unless it changes. */
  readonly #safeUntil = new Map<string, number>();

  constructor(
    private readonly state: State,
    private readonly matching: Matching,
    private readonly plans: PlanWatch,
    private readonly liquidation: Liquidation,
    private readonly collateral: PositionMargin,
    private readonly forced: ForcedClosing,
  ) {
    onAccountChange(state.ledger, state.events, (uid) => this.#safeUntil.delete(uid));
  }

  isQuiet(stretch: Stretch): boolean {
    if (this.state.markets.all.some((market) => this.#isHot(market, stretch))) return false;
    return this.#atStake().every((uid) => this.#isSafe(uid, stretch));
  }

  tick(tick: number): void {
    for (const market of this.state.markets.all) {
      if (!market.orders.isEmpty) this.matching.sweep(market);
      this.plans.review(market);
    }
    if (tick % REVIEW_TICKS !== 0) return;
    const minute = stretchOf("minute", tick);
    for (const uid of this.#atStake()) if (!this.#isSafe(uid, minute)) this.liquidation.review(uid);
  }

  hour(at: number): void {
    const { markets, positions, debts } = this.state;
    settleFunding(this.state, this.collateral, at);
    debts.accrue();
    for (const position of positions.all()) {
      const { listing } = markets.of(position.category, position.symbol);
      const delivery = listing.instrument.contract?.delivery;
      if (delivery === undefined || delivery.time > at) continue;
      this.forced.close(position, listing.price(markets.tick, "index"), "delivery");
    }
  }

  /** Whether the prices of a period can reach an order or a trigger order on this market. */
  #isHot(market: Market, stretch: Stretch): boolean {
    if (this.plans.isHot(market, stretch)) return true;
    if (market.orders.isEmpty) return false;
    const { low, high } = market.listing.range(stretch);
    const bid = market.orders.best("buy");
    const ask = market.orders.best("sell");
    return (bid !== undefined && bid.steps >= low) || (ask !== undefined && ask.steps <= high);
  }

  #atStake(): readonly string[] {
    return [...new Set([...this.state.positions.owners(), ...this.state.debts.owners()])];
  }

  #isSafe(uid: string, stretch: Stretch): boolean {
    const last = lastTickOf(stretch);
    if ((this.#safeUntil.get(uid) ?? 0) >= last) return true;
    if (!isSafe(this.state, uid, worstPrices(this.state, stretch))) return false;
    this.#safeUntil.set(uid, last);
    return true;
  }
}

/** The trading rules over one state. */
export interface Trading {
  readonly service: OrderService;
  readonly orders: OrderEntry;
  readonly plans: PlanService;
  readonly planStore: PlanStore;
  readonly strategies: Strategies;
  readonly settings: Settings;
  readonly course: Course;
}

export function tradingOver(state: State): Trading {
  const service = new OrderService(state);
  const collateral = new PositionMargin(state, service);
  const closers = new Closers(state, service);
  const futures = new FuturesSettlement(state, service, collateral);
  const executor = new Executor(state, futures, service);
  const matching = new Matching(state, service, executor, closers);
  const orders = new OrderEntry(state, service, matching, new Backing(state), closers);
  const planStore = new PlanStore(state.pasts);
  const plans = new PlanService(state, planStore, service);
  const strategies = new Strategies(state, planStore, plans, orders, service);
  activatePresets(state, plans);
  const forced = new ForcedClosing(state, service, executor, closers);
  const course = new MarketCourse(
    state,
    matching,
    new PlanWatch(state, planStore, plans, orders, service, closers, strategies),
    new Liquidation(state, service, forced),
    collateral,
    forced,
  );
  return { service, orders, plans, planStore, strategies, settings: new Settings(state, collateral), course };
}
