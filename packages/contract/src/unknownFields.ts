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
export function unknownFields(fields: FieldSet | undefined, wire: unknown): readonly string[] {
  const unknown: string[] = [];
  if (fields !== undefined) collect(unknown, fields, wire, "");
  return unknown;
}

function collect(unknown: string[], fields: FieldSet, wire: unknown, path: string): void {
  if (Array.isArray(wire)) {
    collect(unknown, fields, wire[0], path);
    if (wire.length > 1) collect(unknown, fields, wire.at(-1), path);
    return;
  }
  if (!isObject(wire)) return;
  const known = keysOf(fields);
  const keys = Object.keys(wire);
  for (let at = 0; at < keys.length && at < MAX_KEYS; at++) {
    const key = keys[at] ?? "";
    const field = known.get(key);
    if (field?.fields !== undefined) collect(unknown, field.fields, wire[key], `${path}${key}.`);
    else if (field === undefined && !NOT_READ.has(key)) unknown.push(`${path}${key}`);
  }
}
