import { isObject, type JsonObject, parseJson } from "./json.js";

/** Shorter lists are not worth a pattern. */
const MIN_ROWS = 5;
/** Rows with more keys are parsed as ordinary JSON. */
const MAX_KEYS = 64;
/** A key becomes part of a pattern and of a function's source: it must not contain characters with a meaning there. */
const PLAIN_KEY = /^[A-Za-z]\w{0,63}$/;
/** Maximum number of failed patterns, unless others succeed between them. */
const MAX_FAILURES = 8;

const TEXT = '"([^"\\\\\\u0000-\\u001f]*)"';
const BARE = "(-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false)";
const VALUE = `(?:${TEXT}|${BARE}|null)`;

/** Placeholder for the rows while the text around them is parsed. It cannot occur in that text. */
const MARK = "\u0000";
const MARK_JSON = "\\u0000";

/** The text before the rows of most answers, which is read faster than JSON of any form. */
const ENVELOPE = /^\{"code":"(\w+)","msg":"(\w*)","requestTime":([1-9]\d{12}),"data":$/;

/** Reads rows from `from` on into `rows`. Returns the position of the bracket behind them; -1 if a row has another form. */
type ReadRows = (text: string, from: number, rows: unknown[]) => number;

/**
 * Parses JSON with a list of flat rows that look alike, one answer after the other, as `parseJson` does and in half of its time.
 *
 * It takes the keys of a row and their order from one answer, and makes a regular expression for a whole row of it. The expression
 * matches valid JSON only. An answer that does not match completely is parsed by `parseJson`, and the expression is made again.
 *
 * A request with a list of 100 rows takes 11 % less processor time with it, 614 µs and not 687, where Mercurius takes 662
 * (`npm run bench -- reads`). Lists of 1,000 rows gain nothing.
 *
 * Texts in the result may be parts of `text`, which then lives as long as they do.
 */
export class LikeRowsParser {
  #readRows: ReadRows | undefined;
  #failures = 0;

  /** As `parseJson`. Throws `SyntaxError`. */
  parse(text: string): unknown {
    const at = this.#failures < MAX_FAILURES ? text.indexOf("[{") : -1;
    if (at === -1) return parseJson(text);
    const read = this.#readRows === undefined ? undefined : parseAround(text, at, this.#readRows);
    if (read !== undefined) {
      this.#failures = Math.max(0, this.#failures - 1);
      return read;
    }
    if (this.#readRows !== undefined) this.#failures++;
    const json = parseJson(text);
    const rows = listIn(json) ?? [];
    if (rows.length < MIN_ROWS) return json;
    this.#readRows = readerOf(rows[0]);
    if (this.#readRows === undefined) this.#failures++;
    return json;
  }
}

/** The answer with its first list read by `readRows`; `undefined` if that is not possible. */
function parseAround(text: string, at: number, readRows: ReadRows): unknown {
  const rows: unknown[] = [];
  const end = readRows(text, at + 1, rows);
  if (end === -1) return undefined;
  const [before, after] = [text.slice(0, at), text.slice(end + 1)];
  const [, code, msg, requestTime] = (after === "}" && ENVELOPE.exec(before)) || [];
  if (requestTime !== undefined) return { code, msg, requestTime: Number.parseInt(requestTime, 10), data: rows };
  if (before.includes(MARK_JSON) || after.includes(MARK_JSON)) return undefined;
  return withRows(parseJson(`${before}"${MARK_JSON}"${after}`), rows);
}

/** The value with its rows in place of the placeholder: at `data`, or one level below it. */
function withRows(json: unknown, rows: readonly unknown[]): JsonObject | undefined {
  if (!isObject(json)) return undefined;
  const { data } = json;
  if (data === MARK) return { ...json, data: rows };
  if (!isObject(data)) return undefined;
  const key = Object.keys(data).find((each) => data[each] === MARK);
  return key === undefined ? undefined : { ...json, data: { ...data, [key]: rows } };
}

function listIn(json: unknown): readonly unknown[] | undefined {
  const { data = undefined } = isObject(json) ? json : {};
  return [data, ...(isObject(data) ? Object.values(data) : [])].find((value) => Array.isArray(value));
}

const isFlat = (value: unknown): boolean => value === null || typeof value !== "object";

/** A reader of rows of this form; undefined if such rows cannot be read by a pattern. */
function readerOf(row: unknown): ReadRows | undefined {
  if (!isObject(row) || !Object.values(row).every(isFlat)) return undefined;
  const keys = Object.keys(row);
  if (keys.length === 0 || keys.length > MAX_KEYS || !keys.every((key) => PLAIN_KEY.test(key))) return undefined;
  const pattern = new RegExp(`\\{${keys.map((key) => `"${key}":${VALUE}`).join(",")}\\}`, "y");
  const fields = keys.map((key, at) => {
    const [text, bare] = [`found[${2 * at + 1}]`, `found[${2 * at + 2}]`];
    return `"${key}": ${text} === undefined ? bareValue(${bare}) : ${text}`;
  });
  const make = new Function(
    ...["pattern", "bareValue"],
    `"use strict";
    return (text, from, rows) => {
      for (let at = from; ; at++) {
        pattern.lastIndex = at;
        const found = pattern.exec(text);
        if (found === null) return -1;
        rows.push({ ${fields.join(", ")} });
        at = pattern.lastIndex;
        const next = text.charCodeAt(at);
        if (next === ${"]".charCodeAt(0)}) return at;
        if (next !== ${",".charCodeAt(0)}) return -1;
      }
    };`,
  );
  return make(pattern, bareValue);
}

/** A number that loses digits as a JavaScript number is read as text: see `parseJson`. */
function bareValue(token: string | undefined): unknown {
  return token === undefined ? null : parseJson(token);
}
