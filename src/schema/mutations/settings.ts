import { Field, InputType } from "type-graphql";
import { FuturesCategoryInput } from "../enums/category.js";
import { HoldMode, HoldModeInput, MarginModeInput, PositionSideInput } from "../enums/position.js";
import { LeverageCategory } from "../enums/write.js";
import { RecordType } from "../record.js";
import { Decimal } from "../scalars.js";
import { WriteInput, WritePayload } from "./write.js";

const SYMBOL = "Symbol name, for example `BTCUSDT`; letter case does not matter";

@InputType({ description: "Margin to put into an isolated position, or to take out of it. Classic accounts only" })
export class AdjustPositionMarginInput extends WriteInput {
  @Field(() => FuturesCategoryInput, { description: "Futures category of the position (`productType`)" })
  readonly category!: FuturesCategoryInput;

  @Field(() => String, { description: SYMBOL })
  readonly symbol!: string;

  @Field(() => PositionSideInput, { description: "Which position (`holdSide`)" })
  readonly posSide!: PositionSideInput;

  @Field(() => Decimal, { description: "In margin coin: positive to put in, negative to take out" })
  readonly amount!: string;

  @Field(() => String, { nullable: true, description: "Margin coin in capitals. Default: the contract's own" })
  readonly marginCoin?: string | null;
}

@RecordType("An isolated position whose margin was changed", { implements: WritePayload })
export class AdjustPositionMarginPayload extends WritePayload {}

@InputType({ description: "The leverage of a futures symbol, or of a coin that is borrowed" })
export class SetLeverageInput extends WriteInput {
  @Field(() => LeverageCategory, { description: "Where leverage is to be set" })
  readonly category!: LeverageCategory;

  @Field(() => String, { nullable: true, description: `${SYMBOL}. Needed for futures` })
  readonly symbol?: string | null;

  @Field(() => String, { nullable: true, description: "Coin, for example `USDT`. Needed for MARGIN" })
  readonly coin?: string | null;

  @Field(() => Decimal, { description: "Leverage, for example `20`" })
  readonly leverage!: string;

  @Field(() => PositionSideInput, { nullable: true, description: "With isolated margin: which of the two positions" })
  readonly posSide?: PositionSideInput | null;
}

@RecordType("Leverage that was set", { implements: WritePayload })
export class SetLeveragePayload extends WritePayload {
  @Field(() => Decimal, { nullable: true, description: "Leverage after the write; null unless accepted" })
  readonly leverage!: string | null;
}

@InputType({ description: "The position mode of futures. It cannot change while there are positions or orders" })
export class SetHoldModeInput extends WriteInput {
  @Field(() => HoldModeInput, { description: "Position mode (Classic: `posMode`)" })
  readonly holdMode!: HoldModeInput;

  @Field(() => FuturesCategoryInput, {
    nullable: true,
    description: "Needed on a Classic account, which has a mode per category; a unified account has one for all",
  })
  readonly category?: FuturesCategoryInput | null;
}

@RecordType("A position mode that was set", { implements: WritePayload })
export class SetHoldModePayload extends WritePayload {
  @Field(() => HoldMode, { nullable: true, description: "Position mode after the write; null unless accepted" })
  readonly holdMode!: HoldMode | null;
}

@InputType({
  description:
    "The margin mode of a futures symbol. It cannot change while there are positions or orders in it. Classic accounts only",
})
export class SetMarginModeInput extends WriteInput {
  @Field(() => FuturesCategoryInput, { description: "Futures category of the symbol (`productType`)" })
  readonly category!: FuturesCategoryInput;

  @Field(() => String, { description: SYMBOL })
  readonly symbol!: string;

  @Field(() => MarginModeInput, { description: "Margin mode" })
  readonly marginMode!: MarginModeInput;
}

@RecordType("A margin mode that was set", { implements: WritePayload })
export class SetMarginModePayload extends WritePayload {}
