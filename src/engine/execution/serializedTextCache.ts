import type { GraphQLObjectType } from "graphql";
import { LRUCache } from "lru-cache";
import { inOnePiece } from "./text.js";
import type { WriteValue } from "./values.js";

/** Selections on lasting records that are remembered at the same time. */
const MAX_SELECTIONS = 64;

/**
 * Do the type's records outlive the request that read them? Then many answers hold the same record, and one selection
 * of it is the same text each time.
 */
export const isLasting = ({ extensions }: GraphQLObjectType): boolean => extensions.lasting === true;

/** What selections have made of records. A text goes with its record, or with its selection when that is not used. */
export class SerializedTextCache {
  readonly #bySelection = new LRUCache<WriteValue, WeakMap<object, string>>({ max: MAX_SELECTIONS });

  of(selection: WriteValue): WeakMap<object, string> {
    const known = this.#bySelection.get(selection);
    if (known !== undefined) return known;
    const texts = new WeakMap<object, string>();
    this.#bySelection.set(selection, texts);
    return texts;
  }
}

/** Writes each record once. What failed in part is not remembered: it has errors to report each time. */
export function remembered(texts: SerializedTextCache, write: WriteValue): WriteValue {
  return (run, value, path) => {
    if (typeof value !== "object" || value === null) return write(run, value, path);
    const ofRecords = texts.of(write);
    const known = ofRecords.get(value);
    if (known !== undefined) return known;
    const errors = run.errors.length;
    const text = write(run, value, path);
    if (typeof text === "string" && run.errors.length === errors) ofRecords.set(value, inOnePiece(text));
    return text;
  };
}
