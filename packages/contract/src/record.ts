import type { Codec, Field, FieldSet, RecordOf } from "./codec.js";
import { isObject, type JsonObject } from "./json.js";
import { type Finding, placeWithin, UnknownValue, WireError } from "./wireError.js";
import { firstPresent, isMissing, readText } from "./wireValues.js";

/** A codec whose fields can be reused by name, so that another record can have other wire keys for them. */
export interface RecordCodec<S extends FieldSet> extends Codec<RecordOf<S>> {
  readonly fields: S;
}

/** The parts of a field that decoding needs, in order. */
const planOf = (fields: FieldSet) =>
  Object.entries(fields).map(([name, { keys, decode, tokens, optional, needed, fields: inner, hasRows = false }]) => {
    const [key = name, ...others] = keys ?? [];
    const hasParts = inner !== undefined || hasRows;
    const mayFail = optional === true && needed !== true;
    return { name, key, others, decode, mayFail, hasParts, raw: tokens === undefined ? undefined : `${name}Raw` };
  });

type Step = ReturnType<typeof planOf>[number];

/**
 * Decodes a record by a generated function with one line per field: a loop over fields of all kinds takes twice the time. Its
 * source contains names of the contract only. A record with a field that cannot be read is decoded again, field by field.
 */
function readerOf(plan: readonly Step[]): (wire: JsonObject, found: Finding[] | undefined) => unknown {
  const lines = plan.map(({ key, others, hasParts, raw }, at) => {
    const value = `wire[${JSON.stringify(key)}]`;
    return [
      `const wire${at} = ${others.length === 0 ? value : `isMissing(${value}) ? firstPresent(wire, plan[${at}].others) : ${value}`};`,
      hasParts ? `const field${at} = withParts(plan[${at}], wire${at}, found);` : `const field${at} = decode${at}(wire${at});`,
      raw === undefined ? "" : `const raw${at} = isMissing(wire${at}) ? null : readText(wire${at});`,
      raw === undefined
        ? ""
        : `if (field${at} === "UNKNOWN" && found !== undefined) found.push(new UnknownValue(plan[${at}].key, raw${at}));`,
    ].join("\n");
  });
  const fields = plan.flatMap(({ name, raw }, at) => [
    `${JSON.stringify(name)}: field${at}`,
    ...(raw === undefined ? [] : [`${JSON.stringify(raw)}: raw${at}`]),
  ]);
  const make = new Function(
    ...["plan", "isMissing", "firstPresent", "readText", "withParts", "UnknownValue", "fieldByField"],
    `"use strict";
    ${plan.map((_, at) => `const decode${at} = plan[${at}].decode;`).join("\n")}
    return (wire, found) => {
      const before = found === undefined ? 0 : found.length;
      try {
        ${lines.join("\n")}
        return { ${fields.join(", ")} };
      } catch (error) {
        if (found !== undefined) found.length = before;
        return fieldByField(plan, (step) => firstPresent(wire, [step.key, ...step.others]), found, error);
      }
    };`,
  );
  return make(plan, isMissing, firstPresent, readText, withParts, UnknownValue, fieldByField);
}

/** Decodes a record or a list as a field: the paths of its findings begin with the field. */
function withParts({ key, decode }: Step, value: unknown, found: Finding[] | undefined): unknown {
  if (found === undefined) return decode(value);
  const before = found.length;
  const read = decode(value, found);
  if (found.length > before) placeWithin(found, before, key);
  return read;
}

/**
 * Decodes a record of which a field cannot be read, after this error. Fields that may be missing are `null`; one that
 * the record needs fails it.
 */
function fieldByField(
  plan: readonly Step[],
  valueOf: (step: Step) => unknown,
  found: Finding[] | undefined,
  failure: unknown,
): unknown {
  if (!(failure instanceof WireError)) throw failure;
  const record: Record<string, unknown> = {};
  for (const step of plan) {
    const { name, key, mayFail, raw } = step;
    const value = valueOf(step);
    try {
      record[name] = withParts(step, value, found);
      if (raw === undefined) continue;
      record[raw] = isMissing(value) ? null : readText(value);
      if (record[name] === "UNKNOWN") found?.push(new UnknownValue(key, String(record[raw])));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      error.within(key);
      if (!mayFail) throw error;
      error.isOfField = true;
      found?.push(error);
      record[name] = null;
      if (raw !== undefined) record[raw] = null;
    }
  }
  return record;
}

/** A JSON object with the given fields. Keys that are not in the contract are dropped. */
export function record<const S extends FieldSet>(fields: S): RecordCodec<S> {
  const plan = planOf(fields);
  let read: ReturnType<typeof readerOf> | undefined;
  return {
    fields,
    ...(Object.values<Field<unknown>>(fields).some(({ hasRows }) => hasRows) ? { hasRows: true } : {}),
    decode(wire, found) {
      if (!isObject(wire)) throw new WireError("an object");
      // Created on first use, to save time at the start.
      read ??= readerOf(plan);
      return read(wire, found) as RecordOf<S>;
    },
  };
}

/** A fixed row such as a candle or a book level: positions become named fields. */
export function row<const S extends FieldSet>(fields: S): RecordCodec<S> {
  const plan = planOf(fields);
  return {
    fields,
    decode(wire, found) {
      if (!Array.isArray(wire)) throw new WireError("a row");
      const result: Record<string, unknown> = {};
      for (let at = 0; at < plan.length; at++) {
        const step = plan[at];
        if (step === undefined) continue;
        try {
          result[step.name] = step.decode(wire[at]);
        } catch (error) {
          return fieldByField(plan, (one) => wire[plan.indexOf(one)], found, error) as RecordOf<S>;
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
