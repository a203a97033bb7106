import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { HoldMode } from "../accounts.js";
import type { PastChange } from "../funds/financialRecords.js";
import type { State } from "../state.js";

/** The initial state of the world, from which histories are created at any later time. */
export interface InitialState extends Pick<State, "markets" | "orders" | "positions" | "ids"> {
  /** Changes of balances by what is entered. */
  readonly changes: PastChange[];
  readonly uid: string;
  /** Unix ms. */
  readonly began: number;
  readonly holdModes: Readonly<Record<FuturesCategory, HoldMode>>;
  readonly isUnified: boolean;
}
