import { decimal, of } from "./fields.js";
import { fieldsOf, RecordType } from "./record.js";

@RecordType("What one class of investors bought and sold on the spot market")
class InvestorFlow extends fieldsOf({
  buyVolume: decimal.orNull("Bought by the class, for example `whaleBuyVolume`"),
  sellVolume: decimal.orNull("Sold by the class, for example `whaleSellVolume`"),
  buyRatio: decimal.orNull("The class's share of all purchases, as a fraction, for example `whaleBuyRatio`"),
  sellRatio: decimal.orNull("The class's share of all sales, as a fraction, for example `whaleSellRatio`"),
}) {}

@RecordType("Purchases and sales on the spot market, by size of investor")
export class SpotFundFlow extends fieldsOf({
  whale: of(InvestorFlow)("Large investors (`whaleBuyVolume`, `whaleSellVolume`, `whaleBuyRatio`, `whaleSellRatio`)"),
  dolphin: of(InvestorFlow)("Medium investors (`dolphinBuyVolume`, `dolphinSellVolume`, `dolphinBuyRatio`, `dolphinSellRatio`)"),
  fish: of(InvestorFlow)("Small investors (`fishBuyVolume`, `fishSellVolume`, `fishBuyRatio`, `fishSellRatio`)"),
}) {}
