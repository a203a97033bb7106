import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Account } from "../accounts.js";
import { type Wallet, type WalletKind, walletOf } from "../ledger.js";

/** Which wallet a product trades from. A unified account has one for everything. */

const CLASSIC_WALLETS: Readonly<Record<ProductCategory, WalletKind>> = {
  SPOT: "spot",
  MARGIN: "crossed-margin",
  "USDT-FUTURES": "usdt-futures",
  "COIN-FUTURES": "coin-futures",
  "USDC-FUTURES": "usdc-futures",
};

/** An account that is being upgraded still has its Classic wallets, one on its way back still the unified one. */
export const isUnified = ({ mode }: Account): boolean => mode === "unified" || mode === "switching";

/** The wallet that an account trades a category from. */
export const tradingWallet = (account: Account, category: ProductCategory): Wallet =>
  walletOf(account.uid, isUnified(account) ? "unified" : CLASSIC_WALLETS[category]);

/** Where an account's coins are when they are not in futures: what it can convert, lend, transfer and subscribe with. */
export const fundsWallet = (account: Account): Wallet => walletOf(account.uid, isUnified(account) ? "unified" : "spot");

const CATEGORY_OF_KIND: ReadonlyMap<WalletKind, FuturesCategory> = new Map([
  ["usdt-futures", "USDT-FUTURES"],
  ["coin-futures", "COIN-FUTURES"],
  ["usdc-futures", "USDC-FUTURES"],
]);

/** The futures category whose margin a Classic wallet holds, if it holds one. */
export const categoryOfWallet = (kind: WalletKind): FuturesCategory | undefined => CATEGORY_OF_KIND.get(kind);
