import { MarketCourse } from "./course.js";
import { Purse } from "./funds/purse.js";
import { Liquidation } from "./margin/liquidation.js";
import { Backing } from "./orders/backing.js";
import { Closers } from "./orders/closers.js";
import { OrderDesk } from "./orders/desk.js";
import { OrderEntry } from "./orders/entry.js";
import { Executor } from "./orders/execution.js";
import { Matching } from "./orders/matching.js";
import { SpotSettlement } from "./orders/spotSettlement.js";
import { PlanDesk } from "./plans/planDesk.js";
import { PlanStore } from "./plans/planStore.js";
import { PlanWatch } from "./plans/planWatch.js";
import { Presets } from "./plans/presets.js";
import { Collateral } from "./positions/collateral.js";
import { ForcedClosing } from "./positions/forcedClosing.js";
import { FundingPayments } from "./positions/fundingPayments.js";
import { FuturesSettlement } from "./positions/futuresSettlement.js";
import { Settings } from "./settings.js";
import type { State } from "./state.js";
import type { Course } from "./timeline.js";

/** The rules of trading, put together over one state. */
export interface Trading {
  readonly desk: OrderDesk;
  readonly orders: OrderEntry;
  readonly plans: PlanDesk;
  readonly planStore: PlanStore;
  readonly settings: Settings;
  readonly course: Course;
}

/** Composes everything that trades over one state. */
export function tradingOver(state: State): Trading {
  const desk = new OrderDesk(state);
  const purse = new Purse(state, desk);
  const collateral = new Collateral(state, purse);
  const closers = new Closers(state, desk);
  const futures = new FuturesSettlement(state, desk, collateral);
  const executor = new Executor(state, new SpotSettlement(state, desk), futures, desk);
  const matching = new Matching(state, desk, executor, closers);
  const orders = new OrderEntry(state, desk, matching, new Backing(state), closers);
  const planStore = new PlanStore();
  const plans = new PlanDesk(state, planStore, closers);
  new Presets(state, plans).attach();
  const forced = new ForcedClosing(state, desk, executor, closers);
  const course = new MarketCourse(
    state,
    matching,
    new PlanWatch(state, planStore, plans, orders, desk, closers),
    new Liquidation(state, desk, forced),
    new FundingPayments(state, collateral),
    forced,
  );
  return { desk, orders, plans, planStore, settings: new Settings(state, collateral), course };
}
