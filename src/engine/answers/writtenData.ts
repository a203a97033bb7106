import type { FormattedExecutionResult } from "graphql";

/** The texts of data that was written as JSON already, by what stands for it on its way through Apollo. */
const texts = new WeakMap<object, string>();

/** Stands for data that is JSON already. Reading it only to write it again would hold up everybody while it lasts. */
export function writtenData(json: string): Record<string, unknown> | null {
  if (json === "null") return null;
  const data = {};
  texts.set(data, json);
  return data;
}

/** The data itself. */
export function dataOf(data: object): unknown {
  const json = texts.get(data);
  return json === undefined ? data : JSON.parse(json);
}

/** A result as JSON. */
export function resultText(result: FormattedExecutionResult): string {
  const { data, errors, extensions } = result;
  const json = data === null || data === undefined ? undefined : texts.get(data);
  if (json === undefined) return JSON.stringify(result);
  const before = errors === undefined ? "" : `"errors":${JSON.stringify(errors)},`;
  const after = extensions === undefined ? "" : `,"extensions":${JSON.stringify(extensions)}`;
  return `{${before}"data":${json}${after}}`;
}
