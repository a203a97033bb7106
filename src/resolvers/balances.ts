import type { ExchangeAccount } from "../datasources/index.js";
import {
  balanceInUsdt,
  readBalances,
  readFundingBalances,
  readTotalEquity,
  readUnifiedAssets,
} from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { Balance, FundingBalance } from "../schema/balance.js";
import { texts } from "../schema/fields.js";
import { accountCoins, named } from "../schema/listLengths.js";
import { Decimal } from "../schema/scalars.js";
import { UnifiedAsset, UnifiedAssets } from "../schema/unifiedAssets.js";
import { rowsWithAccount } from "./accountScoped.js";
import { FUTURES, only, usdtPrice } from "./fieldCosts.js";
import { accountField, marketField, resolversOf } from "./fieldTable.js";
import { WITHIN_TEN_SECONDS } from "./maxAge.js";

const COINS = texts.optional("Only these coins. Default: all");
const IN_USDT =
  "at the last price of the coin's spot pair with USDT, exact; null where there is no such pair. One call for any number of coins. Source: GET /api/v3/market/tickers";

export const BalancesResolver = resolversOf(Account, {
  totalEquity: accountField.orNull(Decimal, {
    description:
      "Total value of the account's trading accounts, in USDT: a unified account's own figure, or the sum of Classic spot at spot prices and the futures accounts. Funding account, loans and earn products are not included; null if the exchange leaves out its figure. Source: GET /api/v3/account/assets, or GET /api/v2/spot/account/assets and GET /api/v2/mix/account/accounts",
    cost: { calls: (_args, { mode }) => (mode === "UNIFIED" ? 1 : 1 + FUTURES.length), ...usdtPrice },
    resolve: (account: ExchangeAccount, { reads }) => readTotalEquity(reads, account),
  }),
  balances: accountField([Balance], {
    description: "Balances for trading, one per coin. Source: GET /api/v3/account/assets, or GET /api/v2/spot/account/assets",
    cost: { calls: 1, rows: named("coins", accountCoins) },
    args: { coins: COINS },
    resolve: async (account: ExchangeAccount, { reads }, { coins }) =>
      rowsWithAccount(account, await readBalances(reads, account, coins)),
  }),
  fundingBalances: accountField([FundingBalance], {
    description: "Balances of the funding account. Unified accounts only. Source: GET /api/v3/account/funding-assets",
    cost: only("UNIFIED", { rows: named("coins", accountCoins) }),
    args: { coins: COINS, maxAgeMs: WITHIN_TEN_SECONDS },
    resolve: async (account: ExchangeAccount, { reads }, { coins, maxAgeMs }) =>
      rowsWithAccount(account, await readFundingBalances(reads.within(maxAgeMs), account, coins)),
  }),
  unifiedAssets: accountField(UnifiedAssets, {
    description: "Equity and margin of the account as a whole. Unified accounts. Source: GET /api/v3/account/assets",
    cost: only("UNIFIED", {}),
    resolve: (account: ExchangeAccount, { reads }) => readUnifiedAssets(reads, account),
  }),
});

export const BalanceResolver = resolversOf(Balance, {
  valueUsdt: marketField.orNull(Decimal, {
    description: `The equity's value in USDT, ${IN_USDT}`,
    cost: usdtPrice,
    resolve: (balance: Balance, { reads }) => balanceInUsdt(reads, balance),
  }),
});

export const UnifiedAssetResolver = resolversOf(UnifiedAsset, {
  valueUsdt: marketField.orNull(Decimal, {
    description: `The equity's value in USDT, ${IN_USDT}`,
    cost: usdtPrice,
    resolve: (asset: UnifiedAsset, { reads }) => balanceInUsdt(reads, asset),
  }),
});

export const FundingBalanceResolver = resolversOf(FundingBalance, {
  valueUsdt: marketField.orNull(Decimal, {
    description: `The balance's value in USDT, ${IN_USDT}`,
    cost: usdtPrice,
    resolve: ({ coin, balance }: FundingBalance, { reads }) => balanceInUsdt(reads, { coin, equity: balance }),
  }),
});
