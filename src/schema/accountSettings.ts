import { accountSettingsRecord, coinSetting, symbolSetting } from "@exchange-graph/contract/account";
import { Field } from "type-graphql";
import { Cost } from "./cost.js";
import { TraderType } from "./enums/account.js";
import { accountCoins, symbols } from "./listLengths.js";
import { EnumField, partOf, RecordType, recordOf } from "./record.js";
import { DateTime } from "./scalars.js";

@RecordType("How a symbol is set up in a unified account")
class SymbolSetting extends recordOf(symbolSetting) {}

@RecordType("How a coin is set up for borrowing in a unified account")
class CoinSetting extends recordOf(coinSetting) {}

@RecordType("Identity and settings of an account. What its account mode does not have is null")
export class AccountSettings extends partOf(accountSettingsRecord, [
  "uid",
  "accountMode",
  "assetMode",
  "accountLevel",
  "holdMode",
  "stpMode",
]) {
  @Cost({ rows: symbols })
  @Field(() => [SymbolSetting], {
    nullable: "itemsAndList",
    description: "Symbols that have been set up; unified accounts only (`symbolConfigList`)",
  })
  readonly symbolSettings!: readonly (SymbolSetting | Error)[] | null;

  @Cost({ rows: accountCoins })
  @Field(() => [CoinSetting], {
    nullable: "itemsAndList",
    description: "Coins that have been set up for borrowing; unified accounts only (`coinConfigList`)",
  })
  readonly coinSettings!: readonly (CoinSetting | Error)[] | null;

  @Field(() => String, { nullable: true, description: "User identifier of the inviter; Classic only" })
  readonly inviterId!: string | null;

  @Field(() => String, { nullable: true, description: "User identifier of the master account; Classic only" })
  readonly parentId!: string | null;

  @Field(() => [String], { nullable: true, description: "Addresses that the key is bound to; Classic only" })
  readonly ips!: readonly string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: "Permissions of the key in the exchange's words, for example `stow`; Classic only",
  })
  readonly authorities!: readonly string[] | null;

  @EnumField(() => TraderType, "Do others copy its trades? Classic only", { nullable: true })
  readonly traderType!: TraderType | null;

  @Field(() => String, { nullable: true, description: "Code of the affiliate; Classic only" })
  readonly channelCode!: string | null;

  @Field(() => String, { nullable: true, description: "Channel of the affiliate; Classic only" })
  readonly channel!: string | null;

  @Field(() => DateTime, { nullable: true, description: "Registration (the exchange's `regisTime`); Classic only" })
  readonly registeredTime!: number | null;
}
