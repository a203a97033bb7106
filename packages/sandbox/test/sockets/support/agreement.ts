import { exact, isDecimalText, plain } from "@exchange-graph/contract/decimal";
import { expect } from "vitest";

/** Decimals without the zeros that one API version pads them with: equal to the last digit is equal here. */
const normal = (value: unknown): unknown => (typeof value === "string" && isDecimalText(value) ? plain(exact(value)) : value);

/** Holds a pushed record against the one that was read. `apart`: fields that only one of the two has. */
export function expectAgreement(pushed: object, read: object, ...apart: readonly string[]): void {
  const known = new Map(Object.entries(read));
  const shared = Object.entries(pushed).filter(([name]) => known.has(name) && !apart.includes(name) && !name.endsWith("Raw"));
  const differences = shared.filter(([name, value]) => JSON.stringify(deep(value)) !== JSON.stringify(deep(known.get(name))));
  expect(differences.map(([name, value]) => ({ name, pushed: value, read: known.get(name) }))).toEqual([]);
  expect(shared.length).toBeGreaterThan(3);
}

const deep = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(deep)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deep(inner)]))
      : normal(value);
