import {
  type FieldNode,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLOutputType,
  isNonNullType,
  locatedError,
  type ResponsePath,
  responsePathAsArray,
} from "graphql";
import { ScopedRows } from "../../schema/scopedRows.js";
import type { Run } from "./run.js";

/** JSON text of a part of the response, or a promise of it. */
export type Text = string | Promise<string>;

/** Text that JSON writes unescaped: no quotes, backslashes, control characters or lone surrogates. */
const AS_IT_IS = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Up to this length a loop over the characters is faster than the regular expression. */
const SHORT = 40;

/** Whether JSON writes this text unescaped. */
export function isAsItIs(text: string): boolean {
  if (text.length > SHORT) return AS_IT_IS.test(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return false;
  }
  return true;
}

/** JSON of a string. Most strings need no escaping, and that check is faster than `JSON.stringify`. */
export const quoted = (text: string): string => (isAsItIs(text) ? `"${text}"` : JSON.stringify(text));

/** JSON of a serialized scalar or enum. */
function leafText(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "null";
  return JSON.stringify(value);
}

/** Shorter text is not worth a copy. */
const LONG = 16_384;

/** Flattens a concatenated string, which V8 keeps as a tree until a character is read. */
export function inOnePiece(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** Flattens long text: a tree of many thousand nodes that survives between slices costs more garbage collection than the copy. */
export const compact = (text: string): string => (text.length >= LONG ? inOnePiece(text) : text);

/** Text with gaps that are filled by promises. */
export class DeferredText {
  readonly #pieces: { readonly before: string; readonly gap: Promise<string> }[] = [];

  add(before: string, gap: Promise<string>): void {
    this.#pieces.push({ before, gap });
  }

  /** The complete text when all gaps are filled. Rejects if one cannot be. */
  filled(end: string): Promise<string> {
    const pieces = this.#pieces;
    const [first] = pieces;
    // Most objects have one gap.
    if (first !== undefined && pieces.length === 1) return first.gap.then((text) => first.before + text + end);
    return Promise.all(pieces.map(({ gap }) => gap)).then(
      (filled) => pieces.reduce((text, { before }, at) => `${text}${before}${filled[at]}`, "") + end,
    );
  }
}

/**
 * Writes the value of a resolver: CompleteValue of the specification. Throws or rejects if the error has to propagate to the
 * parent.
 */
export type WriteValue = (run: Run, value: unknown, path: ResponsePath) => Text;

/** The field of a value, for errors. */
export interface FieldPlace {
  /** `Type.field` */
  readonly name: string;
  /** Of the value: of the field, or of an item of its list. */
  readonly type: GraphQLOutputType;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
}

export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value && typeof value[Symbol.iterator] === "function";

/** Records a located error and writes null, or throws it to the parent if the type is non-null. */
export function failed(run: Run, error: unknown, { type, nodes }: FieldPlace, path: ResponsePath): "null" {
  const located = locatedError(error, nodes, responsePathAsArray(path));
  if (isNonNullType(type)) throw located;
  run.fail(located, path);
  return "null";
}

/** Writes a value, or a promise of one. If that fails, it writes null, throws or rejects, as `failed` does. */
export function completed(run: Run, value: unknown, write: WriteValue, place: FieldPlace, path: ResponsePath): Text {
  if (isPromise(value)) return settled(run, value, write, place, path);
  try {
    const text = write(run, value, path);
    return typeof text === "string" ? text : text.catch(failing(run, place, path));
  } catch (error) {
    return failed(run, error, place, path);
  }
}

// Functions of their own, since one that contains closures allocates their context at each call, and most values are no promises.
const settled = (run: Run, value: PromiseLike<unknown>, write: WriteValue, place: FieldPlace, path: ResponsePath) =>
  Promise.resolve(value).then((each) => completed(run, each, write, place, path), failing(run, place, path));
const failing = (run: Run, place: FieldPlace, path: ResponsePath) => (error: unknown) => failed(run, error, place, path);

/** Writes `null` for null and undefined. A value that is an error counts as thrown. */
export const nullable =
  (write: WriteValue): WriteValue =>
  (run, value, path) => {
    if (value instanceof Error) throw value;
    return value === null || value === undefined ? "null" : write(run, value, path);
  };

/** Throws or rejects instead of writing null. */
export function nonNull(write: WriteValue, { name }: FieldPlace): WriteValue {
  const present = (text: string): string => {
    if (text === "null") throw new Error(`Cannot return null for non-nullable field ${name}.`);
    return text;
  };
  return (run, value, path) => {
    const text = write(run, value, path);
    return typeof text === "string" ? present(text) : text.then(present);
  };
}

/** Serializes values of a leaf type. Throws for values that cannot be serialized. */
export function serialiser(type: GraphQLLeafType): (value: unknown) => string {
  const textOf = type.extensions.unescaped === true ? (serialised: unknown) => `"${serialised}"` : leafText;
  return (value) => {
    const serialised: unknown = type.serialize(value);
    if (serialised === null || serialised === undefined) throw new Error(`${type.name} serialised a value to nothing.`);
    return textOf(serialised);
  };
}

/**
 * A list with items of `type`. A failed nullable item does not affect the others. `read`: the properties that are read from items
 * without resolvers.
 */
export function list(writeItem: WriteValue, type: GraphQLOutputType, place: FieldPlace, read?: ReadonlySet<string>): WriteValue {
  const itemsOf = (value: Iterable<unknown>): Iterable<unknown> =>
    value instanceof ScopedRows && read !== undefined && !value.added.some((name) => read.has(name)) ? value.plain : value;
  const itemPlace = { ...place, type };
  return (run, value, path) => {
    if (!isIterable(value)) throw new GraphQLError(`Expected Iterable, but did not find one for field "${place.name}".`);
    const rows = itemsOf(value)[Symbol.iterator]();
    let text = "[";
    /** Text of the previous slices, if no part of it is pending. */
    const written: string[] = [];
    const writtenSoFar = () => written.reduce((whole, piece) => whole + piece, "");
    let deferred: DeferredText | undefined;
    let index = 0;
    /** Writes rows until the list or the slice ends. */
    const slice = (): Promise<void> | undefined => {
      for (let row = rows.next(); row.done !== true; row = rows.next()) {
        const item = completed(run, row.value, writeItem, itemPlace, { prev: path, key: index, typename: undefined });
        if (index++ > 0) text += ",";
        if (typeof item === "string") {
          text += item;
        } else {
          deferred ??= new DeferredText();
          deferred.add(writtenSoFar() + text, item);
          written.length = 0;
          text = "";
        }
        const pause = run.wroteRow();
        if (pause !== undefined) return pause;
      }
      return undefined;
    };
    const whole = (): Text => {
      // Concatenated, not joined: the answer is flattened once, when it is written.
      const rest = writtenSoFar() + compact(`${text}]`);
      return deferred === undefined ? rest : deferred.filled(rest);
    };
    const slices = async (first: Promise<void>): Promise<string> => {
      try {
        for (let pause: Promise<void> | undefined = first; pause !== undefined; pause = slice()) {
          written.push(compact(text));
          text = "";
          await pause;
        }
      } catch (error) {
        return abandoned(deferred, error);
      }
      return whole();
    };
    try {
      const pause = slice();
      return pause === undefined ? whole() : slices(pause);
    } catch (error) {
      return abandoned(deferred, error);
    }
  };
}

/** Waits for the fields that were started before a failure, because their rejections have to be handled too. */
export function abandoned(begun: DeferredText | undefined, error: unknown): Promise<never> {
  if (begun === undefined) throw error;
  const fail = (): never => {
    throw error;
  };
  return begun.filled("").then(fail, fail);
}
