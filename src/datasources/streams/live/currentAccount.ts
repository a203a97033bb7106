import type { UnifiedAsset, UnifiedAssets } from "@exchange-graph/contract/asset";
import type { StreamedAssets } from "@exchange-graph/contract/channels/account";
import { isZero } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import type { Position } from "@exchange-graph/contract/position";
import { isRead, mapRows, rowsRead } from "@exchange-graph/contract/rows";
import type { AccountMode } from "../../calls/index.js";
import { type AccountFacts, isFuturesCategory, type MarginRules, type ReadAssets, type Unproven } from "../../reads/index.js";
import type { AccountHoldings } from "../state/holdings.js";

/** State of one account from its streams. */
export interface CurrentAccount {
  /** New objects with each change; undefined while not all streams are up. */
  version(): { readonly positions: object; readonly holdings: object; readonly orders: object } | undefined;
  mode(): AccountMode | undefined;
  /** Whether a kind of state, or this part of it, is proven to be complete and current. */
  isProven(kind: "positions" | "accountUpdates" | "orders" | "planOrders", part?: string): boolean;
  positions(): readonly Position[] | undefined;
  holdings(): AccountHoldings | undefined;
  orders(): readonly Order[] | undefined;
  /** Confirms, by the account's figures, that it has no other positions in these categories. */
  confirmed(categories: readonly string[]): void;
  readAgain(unproven: Unproven): void;
  /** The margin rules of the account's positions and open orders. */
  rules(facts: AccountFacts): Promise<MarginRules>;
  failed(error: unknown): void;
}

export type FigureKind = "positions" | "accountUpdates";

/** A list of the account that figures depend on, or all lists of its kind. */
export interface FigureBasis {
  readonly kind: FigureKind | "orders";
  readonly part?: string | undefined;
}

/** The lists that figures of this kind depend on. An isolated position of a unified account depends on itself. */
export function basisOf(current: CurrentAccount, kind: FigureKind, category?: string): readonly FigureBasis[] {
  const isUnified = current.mode() === "UNIFIED";
  const isOfIt = ({ categoryRaw }: Position) => category === undefined || categoryRaw === category;
  const isPooled = (position: Position) => isOfIt(position) && (!isUnified || position.marginMode !== "isolated");
  const own = { kind: "positions", part: category } as const;
  if (kind === "positions" && current.positions()?.some(isPooled) !== true) return [own];
  if (isUnified) return [{ kind: "accountUpdates" }, { kind: "positions" }, { kind: "orders" }];
  return [own, { kind: "accountUpdates", part: category }];
}

export type Versions = NonNullable<ReturnType<CurrentAccount["version"]>>;

export const isSame = (one: Versions, other: Versions | undefined): boolean =>
  one.positions === other?.positions && one.holdings === other.holdings && one.orders === other.orders;

/** The borrowed amount of each coin is in pushes only. */
export function withBorrowed(unified: UnifiedAssets, pushed: StreamedAssets): StreamedAssets {
  const borrowed = new Map(rowsRead(pushed.assets).map((asset) => [asset.coin, asset.borrowed]));
  const assets = mapRows(unified.assets, (asset: UnifiedAsset) => ({ ...asset, borrowed: borrowed.get(asset.coin) ?? null }));
  return { ...unified, assets };
}

/** The contracts and debts that the account's figures depend on. */
export const contractsOf = ({ positions, orders, unified }: AccountFacts): ReadonlySet<string> => {
  const contracts = [...positions, ...orders].map(({ categoryRaw, symbol }) => `${categoryRaw} ${symbol}`);
  return new Set([...contracts, ...debtsOf(unified).map((coin) => `debt ${coin}`)]);
};

export const debtsOf = (unified: AccountFacts["unified"]): readonly string[] =>
  (unified?.assets ?? []).flatMap(({ coin, debt }) => (debt === null || isZero(debt) ? [] : [coin]));

export function factsOf(current: CurrentAccount): AccountFacts | undefined {
  const [positions, holdings, open] = [current.positions(), current.holdings(), current.orders()];
  if (positions === undefined || holdings === undefined || open === undefined) return undefined;
  const { unified, futures } = holdings;
  // The funds that orders of a Classic account hold are part of its balances.
  if (unified === null) return { positions, unified, wallets: futures, orders: [] };
  if (!unified.assets.every(isRead)) return undefined;
  const orders = open.filter(({ category }) => isFuturesCategory(category));
  return { positions, unified: withoutBorrowed(unified), wallets: [], orders };
}

const readAssets = new WeakMap<StreamedAssets, ReadAssets>();

/** The same object for the same holdings: a proof does not count it as another reading. */
function withoutBorrowed(unified: StreamedAssets): ReadAssets {
  const known = readAssets.get(unified);
  if (known !== undefined) return known;
  const read = { ...unified, assets: rowsRead(unified.assets).map(({ borrowed, ...asset }) => asset) };
  readAssets.set(unified, read);
  return read;
}

export function pricesOf({ positions, unified, wallets, orders }: AccountFacts) {
  const coins = new Set(["BTC", ...positions.map(({ marginCoin }) => marginCoin)]);
  for (const { coin } of unified?.assets ?? []) coins.add(coin);
  for (const { marginCoin } of wallets) coins.add(marginCoin);
  if (orders.some(({ category }) => category === "USDC-FUTURES")) coins.add("USDC");
  const contracts = positions.flatMap(({ category, symbol }) => (isFuturesCategory(category) ? [{ category, symbol }] : []));
  return { contracts, coins: [...coins] };
}
