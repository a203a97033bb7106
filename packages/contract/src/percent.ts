import { type Field, optionalDecimal } from "./codec.js";
import { exact, hundredth, plain } from "./decimal.js";

/** A share that the exchange writes in percent, as the fraction of the graph: `65` is read as `0.65`, exactly. */
export function optionalPercent(doc: string, ...keys: readonly string[]): Field<string | null> {
  const field = optionalDecimal(doc, ...keys);
  return {
    ...field,
    decode(wire) {
      const percent = field.decode(wire);
      return percent === null ? null : hundredth(percent);
    },
  };
}

/** A fraction as percent, for the exchange: `0.65` is written as `65`. */
export const inPercent = (fraction: string): string => plain(exact(fraction).times("100"));
