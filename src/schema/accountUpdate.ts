import { Field } from "type-graphql";
import { Account } from "./account.js";
import { Balance } from "./balance.js";
import { Cost } from "./cost.js";
import { FuturesCategory } from "./enums/category.js";
import { FuturesAssetMode } from "./enums/futuresAccount.js";
import { accountCoins, futuresAccounts } from "./listLengths.js";
import { EnumField, RecordType } from "./record.js";
import { Decimal } from "./scalars.js";
import { UnifiedAssets } from "./unifiedAssets.js";

@RecordType("A Classic futures account as the exchange pushes it: fewer figures than a query gives")
class FuturesAccountUpdate {
  @EnumField(() => FuturesCategory, "Futures category, by the coin of the margin")
  readonly category!: FuturesCategory;

  @Field(() => String, { description: "Margin coin, in which the amounts below are counted" })
  readonly marginCoin!: string;

  @Field(() => Decimal, { nullable: true, description: "Locked, in margin coin (pushed as `frozen`)" })
  readonly locked!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Free to use, in margin coin" })
  readonly available!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Most that can open positions, in margin coin (pushed as `maxOpenPosAvailable`)",
  })
  readonly crossedMaxAvailable!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that can be transferred out, in margin coin" })
  readonly maxTransferOut!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Equity with unrealised profit and loss at mark price, in margin coin (`accountEquity`, pushed as `equity`)",
  })
  readonly equity!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity, in USDT (`usdtEquity`)" })
  readonly equityUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Risk ratio with cross margin, as a fraction (`crossedRiskRate`)" })
  readonly crossedMarginRatio!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Unrealised profit and loss of the open positions, in margin coin (`unrealizedPL`)",
  })
  readonly unrealisedPnl!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Total margin in multi-asset mode, in USDT" })
  readonly unionTotalMargin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Total free to use in multi-asset mode, in USDT" })
  readonly unionAvailable!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Maintenance margin in multi-asset mode, in USDT (`unionMm`)" })
  readonly unionMaintenanceMargin!: string | null;

  @EnumField(() => FuturesAssetMode, "One coin as margin, or several in union (pushed as `assetsMode`)", { nullable: true })
  readonly assetMode!: FuturesAssetMode | null;
}

@RecordType("Balances of an account after a change. An update of a Classic account has the changed rows only")
export class AccountUpdate {
  @Field(() => Account, { description: "The account that it is about" })
  readonly account!: Account;

  @Cost({ rows: accountCoins })
  @Field(() => [Balance], { nullable: "items", description: "Balances for trading, one per coin" })
  readonly balances!: readonly (Balance | Error)[];

  @Field(() => UnifiedAssets, { nullable: true, description: "Equity and margin as a whole; unified accounts only" })
  readonly unifiedAssets!: UnifiedAssets | null;

  @Cost({ rows: futuresAccounts })
  @Field(() => [FuturesAccountUpdate], { description: "Futures accounts, one per category and margin coin; Classic only" })
  readonly futuresAccounts!: readonly FuturesAccountUpdate[];
}
