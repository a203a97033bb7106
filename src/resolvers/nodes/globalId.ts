import { z } from "zod";
import { badInput } from "../../datasources/index.js";

const key = z.union([z.string(), z.number(), z.null()]);
/** One of the values that identify a record within its type. */
export type Key = z.infer<typeof key>;

const wire = z.tuple([z.string()], key);
const LONGEST_ID = 1_000;

/** A type of the graph and a record's keys within it, as opaque text. */
export const writeGlobalId = (typeName: string, keys: readonly Key[]): string =>
  Buffer.from(JSON.stringify([typeName, ...keys])).toString("base64url");

/** The refusal of an identifier that this graph cannot have given. */
export const unknownId = (argument: string): Error => badInput([{ argument, rule: "must be a global identifier of this graph" }]);

/** Reads an identifier back. Throws `BAD_USER_INPUT` when this graph cannot have given it. */
export function readGlobalId(argument: string, text: string): { readonly typeName: string; readonly keys: readonly Key[] } {
  if (text.length > LONGEST_ID || !/^[\w-]+$/.test(text)) throw unknownId(argument);
  const parsed = wire.safeParse(jsonOf(Buffer.from(text, "base64url").toString("utf8")));
  if (!parsed.success) throw unknownId(argument);
  const [typeName, ...keys] = parsed.data;
  if (writeGlobalId(typeName, keys) !== text) throw unknownId(argument);
  return { typeName, keys };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
