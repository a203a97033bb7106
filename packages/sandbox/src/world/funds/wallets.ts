import { FUTURES_CATEGORIES, type FuturesCategory, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Account } from "../accounts.js";
import { type Wallet, type WalletKind, walletOf } from "../ledger.js";

/** Trading wallets of the products. A unified account has one for all. */

const CLASSIC_WALLETS: Readonly<Record<ProductCategory, WalletKind>> = {
  SPOT: "spot",
  MARGIN: "crossed-margin",
  "USDT-FUTURES": "usdt-futures",
  "COIN-FUTURES": "coin-futures",
  "USDC-FUTURES": "usdc-futures",
};

/** An account that is being upgraded still has its Classic wallets, one that is being switched back still has the unified one. */
export const isUnified = ({ mode }: Account): boolean => mode === "unified" || mode === "switching";

export const tradingWallet = (account: Account, category: ProductCategory): Wallet =>
  walletOf(account.uid, isUnified(account) ? "unified" : CLASSIC_WALLETS[category]);

/** The wallets in which an account trades, without those of margin. */
export const tradingWallets = (account: Account): readonly Wallet[] => [
  ...new Set((["SPOT", ...FUTURES_CATEGORIES] as const).map((category) => tradingWallet(account, category))),
];

/** The wallet for coins outside of futures: it is used for conversions, loans, transfers and subscriptions. */
export const fundsWallet = (account: Account): Wallet => walletOf(account.uid, isUnified(account) ? "unified" : "spot");

export const walletOfCategory = (category: ProductCategory): WalletKind => CLASSIC_WALLETS[category];

/** The futures category of a Classic margin wallet; undefined for other wallets. */
export const categoryOfWallet = (kind: WalletKind): FuturesCategory | undefined =>
  FUTURES_CATEGORIES.find((category) => CLASSIC_WALLETS[category] === kind);
