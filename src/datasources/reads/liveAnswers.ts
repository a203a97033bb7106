import type { Market } from "@exchange-graph/contract/channels/arguments";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { Validity } from "../cache/sharedCache.js";
import type { Call } from "./call.js";

/** An answer that is known without a call. */
export interface LiveAnswer {
  readonly value: unknown;
  /** How old it may be, ms. 0: whatever changes is pushed. */
  readonly ageMs: number;
  readonly validity: Validity;
}

/** Answers of endpoints whose data the exchange pushes. */
export interface LiveAnswers {
  /** The answer as it is at this moment; nothing where that is not proven. The call counts as interest in it. */
  answer<P extends ParameterSet, D>(call: Call<P, D>): LiveAnswer | undefined;
  /** The ticker of one symbol, which no call asks for by itself: lists of a whole category are shared. */
  ticker(market: Market): (LiveAnswer & { readonly value: Ticker }) | undefined;
}
