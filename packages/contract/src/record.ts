import type { Codec, FieldSet, RecordOf } from "./codec.js";
import { isObject, type JsonObject } from "./json.js";
import { placeWithin, WireError } from "./wireError.js";
import { firstPresent, isMissing, readText } from "./wireValues.js";

/** A codec whose fields can be reused by name, so that another record can have other wire keys for them. */
export interface RecordCodec<S extends FieldSet> extends Codec<RecordOf<S>> {
  readonly fields: S;
}

/** The parts of a field that decoding needs, in order. */
const planOf = (fields: FieldSet) =>
  Object.entries(fields).map(([name, { keys, decode, tokens, hasRows = false }]) => {
    const [key = name, ...others] = keys ?? [];
    return { name, key, others, decode, hasRows, raw: tokens === undefined ? undefined : `${name}Raw` };
  });

type Step = ReturnType<typeof planOf>[number];

/**
 * Decodes a record by a generated function with one line per field: a loop over fields of all kinds takes twice the time. Its
 * source contains names of the contract only.
 */
function readerOf(plan: readonly Step[]): (wire: JsonObject, unread: WireError[] | undefined) => unknown {
  const lines = plan.map(({ key, others, hasRows, raw }, at) => {
    const value = `wire[${JSON.stringify(key)}]`;
    return [
      `at = ${at};`,
      `const wire${at} = ${others.length === 0 ? value : `isMissing(${value}) ? firstPresent(wire, plan[${at}].others) : ${value}`};`,
      hasRows ? `const field${at} = withRows(plan[${at}], wire${at}, unread);` : `const field${at} = decode${at}(wire${at});`,
      raw === undefined ? "" : `const raw${at} = isMissing(wire${at}) ? null : readText(wire${at});`,
    ].join("\n");
  });
  const fields = plan.flatMap(({ name, raw }, at) => [
    `${JSON.stringify(name)}: field${at}`,
    ...(raw === undefined ? [] : [`${JSON.stringify(raw)}: raw${at}`]),
  ]);
  const make = new Function(
    ...["plan", "isMissing", "firstPresent", "readText", "withRows", "located"],
    `"use strict";
    ${plan.map((_, at) => `const decode${at} = plan[${at}].decode;`).join("\n")}
    return (wire, unread) => {
      let at = 0;
      try {
        ${lines.join("\n")}
        return { ${fields.join(", ")} };
      } catch (error) {
        throw located(error, plan[at].key);
      }
    };`,
  );
  return make(plan, isMissing, firstPresent, readText, withRows, located);
}

/** A field with rows that can fail alone. */
function withRows({ key, decode }: Step, value: unknown, unread: WireError[] | undefined): unknown {
  const known = unread === undefined ? 0 : unread.length;
  const read = decode(value, unread);
  if (unread !== undefined) placeWithin(unread, known, key);
  return read;
}

const located = (error: unknown, key: string): unknown => (error instanceof WireError ? error.within(key) : error);

/** A JSON object with the given fields. Keys that are not in the contract are dropped. */
export function record<const S extends FieldSet>(fields: S): RecordCodec<S> {
  const plan = planOf(fields);
  let read: ReturnType<typeof readerOf> | undefined;
  return {
    fields,
    ...(plan.some(({ hasRows }) => hasRows) ? { hasRows: true } : {}),
    decode(wire, unread) {
      if (!isObject(wire)) throw new WireError("an object");
      // Created on first use, to save time at the start.
      read ??= readerOf(plan);
      return read(wire, unread) as RecordOf<S>;
    },
  };
}

/** A fixed row such as a candle or a book level: positions become named fields. */
export function row<const S extends FieldSet>(fields: S): RecordCodec<S> {
  const plan = planOf(fields);
  return {
    fields,
    decode(wire) {
      if (!Array.isArray(wire)) throw new WireError("a row");
      const result: Record<string, unknown> = {};
      for (let at = 0; at < plan.length; at++) {
        const step = plan[at];
        if (step === undefined) continue;
        try {
          result[step.name] = step.decode(wire[at]);
        } catch (error) {
          throw error instanceof WireError ? error.within(step.name) : error;
        }
      }
      return result as RecordOf<S>;
    },
  };
}

/** The same fields under other wire keys, for the record of the other API version. */
export const withWireKeys = <const S extends FieldSet>(
  fields: S,
  wireKeys: { readonly [K in keyof S]?: readonly string[] },
): S => {
  const keysOf: Readonly<Record<string, readonly string[] | undefined>> = wireKeys;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, keysOf[name] === undefined ? field : { ...field, keys: keysOf[name] }]),
  ) as unknown as S;
};
