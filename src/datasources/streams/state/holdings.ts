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
  /**
   * Number of pushes. Compared with the number at the last push of each coin, and of all coins: a push is newer than a reading that
   * began before it.
   */
  #count = 0;
  readonly #pushed = new Map<string, number>();
  #allPushed = 0;
  #isPartial = false;

  get assets(): StreamedAssets | undefined {
    return this.#assets;
  }

  /** Whether a push has changed figures that only a reading has. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  /** Called before the call of a reading is sent; returns what the reading is merged with. */
  beginReading(): number {
    this.#isPartial = false;
    return this.#count;
  }

  /** A push may contain the changed coins only; the others are kept unless `isAll`. */
  pushed(pushed: StreamedAssets, isAll: boolean): StreamedAssets {
    const held = this.#assets;
    const coins = new Map(held?.assets.map((asset, at) => [coinOf(asset) ?? at, asset]));
    const incoming = rowsRead(pushed.assets).map((asset) => {
      const last = coins.get(asset.coin);
      return last !== undefined && isRead(last) ? merged(last, asset, "PUSH", ALWAYS_SENT) : asset;
    });
    if (isAll) coins.clear();
    for (const asset of incoming) coins.set(asset.coin, asset);
    const assets = [...coins.values()];
    const whole: StreamedAssets = { ...merged(held, { ...pushed, assets }, "PUSH", ALWAYS_SENT), assets };
    this.#count++;
    if (isAll) this.#allPushed = this.#count;
    for (const { coin } of incoming) this.#pushed.set(coin, this.#count);
    this.#isPartial ||= held === undefined || !isSame({ ...whole, assets: 0 }, { ...held, assets: 0 });
    this.#assets = whole;
    return whole;
  }

  /** Merges a reading. Coins that were pushed since it began are kept, with the figures that pushes lack. */
  read(read: UnifiedAssets, began: number): StreamedAssets {
    const held = this.#assets;
    const before = new Map(rowsRead(held?.assets ?? []).map((asset) => [asset.coin, asset]));
    const listed = mapRows(read.assets, (asset: UnifiedAsset) => ({
      ...asset,
      borrowed: before.get(asset.coin)?.borrowed ?? null,
    }));
    const isNewer = (asset: StreamedAssets["assets"][number]) =>
      this.#allPushed > began || (this.#pushed.get(coinOf(asset) ?? "") ?? 0) > began;
    const pushed = (held?.assets ?? []).filter(isNewer);
    const assets = [...listed.filter((asset) => !isNewer(asset)), ...pushed];
    const figures = Object.fromEntries(UNIFIED_REST_ONLY.map((field) => [field, read[field]]));
    this.#assets = held === undefined || this.#count === began ? { ...read, assets } : { ...held, ...figures, assets };
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

export const walletKey = ({ categoryRaw, marginCoin }: Pick<HeldFuturesAccount, "categoryRaw" | "marginCoin">): string =>
  `${categoryRaw} ${marginCoin}`;

const isEarlier = ({ updatedTime: one }: SpotBalance, { updatedTime: other }: SpotBalance): boolean =>
  one !== null && other !== null && one < other;

/** Holdings of a Classic account, merged from pushes and readings. */
export class ClassicHoldings {
  readonly #spot = new Map<string, SpotBalance>();
  readonly #futures = new Map<string, HeldFuturesAccount>();
  /**
   * Number of pushes. Compared with the number at the last push of each balance: a push is newer than a reading that began before
   * it.
   */
  #count = 0;
  readonly #pushed = new Map<string, number>();
  /** Categories in which a push has changed figures that only a reading has. */
  readonly #partial = new Set<string>();

  get all(): AccountHoldings {
    return { unified: null, spot: [...this.#spot.values()], futures: [...this.#futures.values()] };
  }

  /** Categories in which a push has changed figures that only a reading has. */
  get partialParts(): readonly string[] {
    return [...this.#partial];
  }

  /** Called before the calls of a reading of these categories are sent; returns what it is merged with. */
  beginReading(categories: readonly string[]): number {
    for (const category of categories) this.#partial.delete(category);
    return this.#count;
  }

  pushedSpot(balances: readonly SpotBalance[]): readonly SpotBalance[] {
    return balances.map((balance) => {
      const held = this.#spot.get(balance.coin);
      // While one connection replaces another, the older message may arrive last.
      if (held !== undefined && isEarlier(balance, held)) return held;
      const whole = merged(held, balance, "PUSH", ALWAYS_SENT);
      this.#spot.set(balance.coin, whole);
      this.#pushed.set(balance.coin, ++this.#count);
      return whole;
    });
  }

  pushedFutures(wallets: readonly StreamedFuturesAccount[]): readonly HeldFuturesAccount[] {
    return wallets.map((wallet) => {
      const key = walletKey(wallet);
      const held = this.#futures.get(key);
      const { assets } = held ?? FUTURES_REST_ONLY;
      const whole = { ...merged(held, { ...FUTURES_REST_ONLY, ...wallet }, "PUSH", FUTURES_RULES), assets };
      if (held === undefined || !isSame(whole, held)) this.#partial.add(wallet.categoryRaw);
      this.#futures.set(key, whole);
      this.#pushed.set(key, ++this.#count);
      return whole;
    });
  }

  /** Merges a reading of the spot balances. `isWhole`: balances that are not in it are gone, unless they were pushed since. */
  readSpot(balances: readonly SpotBalance[], isWhole: boolean, began: number): void {
    this.#take(this.#spot, balances, ({ coin }) => coin, isWhole ? () => true : undefined, began);
  }

  /** Like `readSpot`, for the futures accounts of a category. */
  readFutures(category: string, wallets: readonly HeldFuturesAccount[], isWhole: boolean, began: number): void {
    const isOfIt = ({ categoryRaw }: HeldFuturesAccount) => categoryRaw === category;
    this.#take(this.#futures, wallets, walletKey, isWhole ? isOfIt : undefined, began);
  }

  /** Replaces known rows by read ones, except those pushed since, and those that may be a row that could not be decoded. */
  #take<R>(
    held: Map<string, R>,
    rows: readonly R[],
    keyOf: (row: R) => string,
    isListed: ((row: R) => boolean) | undefined,
    began: number,
  ): void {
    const isNewer = (key: string) => (this.#pushed.get(key) ?? 0) > began;
    if (isListed !== undefined) for (const [key, row] of [...held]) if (isListed(row) && !isNewer(key)) held.delete(key);
    for (const row of rows) if (!isNewer(keyOf(row))) held.set(keyOf(row), row);
  }
}
