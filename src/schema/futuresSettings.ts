import { HoldMode, MarginMode } from "./enums/position.js";
import { decimal, text, word } from "./fields.js";
import { fieldsOf, RecordType } from "./record.js";

@RecordType("Margin mode and leverage of a futures symbol for an account, with or without a position in it")
export class FuturesSettings extends fieldsOf({
  symbol: text("Symbol name, for example `BTCUSDT`"),
  holdMode: word(HoldMode).orNull("Position mode (Classic: `posMode`)"),
  marginMode: word(MarginMode).orNull("Margin mode of the symbol; null on a unified account where it was never set"),
  leverage: decimal.orNull(
    "Leverage in this margin mode; null where the two sides of isolated margin differ, or it was never set",
  ),
  crossedMarginLeverage: decimal.orNull("Leverage with cross margin; Classic only"),
  isolatedLongLeverage: decimal.orNull("Leverage of isolated long positions; Classic only (`isolatedLongLever`)"),
  isolatedShortLeverage: decimal.orNull("Leverage of isolated short positions; Classic only (`isolatedShortLever`)"),
}) {}
