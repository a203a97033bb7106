import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { MarketCategory } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../accounts/exchangeAccount.js";

/** What a query reads with, on behalf of one request. `RequestReads` is what stands behind it. */
export interface Reads {
  /** Signs calls that are about no account, and that the exchange answers only when somebody signs. */
  readonly signer: ExchangeAccount | undefined;
  /** The exchange's time, Unix ms. */
  now(): number;
  /**
   * Reads an endpoint, for an account if it is private. `argumentNames` gives the graph's names of parameters, for
   * refusals. Throws `Fault`.
   */
  read<P extends ParameterSet, D>(
    endpoint: Endpoint<P, D>,
    values: Values<P>,
    account?: ExchangeAccount,
    argumentNames?: Readonly<Record<string, string>>,
  ): Promise<D>;
  /**
   * Reads what is good for one taker, such as a quotation: no answer is shared, not even within the request. Throws
   * `Fault`.
   */
  readAlone<P extends ParameterSet, D>(
    endpoint: Endpoint<P, D>,
    values: Values<P>,
    account?: ExchangeAccount,
    argumentNames?: Readonly<Record<string, string>>,
  ): Promise<D>;
  /** The ticker of a symbol out of its stream; nothing where that is not live. */
  liveTicker(category: MarketCategory, symbol: string): Ticker | undefined;
  /** The account's mode. Throws `Fault` when it cannot be found out. */
  modeOf(account: ExchangeAccount): Promise<AccountMode>;
  /** Throws `ACCOUNT_MODE_MISMATCH` when the account is not of this API version. `what` names the thing that it lacks. */
  demand(account: ExchangeAccount, mode: AccountMode, what: string): Promise<void>;
}
