import type { StreamedOrder } from "@exchange-graph/contract/channels/order";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import type { Position } from "@exchange-graph/contract/position";
import type { CompleteFills } from "./fillLedger.js";
import type { AccountHoldings } from "./holdings.js";

/** The kinds of an account's state that queries are answered from. */
export interface LiveKinds {
  readonly orders: readonly StreamedOrder[];
  readonly fills: CompleteFills;
  readonly planOrders: readonly PlanOrder[];
  readonly positions: readonly Position[];
  readonly accountUpdates: AccountHoldings;
}
export type LiveKind = keyof LiveKinds;
export const LIVE_KINDS: ReadonlySet<LiveKind> = new Set(["orders", "fills", "planOrders", "positions", "accountUpdates"]);
