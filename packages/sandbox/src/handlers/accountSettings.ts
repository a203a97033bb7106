import { exact } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import {
  classicSetHoldMode,
  classicSetLeverage,
  classicSetMarginMode,
  setHoldMode,
  setLeverage,
} from "@exchange-graph/contract/leverage";
import { classicSetMargin } from "@exchange-graph/contract/position";
import { Refused } from "../refused.js";
import type { Settings } from "../world/accountSettings.js";
import type { SymbolSetting } from "../world/accounts.js";
import type { Markets } from "../world/market/markets.js";
import { type Handler, signed } from "./handler.js";
import { categoryOf, contractIn } from "./symbols.js";

/** Answer of v3 setters. */
const DONE = "success";

/** Leverage, modes and isolated margin. */
export const settingsHandlers = (settings: Settings, markets: Markets): readonly Handler[] => [
  signed(setLeverage, ({ values, uid }) => {
    const { category, symbol = "", coin = "", posSide } = values;
    const leverage = wholeLeverage(values.leverage);
    if (category === "MARGIN") settings.setCoinLeverage(uid, inCapitals(coin), leverage);
    else settings.setLeverage({ uid, category, symbol }, posSide === undefined ? everywhere(leverage) : { [posSide]: leverage });
    return DONE;
  }),

  signed(setHoldMode, ({ values, uid }) => {
    settings.setHoldMode(uid, values.holdMode);
    return DONE;
  }),

  signed(classicSetLeverage, ({ values, uid }) => {
    const { holdSide, leverage, longLeverage, shortLeverage } = values;
    const { category, symbol, contract } = contractIn(markets, categoryOf(values.productType), values);
    const named = leverage === undefined ? undefined : wholeLeverage(leverage);
    const after = settings.setLeverage(
      { uid, category, symbol },
      {
        ...(named === undefined ? {} : holdSide === undefined ? everywhere(named) : { [holdSide]: named }),
        ...(longLeverage === undefined ? {} : { long: wholeLeverage(longLeverage) }),
        ...(shortLeverage === undefined ? {} : { short: wholeLeverage(shortLeverage) }),
      },
    );
    return symbolLeverage(symbol, contract.marginCoin, after);
  }),

  signed(classicSetMarginMode, ({ values, uid }) => {
    const { category, symbol, contract } = contractIn(markets, categoryOf(values.productType), values);
    const after = settings.setMarginMode({ uid, category, symbol }, values.marginMode);
    return symbolLeverage(symbol, contract.marginCoin, after);
  }),

  signed(classicSetHoldMode, ({ values, uid }) => {
    settings.setHoldMode(uid, values.posMode, categoryOf(values.productType));
    return { posMode: values.posMode };
  }),

  signed(classicSetMargin, ({ values, uid }) => {
    const { category, symbol } = contractIn(markets, categoryOf(values.productType), values);
    settings.adjustMargin({ uid, category, symbol, side: values.holdSide }, exact(values.amount));
    return "";
  }),
];

const everywhere = (leverage: number) => ({ crossed: leverage, long: leverage, short: leverage });

function wholeLeverage(leverage: string): number {
  if (!/^\d{1,3}(?:\.0+)?$/.test(leverage)) throw new Refused(REFUSAL.malformedParameter, "leverage");
  return Number.parseInt(leverage, 10);
}

const symbolLeverage = (symbol: string, marginCoin: string, { marginMode, crossed, long, short }: SymbolSetting): unknown => ({
  symbol,
  marginCoin,
  longLeverage: String(marginMode === "crossed" ? crossed : long),
  shortLeverage: String(marginMode === "crossed" ? crossed : short),
  crossMarginLeverage: String(crossed),
  marginMode,
});
