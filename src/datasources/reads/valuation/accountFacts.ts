import type { UnifiedAsset, UnifiedAssets } from "@exchange-graph/contract/asset";
import type { FuturesAccount } from "@exchange-graph/contract/futuresAccount";
import type { Order } from "@exchange-graph/contract/order";
import type { Position } from "@exchange-graph/contract/position";

/** State of an account in either mode, as the exchange last sent it. */
export interface AccountFacts {
  readonly positions: readonly Position[];
  /** The unified account; null on a Classic account. */
  readonly unified: ReadAssets | null;
  /** Futures accounts of a Classic account. */
  readonly wallets: readonly Wallet[];
  /** Open futures orders of a unified account: they take margin. */
  readonly orders: readonly Order[];
}

/** A unified account all of whose coins could be decoded. */
export type ReadAssets = Omit<UnifiedAssets, "assets"> & { readonly assets: readonly UnifiedAsset[] };

export type Wallet = FuturesAccount & Pick<Position, "category" | "categoryRaw">;

/** A unified account is one part; a Classic account has one per futures account. */
export const partsOf = (facts: AccountFacts): readonly AccountFacts[] =>
  facts.unified !== null
    ? [facts]
    : facts.wallets.map((wallet) => {
        const isOfIt = (position: Position) =>
          position.categoryRaw === wallet.categoryRaw && position.marginCoin === wallet.marginCoin;
        return { ...facts, wallets: [wallet], positions: facts.positions.filter(isOfIt) };
      });

/** Identifies a part across states of the account. */
export const partKey = ({ wallets: [wallet] }: AccountFacts): string =>
  wallet === undefined ? "unified" : `${wallet.categoryRaw} ${wallet.marginCoin}`;

/** What a position's figures are computed from, besides prices and rules: equal text gives equal figures. */
export function inputsOf(position: Position): string {
  const { categoryRaw, symbol, marginCoin, posSide, createdTime, qty, avgPrice, leverage, marginMode, margin } = position;
  const own = [categoryRaw, symbol, marginCoin, posSide, createdTime, qty, avgPrice, leverage, marginMode];
  return [...own, marginMode === "crossed" ? "" : margin].join(" ");
}

/** What the figures of a part are computed from, besides prices, rules and orders. */
export function poolInputsOf({ unified, wallets, positions }: AccountFacts): string {
  const coins = unified?.assets.map(({ coin, balance, debt, locked }) => [coin, balance, debt, locked]);
  const funds = wallets.map(({ available, locked, isolatedMargin, bonus }) => [available, locked, isolatedMargin, bonus]);
  return JSON.stringify([coins, funds, positions.map(inputsOf).sort()]);
}

/** What the margin of its open orders is computed from. */
export const orderInputsOf = ({ orders }: AccountFacts): string =>
  orders
    .map(({ category, symbol, side, posSide, isReduceOnly, marginMode, price, qty, cumExecQty }) =>
      [category, symbol, side, posSide, isReduceOnly, marginMode, price, qty, cumExecQty].join(" "),
    )
    .sort()
    .join();
