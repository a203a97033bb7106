import { Field } from "type-graphql";
import { HoldMode, MarginMode } from "./enums/position.js";
import { EnumField, RecordType } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("How an account trades a futures symbol, whether it holds a position in it or not")
export class FuturesSettings {
  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @EnumField(() => HoldMode, "Position mode (Classic: `posMode`)", { nullable: true })
  readonly holdMode!: HoldMode | null;

  @EnumField(() => MarginMode, "Margin mode of the symbol; null on a unified account that never set it up", { nullable: true })
  readonly marginMode!: MarginMode | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Leverage in this margin mode; null where the two sides of isolated margin differ, or none was ever set",
  })
  readonly leverage!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Leverage with cross margin; Classic only" })
  readonly crossedMarginLeverage!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Leverage of isolated long positions; Classic only (`isolatedLongLever`)",
  })
  readonly isolatedLongLeverage!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Leverage of isolated short positions; Classic only (`isolatedShortLever`)",
  })
  readonly isolatedShortLeverage!: string | null;
}
