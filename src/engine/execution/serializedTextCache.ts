import type { GraphQLObjectType } from "graphql";
import { LRUCache } from "lru-cache";
import { inOnePiece, type WriteValue } from "./values.js";

const MAX_SELECTIONS = 64;

/**
 * Whether records of the type outlive a request. Then many answers contain the same record, and its text for a selection is
 * always the same.
 */
export const isLasting = ({ extensions }: GraphQLObjectType): boolean => extensions.lasting === true;

/** Serialized records by selection. A text is dropped with its record, or with its least recently used selection. */
export class SerializedTextCache {
  readonly #bySelection = new LRUCache<WriteValue, WeakMap<object, string>>({ max: MAX_SELECTIONS });

  of(selection: WriteValue): WeakMap<object, string> {
    const cached = this.#bySelection.get(selection);
    if (cached !== undefined) return cached;
    const texts = new WeakMap<object, string>();
    this.#bySelection.set(selection, texts);
    return texts;
  }
}

/** Caches the text of each record. A text with errors is not cached, because the errors have to be reported each time. */
export function remembered(texts: SerializedTextCache, write: WriteValue): WriteValue {
  return (run, value, path) => {
    if (typeof value !== "object" || value === null) return write(run, value, path);
    const ofRecords = texts.of(write);
    const cached = ofRecords.get(value);
    if (cached !== undefined) return cached;
    const errors = run.errors.length;
    const text = write(run, value, path);
    if (typeof text === "string" && run.errors.length === errors) ofRecords.set(value, inOnePiece(text));
    return text;
  };
}
