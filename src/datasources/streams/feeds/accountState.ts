import { classicSpotAssets, type SpotBalance } from "@exchange-graph/contract/asset";
import {
  accountChannel,
  classicFuturesAccountChannel,
  classicSpotAccountChannel,
  type StreamedAssets,
  type StreamedFuturesAccount,
} from "@exchange-graph/contract/channels/account";
import type { Push } from "@exchange-graph/contract/channels/channel";
import { isRead, mapRows, rowsRead } from "@exchange-graph/contract/rows";
import { withCategory } from "@exchange-graph/contract/trading";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../accounts/accountModes.js";
import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { readUnifiedAssets } from "../../queries/balances.js";
import { readFuturesAccounts } from "../../queries/futuresAccounts.js";
import type { RequestReads } from "../../requestReads.js";
import { type ReadRows, readRows } from "../reconcile.js";
import type { Change } from "./feed.js";
import { NOTHING_MISSED, type PrivateState, source } from "./privateFeed.js";

/** What an account holds. Of a Classic account an update has the balances that changed, and those alone. */
export interface AccountHoldings {
  /** The unified account as a whole; null on a Classic account. */
  readonly unified: StreamedAssets | null;
  /** Classic spot balances, one per coin. */
  readonly spot: readonly SpotBalance[];
  /** Classic futures wallets, one per category and margin coin. */
  readonly futures: readonly StreamedFuturesAccount[];
}

const NONE: AccountHoldings = { unified: null, spot: [], futures: [] };

/** What an account holds: all of it first, then what changes. */
export const accountState = (account: ExchangeAccount, mode: AccountMode): PrivateState<AccountHoldings> =>
  mode === "UNIFIED" ? unifiedState(account) : classicState(account);

function unifiedState(account: ExchangeAccount): PrivateState<AccountHoldings> {
  let assets: StreamedAssets | undefined;
  let toldAt = 0;
  let hasPush = false;
  const accept = ([pushed]: readonly StreamedAssets[], push: Push, isWhole: boolean): Change<AccountHoldings> | undefined => {
    // While one connection takes over from another the older message may come last.
    if (pushed === undefined || (push.time !== null && push.time < toldAt)) return undefined;
    toldAt = push.time ?? toldAt;
    hasPush = true;
    assets = (push.action === "snapshot" && isWhole) || assets === undefined ? pushed : withCoins(assets, pushed);
    return { kind: "update", value: { ...NONE, unified: assets } };
  };
  return {
    sources: [source(accountChannel, {}, accept)],
    current: () => (assets === undefined ? undefined : { ...NONE, unified: assets }),
    unchanged: () => ({ ...NONE, unified: assets ?? null }),
    async reconcile(reads: RequestReads) {
      hasPush = false;
      const read = await readUnifiedAssets(reads, account);
      if (hasPush) return NOTHING_MISSED;
      assets = { ...read, assets: mapRows(read.assets, (asset) => ({ ...asset, borrowed: null })) };
      return { change: { kind: "snapshot", value: { ...NONE, unified: assets } }, isWhole: read.assets.every(isRead) };
    },
  };
}

/** A push may name the changed coins alone: the others stand. So do those whose change could not be read. */
function withCoins(known: StreamedAssets, pushed: StreamedAssets): StreamedAssets {
  const coins = new Map(known.assets.map((asset, at) => [coinOf(asset) ?? at, asset]));
  for (const asset of rowsRead(pushed.assets)) coins.set(asset.coin, asset);
  return { ...pushed, assets: [...coins.values()] };
}

const coinOf = (asset: StreamedAssets["assets"][number]): string | undefined => (isRead(asset) ? asset.coin : asset.rowId);

function classicState(account: ExchangeAccount): PrivateState<AccountHoldings> {
  const spot = new Map<string, SpotBalance>();
  const futures = new Map<string, StreamedFuturesAccount>();
  /** What was pushed while the lists were being read: there the push is the newer word. */
  const pushed = new Set<string>();
  const walletKey = ({ categoryRaw, marginCoin }: StreamedFuturesAccount) => `${categoryRaw} ${marginCoin}`;
  const all = (): AccountHoldings => ({ unified: null, spot: [...spot.values()], futures: [...futures.values()] });

  const acceptSpot = (balances: readonly SpotBalance[]): Change<AccountHoldings> => {
    for (const balance of balances) {
      spot.set(balance.coin, balance);
      pushed.add(balance.coin);
    }
    return { kind: "update", value: { ...NONE, spot: balances } };
  };
  const acceptFutures = (wallets: readonly StreamedFuturesAccount[]): Change<AccountHoldings> => {
    for (const wallet of wallets) {
      futures.set(walletKey(wallet), wallet);
      pushed.add(walletKey(wallet));
    }
    return { kind: "update", value: { ...NONE, futures: wallets } };
  };
  return {
    sources: [
      source(classicSpotAccountChannel, {}, acceptSpot),
      ...FUTURES_CATEGORIES.map((category) => source(classicFuturesAccountChannel, { category }, acceptFutures)),
    ],
    current: all,
    unchanged: () => NONE,
    async reconcile(reads: RequestReads) {
      pushed.clear();
      const [balances, ...wallets] = await Promise.all([
        reads.read(classicSpotAssets, {}, account),
        ...FUTURES_CATEGORIES.map(async (category) =>
          mapRows(await readFuturesAccounts(reads, account, category), (wallet) => withCategory(category, wallet)),
        ),
      ]);
      const [coins, held] = [readRows(balances), readRows<StreamedFuturesAccount>(wallets.flat())];
      takeRead(spot, coins, ({ coin }) => coin, pushed);
      takeRead(futures, held, walletKey, pushed);
      return { change: { kind: "snapshot", value: all() }, isWhole: coins.isWhole && held.isWhole };
    },
  };
}

/** What was read replaces what was known, but for what was pushed since, and what may be a row that could not be read. */
function takeRead<R>(
  known: Map<string, R>,
  { rows, isWhole }: ReadRows<R>,
  keyOf: (row: R) => string,
  pushed: ReadonlySet<string>,
): void {
  if (isWhole) for (const key of [...known.keys()]) if (!pushed.has(key)) known.delete(key);
  for (const row of rows) if (!pushed.has(keyOf(row))) known.set(keyOf(row), row);
}
