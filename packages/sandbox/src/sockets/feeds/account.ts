import {
  accountChannel,
  classicEquityChannel,
  classicFuturesAccountChannel,
  classicSpotAccountChannel,
} from "@exchange-graph/contract/channels/account";
import { plain } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { marginCoinsOf } from "../../handlers/wire/futuresAccount.js";
import { tradingWallet } from "../../world/funds/wallets.js";
import { type Wallet, walletOf, ZERO } from "../../world/ledger.js";
import type { State } from "../../world/state.js";
import type { WorldEvent } from "../../world/worldEvents.js";
import { futuresAccount, futuresEquity, spotCoin, unifiedAccount } from "../wire/account.js";
import { classicFuturesFeed, classicFuturesWholeFeed, classicSpotFeed, type FeedScope, unifiedFeed } from "./accountFeed.js";
import type { MarketSource, TopicFeed } from "./topicFeed.js";

/** Balances of accounts, as of the end of the call that changed them. */
export const accountFeeds = (state: State): readonly TopicFeed[] => [
  unifiedFeed(accountChannel, (uid) => new UnifiedAccount(state, uid)),
  classicSpotFeed(state, classicSpotAccountChannel, ({ uid, covers }) => new SpotCoins(state, uid, covers)),
  classicFuturesFeed(
    state,
    classicFuturesAccountChannel,
    ({ uid, covers, category }) => new FuturesAccounts(state, uid, category, covers),
  ),
  classicFuturesWholeFeed(classicEquityChannel, (uid, category) => new FuturesEquity(state, uid, category)),
];

/** The account with all its coins, including those whose balance has just become zero. */
class UnifiedAccount implements MarketSource {
  readonly #changed = new Set<string>();
  #hasChanged = false;

  constructor(
    private readonly state: State,
    private readonly uid: string,
  ) {}

  opening(): string {
    return JSON.stringify([unifiedAccount(this.state, this.uid, new Set())]);
  }

  notice(event: WorldEvent): undefined {
    if (event.kind === "position" && event.position.uid === this.uid) {
      this.#hasChanged = true;
    } else if (event.kind === "balance" && event.wallet === walletOf(this.uid, "unified")) {
      this.#hasChanged = true;
      this.#changed.add(event.coin);
    }
    return undefined;
  }

  advance(): string | undefined {
    if (!this.#hasChanged) return undefined;
    const data = JSON.stringify([unifiedAccount(this.state, this.uid, this.#changed)]);
    this.#hasChanged = false;
    this.#changed.clear();
    return data;
  }
}

/** All coins with a balance, then those whose balance has changed. */
class SpotCoins implements MarketSource {
  readonly #wallet: Wallet;
  /** Balance of each coin in the last push. */
  readonly #held = new Map<string, string>();
  readonly #touched = new Set<string>();

  constructor(
    private readonly state: State,
    private readonly uid: string,
    private readonly covers: FeedScope,
  ) {
    this.#wallet = walletOf(uid, "spot");
    for (const [coin] of state.ledger.coins(this.#wallet)) this.#held.set(coin, this.#amount(coin));
  }

  opening(): string {
    const coins = this.state.ledger.coins(this.#wallet).map(([coin]) => coin);
    return this.#written(coins.filter((coin) => this.covers(coin) && !this.state.ledger.held(this.#wallet, coin).eq(ZERO)));
  }

  notice(event: WorldEvent): undefined {
    if (event.kind === "balance" && event.wallet === this.#wallet && this.covers(event.coin)) this.#touched.add(event.coin);
    return undefined;
  }

  /** Coins that are only reserved for an order, or released, are omitted. */
  advance(): string | undefined {
    const changed = [...this.#touched].filter((coin) => this.#held.get(coin) !== this.#amount(coin));
    this.#touched.clear();
    for (const coin of changed) this.#held.set(coin, this.#amount(coin));
    return changed.length === 0 ? undefined : this.#written(changed);
  }

  #amount(coin: string): string {
    return plain(this.state.ledger.held(this.#wallet, coin));
  }

  #written(coins: readonly string[]): string {
    return JSON.stringify(coins.map((coin) => spotCoin(this.state, this.uid, coin)));
  }
}

/** The futures accounts of a category, then those that have changed. */
class FuturesAccounts implements MarketSource {
  readonly #changed = new Set<string>();

  constructor(
    private readonly state: State,
    private readonly uid: string,
    private readonly category: FuturesCategory,
    private readonly covers: FeedScope,
  ) {}

  opening(): string {
    return this.#written(marginCoinsOf(this.state, this.category).filter(this.covers));
  }

  notice(event: WorldEvent): undefined {
    const coin = marginCoinOf(event, this.state, this.uid, this.category);
    if (coin !== undefined && this.covers(coin)) this.#changed.add(coin);
    return undefined;
  }

  advance(): string | undefined {
    if (this.#changed.size === 0) return undefined;
    const coins = [...this.#changed];
    this.#changed.clear();
    return this.#written(coins);
  }

  #written(coins: readonly string[]): string {
    return JSON.stringify(coins.map((coin) => futuresAccount(this.state, this.uid, this.category, coin)));
  }
}

/** Total value of the futures accounts of a category. */
class FuturesEquity implements MarketSource {
  #hasChanged = false;

  constructor(
    private readonly state: State,
    private readonly uid: string,
    private readonly category: FuturesCategory,
  ) {}

  opening(): string {
    return JSON.stringify([futuresEquity(this.state, this.uid, this.category)]);
  }

  notice(event: WorldEvent): undefined {
    if (marginCoinOf(event, this.state, this.uid, this.category) !== undefined) this.#hasChanged = true;
    return undefined;
  }

  advance(): string | undefined {
    if (!this.#hasChanged) return undefined;
    this.#hasChanged = false;
    return this.opening();
  }
}

/** The margin coin of the futures account that an event is about. */
function marginCoinOf(event: WorldEvent, state: State, uid: string, category: FuturesCategory): string | undefined {
  if (event.kind === "position") {
    const { position } = event;
    return position.uid === uid && position.category === category ? position.marginCoin : undefined;
  }
  const wallet = tradingWallet(state.accounts.of(uid), category);
  return event.kind === "balance" && event.wallet === wallet ? event.coin : undefined;
}
