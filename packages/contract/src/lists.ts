import { type Codec, type Field, type Keys, named, orNull, shapeOf } from "./codec.js";
import { MAX_TEXT } from "./exchangeText.js";
import { isObject } from "./json.js";
import type { Row } from "./rows.js";
import { placeWithin, WireError } from "./wireError.js";
import { firstPresent, isMissing, readText } from "./wireValues.js";

/** Reads the id of a wire row, by the field that identifies rows of this record. */
const rowIdOf = ({ fields = {} }: Codec<unknown>): ((wire: unknown) => string | undefined) => {
  const [name, { keys = [name ?? ""] } = {}] = Object.entries(fields).find(([, { isId }]) => isId === true) ?? [];
  if (name === undefined) return () => undefined;
  return (wire) => {
    const value = isObject(wire) ? firstPresent(wire, keys) : undefined;
    const id = typeof value === "string" || typeof value === "number" ? String(value) : "";
    return id === "" || id.length > MAX_TEXT ? undefined : id;
  };
};

/** A list of rows that are decoded separately; `null`, empty text and a missing key are the empty list. */
export function listOf<T>(item: Codec<T>): Codec<readonly Row<T>[]> {
  const rowId = rowIdOf(item);
  return {
    ...shapeOf(item),
    hasRows: true,
    decode(wire, found) {
      if (isMissing(wire)) return [];
      if (!Array.isArray(wire)) throw new WireError("a list");
      const items: Row<T>[] = [];
      for (let at = 0; at < wire.length; at++) {
        const before = found === undefined ? 0 : found.length;
        try {
          items.push(item.decode(wire[at], found));
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
          error.within(at);
          if (found === undefined) throw error;
          error.rowId = rowId(wire[at]);
          // The findings of the parts of a failed row are dropped with it.
          found.length = before;
          found.push(error);
          items.push(error);
          continue;
        }
        if (found !== undefined && found.length > before) placeWithin(found, before, at);
      }
      return items;
    },
  };
}

/** A list that is only meaningful as a whole, such as one side of a book: one unreadable item fails it. */
export const strictListOf = <T>(item: Codec<T>): Codec<readonly T[]> => ({
  ...shapeOf(item),
  decode(wire, found) {
    if (isMissing(wire)) return [];
    if (!Array.isArray(wire)) throw new WireError("a list");
    const items: T[] = [];
    // An unread row within an item fails it, so its lists are decoded without `found`.
    const parts = item.hasRows === true ? undefined : found;
    for (let at = 0; at < wire.length; at++) {
      const before = parts === undefined ? 0 : parts.length;
      try {
        items.push(item.decode(wire[at], parts));
        if (parts !== undefined && parts.length > before) placeWithin(parts, before, at);
      } catch (error) {
        throw error instanceof WireError ? error.within(at) : error;
      }
    }
    return items;
  },
});

export const list = <T>(doc: string, item: Codec<T>, ...keys: Keys): Field<readonly Row<T>[]> => ({
  ...listOf(item),
  doc,
  ...named(keys),
});

/** A list that is only meaningful as a whole, as a field of a record. */
export const strictList = <T>(doc: string, item: Codec<T>, ...keys: Keys): Field<readonly T[]> => ({
  ...strictListOf(item),
  doc,
  ...named(keys),
});

export const nested = <T>(doc: string, inner: Codec<T>, ...keys: Keys): Field<T> => ({
  doc,
  ...shapeOf(inner),
  ...named(keys),
  decode: (wire, found) => inner.decode(wire, found),
});

export const texts = (doc: string, ...keys: Keys): Field<readonly string[]> => strictList(doc, { decode: readText }, ...keys);
export const optionalTexts = (doc: string, ...keys: Keys): Field<readonly string[] | null> => ({
  doc,
  optional: true,
  ...named(keys),
  decode: orNull(strictListOf({ decode: readText }).decode),
});
