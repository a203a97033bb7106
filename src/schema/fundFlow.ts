import { Field } from "type-graphql";
import { RecordType } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("What one class of investors bought and sold on the spot market")
class InvestorFlow {
  @Field(() => Decimal, { nullable: true, description: "Bought by the class, for example `whaleBuyVolume`" })
  readonly buyVolume!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Sold by the class, for example `whaleSellVolume`" })
  readonly sellVolume!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "The class's share of all purchases, as a fraction, for example `whaleBuyRatio`",
  })
  readonly buyRatio!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "The class's share of all sales, as a fraction, for example `whaleSellRatio`",
  })
  readonly sellRatio!: string | null;
}

@RecordType("Who buys and who sells on the spot market, by size of investor")
export class SpotFundFlow {
  @Field(() => InvestorFlow, {
    description: "Large investors (`whaleBuyVolume`, `whaleSellVolume`, `whaleBuyRatio`, `whaleSellRatio`)",
  })
  readonly whale!: InvestorFlow;

  @Field(() => InvestorFlow, {
    description: "Medium investors (`dolphinBuyVolume`, `dolphinSellVolume`, `dolphinBuyRatio`, `dolphinSellRatio`)",
  })
  readonly dolphin!: InvestorFlow;

  @Field(() => InvestorFlow, {
    description: "Small investors (`fishBuyVolume`, `fishSellVolume`, `fishBuyRatio`, `fishSellRatio`)",
  })
  readonly fish!: InvestorFlow;
}
