import { exact, plain } from "../decimal.js";
import { decimal, type Field } from "./codec.js";

/** A share that the exchange writes in percent, as the fraction that the graph shows: `65` is read as `0.65`, exactly. */
export function percent(doc: string, ...keys: readonly string[]): Field<string> {
  const field = decimal(doc, ...keys);
  return { ...field, decode: (wire) => plain(exact(field.decode(wire)).times("0.01")) };
}

/** The same for a share that may be absent. */
export function optionalPercent(doc: string, ...keys: readonly string[]): Field<string | null> {
  const field = percent(doc, ...keys);
  return { ...field, decode: (wire) => (wire === undefined || wire === null || wire === "" ? null : field.decode(wire)) };
}

/** A fraction as the percent in which the exchange wants it: `0.65` is written as `65`. */
export const inPercent = (fraction: string): string => plain(exact(fraction).times("100"));
