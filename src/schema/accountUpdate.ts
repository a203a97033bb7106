import { futuresAccount } from "@exchange-graph/contract/futuresAccount";
import { Field } from "type-graphql";
import { Balance } from "./balance.js";
import { Cost } from "./cost.js";
import { FuturesCategory } from "./enums/category.js";
import { accountCoins, futuresAccounts } from "./listLengths.js";
import { EnumField, RecordType, recordOf } from "./record.js";
import { AccountEvent } from "./streamStatus.js";
import { UnifiedAssets } from "./unifiedAssets.js";

@RecordType("A Classic futures account as the exchange pushes it: fewer figures than a query gives")
class FuturesAccountUpdate extends recordOf(futuresAccount, {
  without: [
    "isolatedMaxAvailable",
    "equityBtc",
    "bonus",
    "isolatedMargin",
    "crossedMargin",
    "crossedUnrealisedPnl",
    "isolatedUnrealisedPnl",
    "assets",
  ],
  says: {
    locked: "Locked, in margin coin (pushed as `frozen`)",
    crossedMaxAvailable: "Most that can open positions, in margin coin (pushed as `maxOpenPosAvailable`)",
    equity: "Equity with unrealised profit and loss at mark price, in margin coin (`accountEquity`, pushed as `equity`)",
    unrealisedPnl: "Unrealised profit and loss of the open positions, in margin coin (`unrealizedPL`)",
    unionTotalMargin: "Total margin in multi-asset mode, in USDT",
    unionAvailable: "Total free to use in multi-asset mode, in USDT",
    unionMaintenanceMargin: "Maintenance margin in multi-asset mode, in USDT (`unionMm`)",
    assetMode: "One coin as margin, or several in union (pushed as `assetsMode`)",
  },
}) {
  @EnumField(() => FuturesCategory, "Futures category, by the coin of the margin")
  readonly category!: FuturesCategory;
}

@RecordType("Balances of an account after a change. An update of a Classic account has the changed rows only")
export class AccountUpdate extends AccountEvent {
  @Cost({ rows: accountCoins })
  @Field(() => [Balance], {
    nullable: "itemsAndList",
    description:
      "Balances for trading, one per coin. Null, with the reason in `errors`, once the stream of this account alone has ended",
  })
  readonly balances!: readonly (Balance | Error)[] | Error;

  @Field(() => UnifiedAssets, { nullable: true, description: "Equity and margin as a whole; unified accounts only" })
  readonly unifiedAssets!: UnifiedAssets | null;

  @Cost({ rows: futuresAccounts })
  @Field(() => [FuturesAccountUpdate], { description: "Futures accounts, one per category and margin coin; Classic only" })
  readonly futuresAccounts!: readonly FuturesAccountUpdate[];
}
