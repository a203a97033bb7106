import type { Field, FieldSet } from "./codec.js";
import { isObject } from "./json.js";

/**
 * Documented keys that no record reads, or only some do: repeated parameters of the call, internal numbers, and figures under two
 * names.
 */
const NOT_READ: ReadonlySet<string> = new Set([
  ...["category", "symbol", "type", "userId", "requestId", "matchType", "openTime", "triggerType"],
  ...["price", "priceAvg", "size", "accountEquity", "btcEquity", "coupon"],
  ...["locked", "crossedMaxAvailable", "isolatedMaxAvailable"],
  ...["coinId", "maxId", "newTransferId", "oldTransferId", "positionType", "positionAmount", "positionBalance", "uTime"],
  ...["notionalUsd", "pnl", "fillNotionalUsd", "actualSize", "triggerTime", "stpMode", "isolatedMarginRate", "posId"],
]);

/** Maximum number of keys of one object that are compared. */
const MAX_KEYS = 200;

/** Fields by each of their wire keys. */
const byKey = new WeakMap<FieldSet, ReadonlyMap<string, Field<unknown>>>();

function keysOf(fields: FieldSet): ReadonlyMap<string, Field<unknown>> {
  const cached = byKey.get(fields);
  if (cached !== undefined) return cached;
  const keys = new Map(Object.entries(fields).flatMap(([name, field]) => (field.keys ?? [name]).map((key) => [key, field])));
  byKey.set(fields, keys);
  return keys;
}

/**
 * Paths of the keys in an answer or push that its codec does not have, without list indexes. Of a list only the first and the
 * last row are compared, since rows of one list have the same keys.
 */
export function* unknownFields(fields: FieldSet | undefined, wire: unknown, path = ""): Generator<string> {
  if (fields === undefined) return;
  if (Array.isArray(wire)) {
    yield* unknownFields(fields, wire[0], path);
    if (wire.length > 1) yield* unknownFields(fields, wire.at(-1), path);
    return;
  }
  if (!isObject(wire)) return;
  const keys = keysOf(fields);
  for (const key of Object.keys(wire).slice(0, MAX_KEYS)) {
    const field = keys.get(key);
    if (field !== undefined) yield* unknownFields(field.fields, wire[key], `${path}${key}.`);
    else if (!NOT_READ.has(key)) yield `${path}${key}`;
  }
}
