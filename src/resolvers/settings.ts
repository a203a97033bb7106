import type { ExchangeAccount } from "../datasources/index.js";
import { readAccountSettings, readFuturesSettings, readUpgrade, readUpgradeStatus } from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { AccountSettings } from "../schema/accountSettings.js";
import { FuturesCategoryInput } from "../schema/enums/category.js";
import { of, text } from "../schema/fields.js";
import { FuturesSettings } from "../schema/futuresSettings.js";
import { AccountUpgrade } from "../schema/mutations/accounts.js";
import { futuresSettings } from "./fieldCosts.js";
import { accountField, resolversOf } from "./fieldTable.js";

export const SettingsResolver = resolversOf(Account, {
  settings: accountField(AccountSettings, {
    description: "Identity and settings of the account. Source: GET /api/v3/account/settings, or GET /api/v2/spot/account/info",
    cost: { calls: 1 },
    resolve: (account: ExchangeAccount, { reads }) => readAccountSettings(reads, account),
  }),
  futuresSettings: accountField(FuturesSettings, {
    description:
      "Position mode, margin mode and leverage of a futures symbol, with or without a position in it. Source: GET /api/v3/account/settings, or GET /api/v2/mix/account/account",
    cost: futuresSettings,
    args: {
      category: of(FuturesCategoryInput)("Futures category of the symbol"),
      symbol: text("Symbol name, for example `BTCUSDT`; letter case does not matter"),
    },
    resolve: (account: ExchangeAccount, { reads }, { category, symbol }) =>
      readFuturesSettings(reads, account, { category, symbol }),
  }),
  upgrade: accountField(AccountUpgrade, {
    description:
      "State of the upgrade to a unified account, of this account or of one of its sub-accounts. It and `settings.accountMode` of one answer agree. While it runs (about a minute) this, `settings.accountMode` and market data can be read; fields of either mode fail with `ACCOUNT_MODE_MISMATCH`, which is retryable then. Source: GET /api/v2/spot/account/upgrade-status",
    cost: { calls: 1 },
    args: { subUid: text.optional("User identifier of a sub-account. Default: the account itself") },
    resolve: (account: ExchangeAccount, { reads }, { subUid }) =>
      subUid === null || subUid === undefined ? readUpgrade(reads, account) : readUpgradeStatus(reads, account, subUid),
  }),
});
