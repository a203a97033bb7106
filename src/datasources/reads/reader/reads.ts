import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { MarketCategory } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";

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
