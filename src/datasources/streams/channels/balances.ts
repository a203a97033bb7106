import { classicSpotAssets, fundingAssets, type SpotBalance, unifiedAssets } from "@exchange-graph/contract/asset";
import {
  accountChannel,
  classicFuturesAccountChannel,
  classicSpotAccountChannel,
  type StreamedAssets,
  type StreamedFuturesAccount,
} from "@exchange-graph/contract/channels/account";
import type { Push } from "@exchange-graph/contract/channels/channel";
import { convertCurrencies } from "@exchange-graph/contract/convert";
import { isZero } from "@exchange-graph/contract/decimal";
import { isRead, mapRows } from "@exchange-graph/contract/rows";
import { withCategory } from "@exchange-graph/contract/trading";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import {
  FUTURES_POSITIONS,
  FUTURES_WALLETS,
  type RequestReads,
  readFuturesAccounts,
  readUnifiedAssets,
  SPOT_TRADING,
} from "../../reads/index.js";
import { isLate } from "../feeds/channelFeed.js";
import type { FeedChange } from "../feeds/feed.js";
import { type PrivateState, source } from "../feeds/privateState.js";
import { readRows } from "../reconcile.js";
import { type AccountHoldings, ClassicHoldings, type HeldFuturesAccount, UnifiedHoldings } from "../state/holdings.js";
import { CLASSIC_BALANCE_PARTS, WHOLE } from "../state/kinds.js";
import { privateChannel } from "./channel.js";

const NONE: AccountHoldings = { unified: null, spot: [], futures: [] };

/** Holdings of an account: all of them first, then changes. */
export const accountState = (account: ExchangeAccount, mode: AccountMode): PrivateState<AccountHoldings> =>
  mode === "UNIFIED" ? unifiedState(account) : classicState(account);

function unifiedState(account: ExchangeAccount): PrivateState<AccountHoldings> {
  const held = new UnifiedHoldings();
  let pushedAt = 0;
  const accept = ([pushed]: readonly StreamedAssets[], push: Push, isWhole: boolean): FeedChange<AccountHoldings> | undefined => {
    // While one connection replaces another, the older message may arrive last.
    if (pushed === undefined || isLate(push.time, pushedAt)) return undefined;
    pushedAt = push.time ?? pushedAt;
    const unified = held.pushed(pushed, push.action === "snapshot" && isWhole);
    return { kind: "update", value: { ...NONE, unified } };
  };
  const current = () => (held.assets === undefined ? undefined : { ...NONE, unified: held.assets });
  return {
    sources: [source(accountChannel, {}, [unifiedAssets, fundingAssets, convertCurrencies], accept)],
    current,
    queryState: current,
    parts: [WHOLE],
    hasOpen: () => true,
    partialParts: () => (held.isPartial ? [WHOLE] : []),
    unchanged: () => ({ ...NONE, unified: held.assets ?? null }),
    async read(reads: RequestReads) {
      const began = held.beginReading();
      const read = await readUnifiedAssets(reads, account);
      return () => {
        const unified = held.read(read, began);
        return { change: { kind: "snapshot", value: { ...NONE, unified } }, isWhole: read.assets.every(isRead) };
      };
    },
  };
}

function classicState(account: ExchangeAccount): PrivateState<AccountHoldings> {
  const held = new ClassicHoldings();
  const acceptSpot = (balances: readonly SpotBalance[]): FeedChange<AccountHoldings> => ({
    kind: "update",
    value: { ...NONE, spot: held.pushedSpot(balances) },
  });
  const acceptFutures = (wallets: readonly StreamedFuturesAccount[]): FeedChange<AccountHoldings> => ({
    kind: "update",
    value: { ...NONE, futures: held.pushedFutures(wallets) },
  });
  return {
    sources: [
      source(classicSpotAccountChannel, {}, SPOT_TRADING, acceptSpot),
      ...FUTURES_CATEGORIES.map((category) =>
        source(classicFuturesAccountChannel, { category }, [...FUTURES_POSITIONS, ...FUTURES_WALLETS], acceptFutures),
      ),
    ],
    current: () => held.all,
    queryState: () => held.all,
    parts: CLASSIC_BALANCE_PARTS,
    hasOpen: (part) =>
      part === "SPOT"
        ? held.all.spot.length > 0
        : held.all.futures.some(({ categoryRaw, available }) => categoryRaw === part && available !== null && !isZero(available)),
    partialParts: () => held.partialParts,
    unchanged: () => NONE,
    async read(reads: RequestReads, _since, parts) {
      const began = held.beginReading(parts);
      const categories = FUTURES_CATEGORIES.filter((category) => parts.includes(category));
      const [balances, ...lists] = await Promise.all([
        parts.includes("SPOT") ? reads.read(classicSpotAssets, {}, account).then(readRows) : undefined,
        ...categories.map(async (category) =>
          readRows<HeldFuturesAccount>(
            mapRows(await readFuturesAccounts(reads, account, category), (wallet) => withCategory(category, wallet)),
          ),
        ),
      ]);
      return () => {
        if (balances !== undefined) held.readSpot(balances.rows, balances.isWhole, began);
        for (const [at, category] of categories.entries()) {
          const list = lists[at];
          if (list !== undefined) held.readFutures(category, list.rows, list.isWhole, began);
        }
        const isWhole = balances?.isWhole !== false && lists.every((list) => list.isWhole);
        return { change: { kind: "snapshot", value: held.all }, isWhole };
      };
    },
  };
}

export const accountUpdates = privateChannel(() => accountState);
