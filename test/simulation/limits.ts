import { type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import type { SandboxInMemory } from "@exchange-graph/sandbox";
import { usdtPrice } from "@exchange-graph/sandbox/world/state";
import type { LimitBook, TradingLimits } from "../../src/datasources/writes/limits/tradingLimits.js";
import { type ConfiguredAccounts, ownerOf, UIDS } from "./accounts.js";
import { CLIENTS } from "./actions.js";
import type { AuditedLimits } from "./auditor.js";
import type { Profile } from "./profile.js";

/** The file of limits as an operator keeps it: it names the accounts of now. */
export class ConfiguredLimits {
  #limits: TradingLimits;
  #forbidden: ReadonlySet<string> = new Set();

  constructor(
    private readonly profile: Profile,
    private readonly exchange: SandboxInMemory,
    private readonly accounts: ConfiguredAccounts,
  ) {
    this.#limits = limitsOf(profile, exchange);
  }

  get limits(): TradingLimits {
    return this.#limits;
  }

  /** Whom they apply to, as an auditor sees it. */
  get applied(): AuditedLimits {
    const { of } = this.profile.limits;
    return {
      users: new Map(of === "clients" ? [] : Object.values(UIDS).map((uid) => [uid, this.#limits])),
      clients: new Map(of === "accounts" ? [] : CLIENTS.map((name) => [name, this.#limits])),
    };
  }

  /** Other amounts: so many times those of the profile. */
  replace(times: number): void {
    this.#limits = limitsOf(this.profile, this.exchange, times);
  }

  get book(): LimitBook {
    const { of, isOneNamed } = this.profile.limits;
    const limited = this.accounts.all.filter((account) => !isOneNamed || !ownerOf(account).endsWith("2"));
    const symbols = this.#allowed;
    const limits = symbols === undefined ? this.limits : { ...this.limits, symbols };
    const entries = limited.map(({ name }) => [name, limits] as const);
    const others: readonly (readonly [string, TradingLimits])[] = symbols === undefined ? [] : [["*", { symbols }]];
    return {
      accounts: new Map([...others, ...(of === "clients" ? others : entries)]),
      clients: new Map(of === "accounts" ? [] : CLIENTS.map((name) => [name, this.limits])),
    };
  }

  forbid(symbol: string): void {
    this.#forbidden = new Set([...this.#forbidden, symbol]);
  }

  /** Symbols in which orders may be placed; undefined: in all. */
  get #allowed(): ReadonlySet<string> | undefined {
    if (this.#forbidden.size === 0) return undefined;
    const symbols = this.exchange.world.state.markets.all.map(({ listing }) => listing.instrument.symbol);
    return new Set(symbols.filter((symbol) => !this.#forbidden.has(symbol)));
  }
}

/** The limits of a profile, or so many times those. */
function limitsOf({ limits: { order, open, day, inCoins } }: Profile, exchange: SandboxInMemory, times = 1): TradingLimits {
  const amount = (of: number | undefined) => {
    if (of === undefined) return undefined;
    const value = Math.round(of * times);
    return { value: inCoins ? undefined : String(value), coins: inCoins ? coinsFor(value, exchange) : new Map() };
  };
  return { order: amount(order), open: amount(open), day: amount(day) };
}

const COINS = ["BTC", "ETH", "XRP", "USDT"] as const;
const COIN_PLACES = 4;

/** Amounts of the traded coins that are worth this much. */
const coinsFor = (value: number, { world: { state } }: SandboxInMemory): ReadonlyMap<string, string> =>
  new Map(
    COINS.map((coin) => [
      coin,
      plain(truncated(exact(String(value)).div(coin === "USDT" ? ONE : usdtPrice(state, coin)), COIN_PLACES)),
    ]),
  );
const ONE: Exact = exact("1");
