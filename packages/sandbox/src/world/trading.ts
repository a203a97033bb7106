import { Settings } from "./accountSettings.js";
import { MarketCourse } from "./course.js";
import { Purse } from "./funds/purse.js";
import { Liquidation } from "./margin/liquidation.js";
import { Backing } from "./orders/backing.js";
import { Closers } from "./orders/closers.js";
import { Executor } from "./orders/execution.js";
import { Matching } from "./orders/matching.js";
import { OrderEntry } from "./orders/orderEntry.js";
import { OrderService } from "./orders/orderService.js";
import { SpotSettlement } from "./orders/spotSettlement.js";
import { PlanService } from "./plans/planService.js";
import { PlanStore } from "./plans/planStore.js";
import { PlanWatch } from "./plans/planWatch.js";
import { Presets } from "./plans/presets.js";
import { Strategies } from "./plans/strategies.js";
import { ForcedClosing } from "./positions/forcedClosing.js";
import { FundingPayments } from "./positions/fundingPayments.js";
import { FuturesSettlement } from "./positions/futuresSettlement.js";
import { PositionMargin } from "./positions/positionMargin.js";
import type { State } from "./state.js";
import type { Course } from "./worldTime.js";

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

/** Creates the trading rules over one state. */
export function tradingOver(state: State): Trading {
  const service = new OrderService(state);
  const purse = new Purse(state, service);
  const collateral = new PositionMargin(state, purse);
  const closers = new Closers(state, service);
  const futures = new FuturesSettlement(state, service, collateral);
  const executor = new Executor(state, new SpotSettlement(state, service), futures, service);
  const matching = new Matching(state, service, executor, closers);
  const orders = new OrderEntry(state, service, matching, new Backing(state), closers);
  const planStore = new PlanStore(state.pasts);
  const plans = new PlanService(state, planStore, closers, service);
  const strategies = new Strategies(state, planStore, plans, orders, service);
  new Presets(state, plans).attach();
  const forced = new ForcedClosing(state, service, executor, closers);
  const course = new MarketCourse(
    state,
    matching,
    new PlanWatch(state, planStore, plans, orders, service, closers, strategies),
    new Liquidation(state, service, forced),
    new FundingPayments(state, collateral),
    forced,
  );
  return { service, orders, plans, planStore, strategies, settings: new Settings(state, collateral), course };
}
