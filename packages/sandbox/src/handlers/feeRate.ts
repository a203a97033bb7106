import { classicFeeRates, feeRates } from "@exchange-graph/contract/feeRate";
import { isNamed } from "@exchange-graph/contract/letterCase";
import type { Instrument } from "../world/catalogue/instrument.js";
import type { Catalogue } from "../world/catalogue.js";
import { type Handler, signed } from "./handler.js";

/** Fee rates of accounts. All users trade at the fees of the lowest level, which are those of the instruments. */
export const feeRateHandlers = (catalogue: Catalogue): readonly Handler[] => [
  signed(feeRates, ({ values }) => pairsOf(catalogue, values.category).map(rateOf)),
  signed(classicFeeRates, ({ values: { businessType, symbol } }) => {
    const instruments =
      businessType === "mix" ? catalogue.futures : pairsOf(catalogue, businessType === "spot" ? "SPOT" : "MARGIN");
    return instruments.filter((instrument) => isNamed(instrument.symbol, symbol)).map(rateOf);
  }),
];

/** Instruments of a category; of margin those that can be traded with borrowed coins. */
const pairsOf = (catalogue: Catalogue, category: Parameters<Catalogue["list"]>[0]): readonly Instrument[] =>
  catalogue.list(category).filter(({ symbol }) => category !== "MARGIN" || catalogue.marginPair(symbol) !== undefined);

const rateOf = ({ symbol, makerFeeRate, takerFeeRate }: Instrument) => ({ symbol, makerFeeRate, takerFeeRate });
