import { accountSettingsRecord, coinSetting, modeChange, symbolSetting } from "@exchange-graph/contract/account";
import { fundingBalance, unifiedAsset, unifiedAssetsRecord } from "@exchange-graph/contract/asset";
import { feeRate } from "@exchange-graph/contract/feeRate";
import {
  futuresAccount,
  futuresAccountAsset,
  subAccountFuturesAsset,
  subAccountFuturesAssetsRecord,
} from "@exchange-graph/contract/futuresAccount";
import { maxTransfer, maxWithdrawalRecord } from "@exchange-graph/contract/maximum";
import { TraderType } from "./enums/account.js";
import { FuturesProductType, ProductCategory } from "./enums/category.js";
import { HoldMode, MarginMode } from "./enums/position.js";
import { decimal, of, partialListOf, text, texts, time, word } from "./fields.js";
import { accountCoins, marginCoins, symbols } from "./listLengths.js";
import { Node } from "./node.js";
import { extended, fieldsOf, partOf, RecordType, recordOf } from "./record.js";

@RecordType(
  "An account at the exchange that this gateway is configured with. A field means the same on Classic and on unified accounts",
  {
    implements: Node,
  },
)
export class Account extends fieldsOf({ name: text("The account's name in this gateway, for example `main`") }) {}

@RecordType("Settings of a symbol in a unified account")
class SymbolSetting extends recordOf(symbolSetting) {}

@RecordType("Borrowing settings of a coin in a unified account")
class CoinSetting extends recordOf(coinSetting) {}

@RecordType("Identity and settings of an account. A setting that its account mode does not have is null")
export class AccountSettings extends extended(
  partOf(accountSettingsRecord, ["uid", "accountMode", "assetMode", "accountLevel", "holdMode", "stpMode"]),
  {
    symbolSettings: partialListOf(SymbolSetting, symbols).orNull(
      "Symbols that have been set up; unified accounts only (`symbolConfigList`)",
    ),
    coinSettings: partialListOf(CoinSetting, accountCoins).orNull(
      "Coins that have been set up for borrowing; unified accounts only (`coinConfigList`)",
    ),
    inviterId: text.orNull("User identifier of the inviter; Classic only"),
    parentId: text.orNull("User identifier of the master account; Classic only"),
    ips: texts.orNull("Addresses that the key is bound to; Classic only"),
    authorities: texts.orNull("Permissions of the key in the exchange's words, for example `stow`; Classic only"),
    traderType: word(TraderType).orNull("Whether others copy the account's trades; Classic only"),
    channelCode: text.orNull("Code of the affiliate; Classic only"),
    channel: text.orNull("Channel of the affiliate; Classic only"),
    registeredTime: time.orNull("Registration (the exchange's `regisTime`); Classic only"),
  },
) {}

@RecordType("State of the upgrade of an account")
export class AccountUpgrade extends recordOf(modeChange) {}

@RecordType("Trading fees of an account in one symbol. They follow its level and can differ from those of the instrument")
export class AccountFeeRate extends extended(recordOf(feeRate), {
  category: of(ProductCategory).orNull(
    "Product category; null for futures of a Classic account, which the exchange lists without their category",
  ),
}) {}

@RecordType("Balance of one coin for trading: of a unified account, or of a Classic spot account", {
  implements: Node,
})
export class Balance extends fieldsOf({
  account: of(Account)("The account of the balance"),
  coin: text("Coin, for example `USDT`"),
  equity: decimal.orNull("With frozen margin and unrealised profit and loss, in the coin; on Classic spot the balance itself"),
  balance: decimal.orNull("Balance, in the coin; on Classic spot the sum of available, frozen and locked together"),
  available: decimal.orNull("Free to use, in the coin"),
  frozen: decimal.orNull("Held back for open orders, in the coin; Classic only"),
  locked: decimal.orNull("Locked, in the coin"),
  debt: decimal.orNull("Owed, in the coin; unified accounts only"),
  valueUsd: decimal.orNull("The equity in USD, as the exchange values it; unified accounts only (`usdValue`)"),
  limitAvailable: decimal.orNull("Free for spot copy trading only, in the coin; Classic only"),
  updatedTime: time.orNull("Last update (the exchange's `uTime`); Classic only"),
}) {}

@RecordType("One coin in the funding account beside a unified account", { implements: Node })
export class FundingBalance extends extended(recordOf(fundingBalance), { account: of(Account)("The account of the balance") }) {}

@RecordType("One coin in a unified account")
export class UnifiedAsset extends recordOf(unifiedAsset) {}

@RecordType("Equity and margin of a unified account as a whole")
export class UnifiedAssets extends extended(recordOf(unifiedAssetsRecord, { without: ["assets"] }), {
  assets: partialListOf(UnifiedAsset, accountCoins)("The coins that are not zero"),
}) {}

@RecordType("One coin in a Classic futures account")
class FuturesAccountAsset extends recordOf(futuresAccountAsset) {}

@RecordType("A Classic futures account: one per product type and margin coin", { implements: Node })
export class FuturesAccount extends extended(recordOf(futuresAccount, { without: ["assets"] }), {
  account: of(Account)("The account that it belongs to"),
  productType: of(FuturesProductType)("Futures category, by the coin of the margin"),
  assets: partialListOf(FuturesAccountAsset, marginCoins)("Assets of the account, by coin (`assetList`)"),
}) {}

@RecordType("A sub-account's futures account in one margin coin")
class SubAccountFuturesAsset extends recordOf(subAccountFuturesAsset) {}

@RecordType("The futures assets of one sub-account of a Classic master account", { implements: Node })
export class SubAccountFuturesAssets extends extended(recordOf(subAccountFuturesAssetsRecord, { without: ["assets"] }), {
  account: of(Account)("The master account"),
  productType: of(FuturesProductType)("Futures category, by the coin of the margin"),
  assets: partialListOf(SubAccountFuturesAsset, marginCoins)("Its futures accounts, one per margin coin (`assetList`)"),
}) {}

@RecordType("Margin mode and leverage of a futures symbol for an account, with or without a position in it")
export class FuturesSettings extends fieldsOf({
  symbol: text("Symbol name, for example `BTCUSDT`"),
  holdMode: word(HoldMode).orNull("Position mode (Classic: `posMode`)"),
  marginMode: word(MarginMode).orNull("Margin mode of the symbol; null on a unified account where it was never set"),
  leverage: decimal.orNull(
    "Leverage in this margin mode; null where the two sides of isolated margin differ, or it was never set",
  ),
  crossedMarginLeverage: decimal.orNull("Leverage with cross margin; Classic only"),
  isolatedLongLeverage: decimal.orNull("Leverage of isolated long positions; Classic only (`isolatedLongLever`)"),
  isolatedShortLeverage: decimal.orNull("Leverage of isolated short positions; Classic only (`isolatedShortLever`)"),
}) {}

@RecordType("How much of a coin can be transferred out: what positions, orders and debts do not need")
export class MaxTransfer extends recordOf(maxTransfer) {}

@RecordType("How much of a coin can be withdrawn, by the account that it would leave")
export class MaxWithdrawal extends recordOf(maxWithdrawalRecord) {}
