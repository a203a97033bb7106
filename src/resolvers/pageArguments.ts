import { DEFAULT_FIRST, KEPT_MS, MAX_FIRST, MIN_AGE_MS, type SliceArguments } from "../datasources/reads/index.js";
import { integer, text, time } from "../schema/fields.js";
import { Arguments, extended, fieldsOf } from "../schema/record.js";

/** Arguments for a page that contains what can be read, and names what cannot. */
export const partial = <A extends SliceArguments>(page: A): A & SliceArguments => ({ ...page, isPartial: true });

@Arguments()
export class PageArguments extends fieldsOf({
  after: text.optional("Only rows after this cursor, which has to be one of the same list"),
  first: integer.optional(
    `Number of rows, from 1 to ${MAX_FIRST}; the gateway reads as many of the exchange's pages as needed. Default: ${DEFAULT_FIRST}`,
    DEFAULT_FIRST,
  ),
}) {}

/** Arguments of lists of current objects with a creation time. */
@Arguments()
export class CreatedArguments extends extended(PageArguments, {
  from: time.optional("Only rows created from this time on. Default: all"),
  to: time.optional("Only rows created up to this time. Default: now"),
}) {}

@Arguments()
export class HistoryArguments extends extended(PageArguments, {
  from: time.optional("Only rows from this time on. Default: as far back as the exchange's data"),
  to: time.optional("Only rows up to this time. Default: now"),
}) {}

/** Options of the argument `maxAgeMs`: `usual` is the default bound. */
const maxAge = (usual: string) => ({
  nullable: true,
  description: `Maximum age of the answer, in milliseconds, from ${MIN_AGE_MS} to ${KEPT_MS}. An answer within it is returned at once and refreshed while it is read; otherwise the exchange is called. Default: ${usual}`,
});

/** Options of arguments that several lists have. */
export const ONLY_SYMBOLS = { nullable: true, description: "Only these symbols. Default: all" };
export const ONLY_COINS = { nullable: true, description: "Only these coins. Default: all" };
/** Options of the argument of a single symbol. */
export const SYMBOL = { description: "Symbol name, for example `BTCUSDT`" };

export const WITHIN_HALF_A_MINUTE = maxAge("30,000");
export const WITHIN_TEN_SECONDS = maxAge("10,000");
export const WITHIN_A_MINUTE = maxAge("60,000");
