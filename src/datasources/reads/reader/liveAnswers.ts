import type { Market } from "@exchange-graph/contract/channels/arguments";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { Validity } from "../cache/sharedCache.js";
import type { Call } from "./call.js";

/** An answer from live streams, without a call. */
export interface LiveAnswer {
  readonly value: unknown;
  /** Maximum age, in ms. 0: every change is pushed. */
  readonly ageMs: number;
  /**
   * When the account's lists behind the answer were last compared with the exchange: the earliest of these times, exchange's time,
   * Unix ms. Undefined for market data.
   */
  readonly comparedAt?: number | undefined;
  readonly validity: Validity;
}

/** Answers of endpoints whose data the exchange pushes. */
export interface LiveAnswers {
  /** The current answer; undefined if it is not proven. The call counts as a use. */
  answer<P extends ParameterSet, D>(call: Call<P, D>): LiveAnswer | undefined;
  /**
   * For a list of what has ended, which grows only with the account's state: keeps what is read from now on, to answer with while that
   * state is unchanged. Undefined for other calls, and if the state is not proven.
   */
  keeping<P extends ParameterSet, D>(call: Call<P, D>): ((value: D) => void) | undefined;
  /** The ticker of one symbol. No endpoint is called for a single one, because lists of a category are shared. */
  ticker(market: Market): (LiveAnswer & { readonly value: Ticker }) | undefined;
}
