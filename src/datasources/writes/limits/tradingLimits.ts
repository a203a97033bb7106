import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";

/** The most of something: in money (USDT), and in coins by their names in capitals. What is left out has no bound. */
export interface AmountLimit {
  readonly value?: DecimalText | undefined;
  readonly coins: ReadonlyMap<string, DecimalText>;
}

/** What one account, or one client, keeps to. What is left out has no bound. */
export interface TradingLimits {
  readonly categories?: ReadonlySet<ProductCategory> | undefined;
  /** In capitals. */
  readonly symbols?: ReadonlySet<string> | undefined;
  /** How far from the last price an order may be priced, either way, as a fraction. */
  readonly priceBand?: DecimalText | undefined;
  readonly ordersPerSecond?: number | undefined;
  readonly order?: AmountLimit | undefined;
  readonly open?: AmountLimit | undefined;
  /** From midnight to midnight, UTC. */
  readonly day?: AmountLimit | undefined;
}

/** The limits of accounts by their names, and of clients by their principals. `*` is each one that is not named. */
export interface LimitBook {
  readonly accounts: ReadonlyMap<string, TradingLimits>;
  readonly clients: ReadonlyMap<string, TradingLimits>;
}

/** Nothing is limited. */
export const NO_LIMITS: LimitBook = { accounts: new Map(), clients: new Map() };

/** Limits that apply to a write: whose they are, and where they stand in the file. */
export interface AppliedLimits {
  readonly kind: "account" | "client";
  /** Whose figures are held against them: the user of the exchange, or the client's principal. */
  readonly whose: string;
  /** For example `accounts.main`. */
  readonly path: string;
  readonly limits: TradingLimits;
}

/** The limits that hold for a write of this client to this account of the user. */
export function limitsFor(
  book: LimitBook,
  { user, account, client }: { readonly user: string; readonly account: string; readonly client: string },
): readonly AppliedLimits[] {
  const found = (kind: "account" | "client", of: LimitBook["accounts"], name: string, whose: string): AppliedLimits[] => {
    const entry = of.has(name) ? name : "*";
    const limits = of.get(entry);
    return limits === undefined ? [] : [{ kind, whose, path: `${kind}s.${entry}`, limits }];
  };
  return [...found("account", book.accounts, account, user), ...found("client", book.clients, client, client)];
}

/** Does any of these limits bound money? Then what is written has to be valued. */
export const boundsMoney = (applied: readonly AppliedLimits[]): boolean =>
  applied.some(({ limits: { order, open, day } }) => [order, open, day].some((one) => one?.value !== undefined));
