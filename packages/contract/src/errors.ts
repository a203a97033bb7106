import type { ErrorCategory, ErrorRow } from "./errors/row.js";
import { SOCKET_ERRORS } from "./errors/socket.js";
import { V2_ERRORS } from "./errors/v2.js";
import { V3_ERRORS } from "./errors/v3.js";

/**
 * Meanings of the exchange's codes. Each API version has a table of its own: equal codes may mean different things, and similar
 * failures have different codes.
 */
export type { ErrorCategory, ErrorRow } from "./errors/row.js";
export { SOCKET_ERRORS, V2_ERRORS, V3_ERRORS };

const byCode = (table: readonly ErrorRow[]): ReadonlyMap<string, ErrorRow> => new Map(table.map((row) => [row.code, row]));

const TABLES = { v2: byCode(V2_ERRORS), v3: byCode(V3_ERRORS), socket: byCode(SOCKET_ERRORS) } as const;

/** The source of a code: one of the two REST API versions, or the WebSocket itself. */
export type ErrorTable = keyof typeof TABLES;

/** The meaning of a code; undefined if it is not listed: the exchange uses more codes than its tables list. */
export const errorRow = (table: ErrorTable, code: string): ErrorRow | undefined => TABLES[table].get(code);

/** The codes of these categories, except those that only a changed request can avoid. */
export const codesOf = (table: ErrorTable, ...categories: readonly ErrorCategory[]): readonly string[] =>
  [...TABLES[table].values()].flatMap(({ code, category, retry }) =>
    categories.includes(category) && retry !== "fix" ? [code] : [],
  );
