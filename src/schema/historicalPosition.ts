import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { FuturesCategory } from "./enums/category.js";
import { HoldMode, MarginMode, PositionSide } from "./enums/position.js";
import { Node } from "./node.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType(
  "A futures position that has been closed. Fees are positive where the account paid, funding is positive where it received",
  {
    implements: Node,
  },
)
export class HistoricalPosition {
  @Field(() => Account, { description: "The account whose position it was" })
  readonly account!: Account;

  @Field(() => String, { nullable: true, description: "The exchange's identifier of the position" })
  readonly positionId!: string | null;

  @EnumField(() => FuturesCategory, "Product category that it was traded in")
  readonly category!: FuturesCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT` (`instId` in places)" })
  readonly symbol!: string;

  @Field(() => String, { nullable: true, description: "Coin that the position was margined and settled in" })
  readonly marginCoin!: string | null;

  @EnumField(() => HoldMode, "Position mode in which it was held", { nullable: true })
  readonly holdMode!: HoldMode | null;

  @EnumField(() => PositionSide, "Long or short, in one-way mode too", { nullable: true })
  readonly posSide!: PositionSide | null;

  @EnumField(() => MarginMode, "Margin mode in which it was held", { nullable: true })
  readonly marginMode!: MarginMode | null;

  @Field(() => Decimal, { nullable: true, description: "Average opening price, in quote coin (`openPriceAvg`)" })
  readonly avgPrice!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Average closing price, in quote coin (`closePriceAvg`)" })
  readonly avgClosePrice!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Total quantity opened, in base coin (`openTotalPos`)" })
  readonly openedQty!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Total quantity closed, in base coin (`closeTotalPos`)" })
  readonly closedQty!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Cumulative realised profit and loss without fees and funding, in margin coin (`cumRealisedPnl`)",
  })
  readonly realisedPnl!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Net profit and loss: `realisedPnl` and `totalFunding` less the fees, in margin coin",
  })
  readonly netProfit!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Funding accumulated over the position's life, in margin coin; zero when there was none",
  })
  readonly totalFunding!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Opening fees over the position's life, in margin coin (`openFeeTotal`)" })
  readonly openFee!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Closing fees over the position's life, in margin coin (`closeFeeTotal`)",
  })
  readonly closeFee!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Cash dividend, in USDT; null where the exchange names none" })
  readonly cashDividend!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When the position was opened (Classic: `ctime`)" })
  readonly createdTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When it last changed: its closing (Classic: `utime`)" })
  readonly updatedTime!: number | null;
}

export const HistoricalPositionConnection = connectionOf(HistoricalPosition);
export type HistoricalPositionConnection = ConnectionOf<HistoricalPosition>;
