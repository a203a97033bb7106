import { z } from "zod";
import { badInput } from "../../datasources/index.js";

const key = z.union([z.string(), z.number(), z.null()]);
/** One of the values that identify a record within its type. */
export type Key = z.infer<typeof key>;

const wire = z.tuple([z.string()], key);
const LONGEST_ID = 1_000;

/** Encodes a type of the graph and a record's keys within it as opaque text. */
export const writeGlobalId = (parts: readonly Key[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");

/** The error for an identifier that this graph cannot have returned. */
export const unknownId = (argument: string): Error => badInput([{ argument, rule: "must be a global identifier of this graph" }]);

/** Decodes an identifier. Throws `BAD_USER_INPUT` if this graph cannot have returned it. */
export function readGlobalId(argument: string, text: string): { readonly typeName: string; readonly keys: readonly Key[] } {
  if (text.length > LONGEST_ID || !/^[\w-]+$/.test(text)) throw unknownId(argument);
  const parsed = wire.safeParse(jsonOf(Buffer.from(text, "base64url").toString("utf8")));
  if (!parsed.success) throw unknownId(argument);
  const [typeName, ...keys] = parsed.data;
  if (writeGlobalId(parsed.data) !== text) throw unknownId(argument);
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
