import type { SpotBalance, UnifiedAsset, UnifiedAssets } from "@exchange-graph/contract/asset";
import type { StreamedAssets, StreamedFuturesAccount } from "@exchange-graph/contract/channels/account";
import type { FuturesAccount } from "@exchange-graph/contract/futuresAccount";
import { isRead, mapRows, rowsRead } from "@exchange-graph/contract/rows";
import { isSame, type MergeRules, merged } from "./merge.js";

/** A futures account of a Classic account, with its category. */
export type HeldFuturesAccount = FuturesAccount & Pick<StreamedFuturesAccount, "category" | "categoryRaw">;

/** Holdings of an account. Of a Classic account an update contains the changed balances only. */
export interface AccountHoldings {
  /** The unified account; null on a Classic account. */
  readonly unified: StreamedAssets | null;
  /** Classic spot balances, one per coin. */
  readonly spot: readonly SpotBalance[];
  /** Classic futures accounts, one per category and margin coin. */
  readonly futures: readonly HeldFuturesAccount[];
}

const ALWAYS_SENT: MergeRules = { clearable: new Set(), restOnly: new Set() };

/** Figures of a unified account that pushes lack. */
const UNIFIED_REST_ONLY = [
  "equityUsdt",
  "equityBtc",
  "unrealisedPnlUsdt",
  "unrealisedPnlBtc",
  "positionValueUsd",
  "leverage",
] as const satisfies readonly (keyof UnifiedAssets)[];

/** Holdings of a unified account, merged from pushes and readings. */
export class UnifiedHoldings {
  #assets: StreamedAssets | undefined;
  /** Coins that were pushed during a reading: the push is newer. */
  readonly #pushed = new Set<string>();
  /** Whether there was such a push, and whether one contained all coins. */
  #hasPush = false;
  #hasAll = false;
  #isPartial = false;

  get assets(): StreamedAssets | undefined {
    return this.#assets;
  }

  /** Whether a push has changed figures that only a reading has. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  beginReading(): void {
    this.#pushed.clear();
    this.#hasPush = false;
    this.#hasAll = false;
    this.#isPartial = false;
  }

  /** A push may contain the changed coins only; the others are kept unless `isAll`. */
  pushed(pushed: StreamedAssets, isAll: boolean): StreamedAssets {
    const known = this.#assets;
    const coins = new Map(known?.assets.map((asset, at) => [coinOf(asset) ?? at, asset]));
    const news = rowsRead(pushed.assets).map((asset) => {
      const last = coins.get(asset.coin);
      return last !== undefined && isRead(last) ? merged(last, asset, "PUSH", ALWAYS_SENT) : asset;
    });
    if (isAll) coins.clear();
    for (const asset of news) coins.set(asset.coin, asset);
    const assets = [...coins.values()];
    const whole: StreamedAssets = { ...merged(known, { ...pushed, assets }, "PUSH", ALWAYS_SENT), assets };
    this.#hasPush = true;
    this.#hasAll ||= isAll;
    for (const { coin } of news) this.#pushed.add(coin);
    this.#isPartial ||= known === undefined || !isSame({ ...whole, assets: 0 }, { ...known, assets: 0 });
    this.#assets = whole;
    return whole;
  }

  /** Merges a reading. Coins that were pushed since it began are kept, with the figures that pushes lack. */
  read(read: UnifiedAssets): StreamedAssets {
    const known = this.#assets;
    const before = new Map(rowsRead(known?.assets ?? []).map((asset) => [asset.coin, asset]));
    const listed = mapRows(read.assets, (asset: UnifiedAsset) => ({
      ...asset,
      borrowed: before.get(asset.coin)?.borrowed ?? null,
    }));
    const isNewer = (asset: StreamedAssets["assets"][number]) => this.#hasAll || this.#pushed.has(coinOf(asset) ?? "");
    const pushed = (known?.assets ?? []).filter(isNewer);
    const assets = [...listed.filter((asset) => !isNewer(asset)), ...pushed];
    const figures = Object.fromEntries(UNIFIED_REST_ONLY.map((field) => [field, read[field]]));
    this.#assets = known === undefined || !this.#hasPush ? { ...read, assets } : { ...known, ...figures, assets };
    return this.#assets;
  }
}

const coinOf = (asset: StreamedAssets["assets"][number]): string | undefined => (isRead(asset) ? asset.coin : asset.rowId);

/** Figures of a futures account that pushes lack. */
const FUTURES_REST_ONLY = {
  isolatedMaxAvailable: null,
  equityBtc: null,
  bonus: null,
  isolatedMargin: null,
  crossedMargin: null,
  crossedUnrealisedPnl: null,
  isolatedUnrealisedPnl: null,
  assets: [],
};
const FUTURES_RULES: MergeRules = { clearable: new Set(["unrealisedPnl"]), restOnly: new Set() };

const walletKey = ({ categoryRaw, marginCoin }: Pick<HeldFuturesAccount, "categoryRaw" | "marginCoin">): string =>
  `${categoryRaw} ${marginCoin}`;

const isEarlier = ({ updatedTime: one }: SpotBalance, { updatedTime: other }: SpotBalance): boolean =>
  one !== null && other !== null && one < other;

/** Holdings of a Classic account, merged from pushes and readings. */
export class ClassicHoldings {
  readonly #spot = new Map<string, SpotBalance>();
  readonly #futures = new Map<string, HeldFuturesAccount>();
  /** Balances that were pushed during a reading: the push is newer. */
  readonly #pushed = new Set<string>();
  #isPartial = false;

  get all(): AccountHoldings {
    return { unified: null, spot: [...this.#spot.values()], futures: [...this.#futures.values()] };
  }

  /** Whether a push has changed figures that only a reading has. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  beginReading(): void {
    this.#pushed.clear();
    this.#isPartial = false;
  }

  pushedSpot(balances: readonly SpotBalance[]): readonly SpotBalance[] {
    return balances.map((balance) => {
      const known = this.#spot.get(balance.coin);
      // While one connection replaces another, the older message may arrive last.
      if (known !== undefined && isEarlier(balance, known)) return known;
      const whole = merged(known, balance, "PUSH", ALWAYS_SENT);
      this.#spot.set(balance.coin, whole);
      this.#pushed.add(balance.coin);
      return whole;
    });
  }

  pushedFutures(wallets: readonly StreamedFuturesAccount[]): readonly HeldFuturesAccount[] {
    return wallets.map((wallet) => {
      const key = walletKey(wallet);
      const known = this.#futures.get(key);
      const { assets } = known ?? FUTURES_REST_ONLY;
      const whole = { ...merged(known, { ...FUTURES_REST_ONLY, ...wallet }, "PUSH", FUTURES_RULES), assets };
      this.#isPartial ||= known === undefined || !isSame(whole, known);
      this.#futures.set(key, whole);
      this.#pushed.add(key);
      return whole;
    });
  }

  /** Merges a reading. `isWhole`: balances that are not in it are gone, unless they were pushed since. */
  read(
    spot: readonly SpotBalance[],
    isSpotWhole: boolean,
    futures: readonly HeldFuturesAccount[],
    isFuturesWhole: boolean,
  ): void {
    take(this.#spot, spot, ({ coin }) => coin, isSpotWhole, this.#pushed);
    take(this.#futures, futures, walletKey, isFuturesWhole, this.#pushed);
  }
}

/** Replaces known rows by read ones, except those pushed since, and those that may be a row that could not be decoded. */
function take<R>(
  known: Map<string, R>,
  rows: readonly R[],
  keyOf: (row: R) => string,
  isWhole: boolean,
  pushed: ReadonlySet<string>,
): void {
  if (isWhole) for (const key of [...known.keys()]) if (!pushed.has(key)) known.delete(key);
  for (const row of rows) if (!pushed.has(keyOf(row))) known.set(keyOf(row), row);
}
