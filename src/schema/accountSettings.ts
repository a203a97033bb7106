import { accountSettingsRecord, coinSetting, symbolSetting } from "@exchange-graph/contract/account";
import { TraderType } from "./enums/account.js";
import { partialListOf, text, texts, time, word } from "./fields.js";
import { accountCoins, symbols } from "./listLengths.js";
import { extended, partOf, RecordType, recordOf } from "./record.js";

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
