import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";

/** Maximum amounts: in money (USDT), and in coins by name in capitals. A missing one is unlimited. */
export interface AmountLimit {
  readonly value?: DecimalText | undefined;
  readonly coins: ReadonlyMap<string, DecimalText>;
}

/** Limits of one account, or one client. A missing one is unlimited. */
export interface TradingLimits {
  readonly categories?: ReadonlySet<ProductCategory> | undefined;
  /** In capitals. */
  readonly symbols?: ReadonlySet<string> | undefined;
  /** Maximum distance of an order's price from the last price, in either direction, as a fraction. */
  readonly priceBand?: DecimalText | undefined;
  readonly ordersPerSecond?: number | undefined;
  readonly order?: AmountLimit | undefined;
  readonly open?: AmountLimit | undefined;
  /** From midnight to midnight, UTC. */
  readonly day?: AmountLimit | undefined;
}

/** The limits of accounts by name, and of clients by principal. `*` applies to each one that is not named. */
export interface LimitBook {
  readonly accounts: ReadonlyMap<string, TradingLimits>;
  readonly clients: ReadonlyMap<string, TradingLimits>;
}

export const NO_LIMITS: LimitBook = { accounts: new Map(), clients: new Map() };

/** Limits that apply to a write, with their subject and their path in the file. */
export interface AppliedLimits {
  readonly kind: "account" | "client";
  /** The subject of the figures: the user of the exchange, or the client's principal. */
  readonly whose: string;
  /** For example `accounts.main`. */
  readonly path: string;
  readonly limits: TradingLimits;
}

/** The entry that applies to a name: its own, otherwise that of all others, if there is one. */
export function entryOf(of: ReadonlyMap<string, TradingLimits>, name: string): string | undefined {
  const entry = of.has(name) ? name : "*";
  return of.has(entry) ? entry : undefined;
}

/** Whether any of these limits is in money, so that writes have to be valued. */
export const boundsMoney = (applied: readonly AppliedLimits[]): boolean =>
  applied.some(({ limits: { order, open, day } }) => [order, open, day].some((one) => one?.value !== undefined));
