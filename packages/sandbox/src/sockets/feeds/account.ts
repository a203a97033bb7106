import {
  accountChannel,
  classicEquityChannel,
  classicFuturesAccountChannel,
  classicSpotAccountChannel,
} from "@exchange-graph/contract/channels/account";
import {
  classicPositionsChannel,
  classicPositionsHistoryChannel,
  positionChannel,
} from "@exchange-graph/contract/channels/position";
import { plain } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { marginCoinsOf } from "../../handlers/wire/futuresAccount.js";
import { pushedClosed } from "../../handlers/wire/position.js";
import { tradingWallet } from "../../world/funds/wallets.js";
import { walletOf, ZERO } from "../../world/ledger.js";
import type { Position } from "../../world/positions/position.js";
import type { State } from "../../world/state.js";
import type { WorldEvent } from "../../world/worldEvents.js";
import { futuresAccount, futuresEquity, spotCoin, unifiedAccount } from "../wire/account.js";
import { classicPosition, endedPosition, unifiedPosition } from "../wire/position.js";
import { ChangingState, classicFuturesFeed, classicSpotFeed, happenings } from "./accountFeed.js";
import { type MarketSource, type TopicFeed, wholeFeed } from "./topicFeed.js";

export const accountFeeds = (state: State): readonly TopicFeed[] => [
  wholeFeed(accountChannel, (uid) => unifiedAccounts(state, uid)),
  classicSpotFeed(state, classicSpotAccountChannel, ({ uid, covers }) => spotCoins(state, uid, covers)),
  // The accounts of a category, then those that have changed.
  classicFuturesFeed(state, classicFuturesAccountChannel, ({ uid, covers, category }) => {
    const coinOf = marginCoinOf(state, uid, category);
    return new ChangingState(
      (event) => {
        const coin = coinOf(event);
        return coin !== undefined && covers(coin) ? [coin, coin] : undefined;
      },
      (changed = marginCoinsOf(state, category).filter(covers)) =>
        changed.map((coin) => futuresAccount(state, uid, category, coin)),
    );
  }),
  // Their total value.
  wholeFeed(classicEquityChannel, (uid, { category }) => {
    const coinOf = marginCoinOf(state, uid, category);
    return new ChangingState(
      (event) => (coinOf(event) === undefined ? undefined : ["all", undefined]),
      () => [futuresEquity(state, uid, category)],
    );
  }),
];

/** The account with all its coins, including those whose balance has just become zero. */
const unifiedAccounts = (state: State, uid: string): MarketSource =>
  new ChangingState<string | undefined>(
    (event) => {
      if (event.kind === "position" && event.position.uid === uid) return ["positions", undefined];
      const isOwn = event.kind === "balance" && event.wallet === walletOf(uid, "unified");
      return isOwn ? [`coin ${event.coin}`, event.coin] : undefined;
    },
    (changed = []) => [unifiedAccount(state, uid, new Set(changed.filter((coin) => coin !== undefined)))],
  );

/** All coins with a balance, then those whose balance has changed. Coins that are only reserved for an order are omitted. */
function spotCoins(state: State, uid: string, covers: (coin: string) => boolean): MarketSource {
  const { ledger } = state;
  const wallet = walletOf(uid, "spot");
  const coins = () => ledger.coins(wallet).map(([coin]) => coin);
  const balanceOf = (coin: string): string => plain(ledger.held(wallet, coin));
  /** Balance of each coin in the last push. */
  const pushed = new Map(coins().map((coin) => [coin, balanceOf(coin)]));
  return new ChangingState<string>(
    (event) => {
      const isMeant = event.kind === "balance" && event.wallet === wallet && covers(event.coin);
      return isMeant ? [event.coin, event.coin] : undefined;
    },
    (changed) => {
      const shown =
        changed?.filter((coin) => pushed.get(coin) !== balanceOf(coin)) ??
        coins().filter((coin) => covers(coin) && !ledger.held(wallet, coin).eq(ZERO));
      if (changed !== undefined) for (const coin of shown) pushed.set(coin, balanceOf(coin));
      return changed !== undefined && shown.length === 0 ? undefined : shown.map((coin) => spotCoin(state, uid, coin));
    },
  );
}

/** The margin coin of the futures account that an event is about. */
const marginCoinOf =
  (state: State, uid: string, category: FuturesCategory) =>
  (event: WorldEvent): string | undefined => {
    if (event.kind === "position") {
      const { position } = event;
      return position.uid === uid && position.category === category ? position.marginCoin : undefined;
    }
    const wallet = tradingWallet(state.accounts.of(uid), category);
    return event.kind === "balance" && event.wallet === wallet ? event.coin : undefined;
  };

export const positionFeeds = (state: State): readonly TopicFeed[] => [
  // All positions, then those that have changed or ended.
  wholeFeed(
    positionChannel,
    (uid) =>
      new ChangingState<Position>(
        (event) =>
          event.kind === "position" && event.position.uid === uid ? [event.position.positionId, event.position] : undefined,
        (changed = [...state.positions.open(uid)]) =>
          changed.map((position) => (position.size.eq(ZERO) ? endedPosition(state, position) : unifiedPosition(state, position))),
      ),
  ),
  // Always all positions of the category: one that is missing from the list has ended.
  classicFuturesFeed(state, classicPositionsChannel, ({ uid, covers, category }) => {
    const isMeant = (position: Position) => position.uid === uid && position.category === category && covers(position.symbol);
    return new ChangingState(
      (event) => (event.kind === "position" && isMeant(event.position) ? ["all", undefined] : undefined),
      () => [...state.positions.open(uid)].filter(isMeant).map((position) => classicPosition(state, position)),
    );
  }),
  wholeFeed(classicPositionsHistoryChannel, (uid, { category }) =>
    happenings((event) => {
      const isMeant = event.kind === "positionClosed" && event.position.uid === uid && event.position.category === category;
      return isMeant ? pushedClosed(event.position) : undefined;
    }),
  ),
];
