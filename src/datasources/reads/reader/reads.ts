import type { Market } from "@exchange-graph/contract/channels/arguments";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { MarketCategory } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import type { Validity } from "../cache/sharedCache.js";
import type { Call } from "./call.js";

/** The reads of one request, as queries use them. Implemented by `RequestReads`. */
export interface Reads {
  /** An account that signs public calls which the exchange answers only if signed. */
  readonly signer: ExchangeAccount | undefined;
  /** The exchange's time, Unix ms. */
  now(): number;
  /**
   * Reads an endpoint, for an account if it is private. `argumentNames` has the graph's names of parameters, for errors. Throws
   * `Fault`.
   */
  read<P extends ParameterSet, D>(
    endpoint: Endpoint<P, D>,
    values: Values<P>,
    account?: ExchangeAccount,
    argumentNames?: Readonly<Record<string, string>>,
  ): Promise<D>;
  /**
   * Reads data that is valid for one caller, such as a quotation: the answer is not shared, not even within the request. Throws
   * `Fault`.
   */
  readAlone<P extends ParameterSet, D>(
    endpoint: Endpoint<P, D>,
    values: Values<P>,
    account?: ExchangeAccount,
    argumentNames?: Readonly<Record<string, string>>,
  ): Promise<D>;
  /** The ticker of a symbol from its stream; undefined if the stream is not live. */
  liveTicker(category: MarketCategory, symbol: string): Ticker | undefined;
  /** What the account is in the identities of its lists: the exchange's user once it is known, and its name. */
  identitiesOf(account: ExchangeAccount): readonly [string, ...string[]];
  /** The account's mode. Throws `Fault` if it cannot be read. */
  modeOf(account: ExchangeAccount): Promise<AccountMode>;
  /** Throws `ACCOUNT_MODE_MISMATCH` if the account has the other mode. `what` is the feature that it lacks. */
  demand(account: ExchangeAccount, mode: AccountMode, what: string): Promise<void>;
}

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
