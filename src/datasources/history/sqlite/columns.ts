import { isObject } from "@exchange-graph/contract/json";

/** Decodes columns of the history's tables without zod, which would take most of the thread's start. */

const column = (row: unknown, name: string): unknown => (isObject(row) ? row[name] : undefined);

export function integer(row: unknown, name: string): number {
  const value = column(row, name);
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new TypeError(`${name} is not an integer`);
}

export function text(row: unknown, name: string): string {
  const value = column(row, name);
  if (typeof value === "string") return value;
  throw new TypeError(`${name} is not text`);
}

export function blobOf(row: unknown, name: string): Buffer {
  const value = column(row, name);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  throw new TypeError(`${name} is not bytes`);
}
