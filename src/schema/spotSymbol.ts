import { Field, Int } from "type-graphql";
import { SpotSymbolStatus } from "./enums/pair.js";
import { Node } from "./node.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime } from "./scalars.js";
import { FeeRates, Precision, PriceLimits, TradeSize } from "./tradingRules.js";

@RecordType("A spot trading pair and the rules for orders in it", { implements: Node, lasting: true })
export class SpotSymbol {
  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @Field(() => String, { nullable: true, description: "Coin that is bought and sold" })
  readonly baseCoin!: string | null;

  @Field(() => String, { nullable: true, description: "Coin that it is priced in" })
  readonly quoteCoin!: string | null;

  @EnumField(() => SpotSymbolStatus, "State of trading", { nullable: true })
  readonly status!: SpotSymbolStatus | null;

  @Field(() => FeeRates, { description: "Default fees: an account may have its own" })
  readonly fees!: FeeRates;

  @Field(() => Precision, { description: "How many decimals prices and amounts may have" })
  readonly precision!: Precision;

  @Field(() => TradeSize, { description: "How small and how large an order may be (`tradeSize`)" })
  readonly orderSize!: TradeSize;

  @Field(() => PriceLimits, { description: "How far from the market an order may be priced" })
  readonly priceLimits!: PriceLimits;

  @Field(() => Int, { nullable: true, description: "Most open orders that an account may have in this symbol (`orderQuantity`)" })
  readonly maxOpenOrders!: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Is the pair restricted to some regions? Null where the exchange does not say",
  })
  readonly areaSymbol!: boolean | null;

  @Field(() => DateTime, { nullable: true, description: "Delisting; null where none is planned" })
  readonly offTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "Listing; the exchange no longer maintains it" })
  readonly openTime!: number | null;
}
