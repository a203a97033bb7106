import { converted, type Keys, optionalDecimal } from "./codec.js";
import { exact, hundredth, plain } from "./decimal.js";

/** A share that the exchange writes in percent, as the fraction of the graph: `65` is read as `0.65`, exactly. */
export const optionalPercent = (doc: string, ...keys: Keys) => converted(optionalDecimal(doc, ...keys), hundredth);

/** A fraction as percent, for the exchange: `0.65` is written as `65`. */
export const inPercent = (fraction: string): string => plain(exact(fraction).times("100"));
