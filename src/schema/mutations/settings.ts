import { FuturesCategoryInput, FuturesProductType } from "../enums/category.js";
import { HoldMode, HoldModeInput, MarginModeInput, PositionSideInput } from "../enums/position.js";
import { LeverageCategory } from "../enums/write.js";
import { decimal, of, text } from "../fields.js";
import { extended, Input, RecordType } from "../record.js";
import { WriteInput, WritePayload } from "./write.js";

const SYMBOL = "Symbol name, for example `BTCUSDT`; letter case does not matter";

@Input("Margin to put into an isolated position, or to take out of it. Classic accounts only")
export class AdjustPositionMarginInput extends extended(WriteInput, {
  category: of(FuturesProductType)("Futures category of the position, or its demo twin (`productType`)"),
  symbol: text(SYMBOL),
  posSide: of(PositionSideInput)("Which position (`holdSide`)"),
  amount: decimal("In margin coin: positive to put in, negative to take out"),
  marginCoin: text.optional("Margin coin in capitals. Default: the contract's own"),
}) {}

@RecordType("An isolated position whose margin was changed", { implements: WritePayload })
export class AdjustPositionMarginPayload extends WritePayload {}

@Input("The leverage of a futures symbol, or of a coin that is borrowed")
export class SetLeverageInput extends extended(WriteInput, {
  category: of(LeverageCategory)("Where leverage is to be set"),
  symbol: text.optional(`${SYMBOL}. Required for futures`),
  coin: text.optional("Coin, for example `USDT`. Required for MARGIN"),
  leverage: decimal("Leverage, for example `20`"),
  posSide: of(PositionSideInput).optional("With isolated margin: which of the two positions"),
}) {}

@RecordType("Leverage that was set", { implements: WritePayload })
export class SetLeveragePayload extends extended(WritePayload, {
  leverage: decimal.orNull("Leverage after the write; null unless accepted"),
}) {}

@Input("The position mode of futures. It cannot change while there are positions or orders")
export class SetHoldModeInput extends extended(WriteInput, {
  holdMode: of(HoldModeInput)("Position mode (Classic: `posMode`)"),
  category: of(FuturesCategoryInput).optional(
    "Required on a Classic account, which has a mode per category; a unified account has one for all",
  ),
}) {}

@RecordType("A position mode that was set", { implements: WritePayload })
export class SetHoldModePayload extends extended(WritePayload, {
  holdMode: of(HoldMode).orNull("Position mode after the write; null unless accepted"),
}) {}

@Input("The margin mode of a futures symbol. It cannot change while there are positions or orders in it. Classic accounts only")
export class SetMarginModeInput extends extended(WriteInput, {
  category: of(FuturesCategoryInput)("Futures category of the symbol (`productType`)"),
  symbol: text(SYMBOL),
  marginMode: of(MarginModeInput)("Margin mode"),
}) {}

@RecordType("A margin mode that was set", { implements: WritePayload })
export class SetMarginModePayload extends WritePayload {}
