import { DAY_MS } from "@exchange-graph/contract/clock";
import { isDecimalText } from "@exchange-graph/contract/decimal";
import { GraphQLError, GraphQLScalarType, Kind, type Token, TokenKind, type ValueNode } from "graphql";

/** Wide enough for every amount of the exchange. */
const WITHIN_BOUNDS = /^-?\d{1,20}(?:\.\d{1,18})?$/;

const DECIMAL_RULE =
  'a decimal number as text, such as "-12.50": at most 20 digits before the point and 18 after it, no exponent';

const refuse = (scalar: string, rule: string): GraphQLError => new GraphQLError(`${scalar} must be ${rule}`);

/**
 * Rejects a literal, with its location and the name of its argument, input field or variable. For values of variables graphql-js
 * adds these itself.
 */
function refuseLiteral(node: ValueNode, { message }: GraphQLError): GraphQLError {
  const name = nameOf(node);
  return new GraphQLError(name === undefined ? message : `${name}: ${message}`, { nodes: node });
}

/** The name in front of a literal: `qty` of `qty: "1"` or of a list, or `qty` of `$qty: Decimal = "1"`. */
function nameOf(node: ValueNode): string | undefined {
  const mark = before(node.loc?.startToken, TokenKind.COLON, TokenKind.EQUALS);
  if (mark?.kind === TokenKind.COLON) return before(mark, TokenKind.NAME)?.value;
  const dollar = before(mark, TokenKind.DOLLAR);
  return dollar?.next === null || dollar === undefined ? undefined : `$${dollar.next.value}`;
}

/** The nearest preceding token of one of these kinds. */
function before(token: Token | undefined, ...kinds: readonly TokenKind[]): Token | undefined {
  let found = token?.prev ?? undefined;
  while (found !== undefined && !kinds.includes(found.kind)) found = found.prev ?? undefined;
  return found;
}

const isDecimal = (text: string): boolean => isDecimalText(text) && WITHIN_BOUNDS.test(text);

function decimalFromText(text: string): string {
  if (!isDecimal(text)) throw refuse("Decimal", DECIMAL_RULE);
  return text;
}

/** Exact base-10 numbers, as text inside and outside, so that no digit is rounded. */
export const Decimal = new GraphQLScalarType<string, string>({
  name: "Decimal",
  description:
    'An exact base-10 number as text, for example `"64250.10"`: prices, amounts, rates. Never a float. As input it may also be written as a whole number; fractions must be in quotes',
  // Serialized values are the unchanged text.
  extensions: { textAsItIs: true },
  serialize(value) {
    if (typeof value !== "string") throw new TypeError("Decimal: expected text");
    return value;
  },
  parseValue(value) {
    // A JSON number that is a safe integer has lost no digits; any other may have.
    if (typeof value === "number" && Number.isSafeInteger(value)) return decimalFromText(String(value));
    if (typeof value !== "string") throw refuse("Decimal", DECIMAL_RULE);
    return decimalFromText(value);
  },
  parseLiteral(node: ValueNode) {
    const text = node.kind === Kind.STRING || node.kind === Kind.INT ? node.value : "";
    if (!isDecimal(text)) throw refuseLiteral(node, refuse("Decimal", DECIMAL_RULE));
    return text;
  },
});

/** Whole numbers that pass the 32 bits of `Int`. Answers only. */
export const BigInt = new GraphQLScalarType<number, number>({
  name: "BigInt",
  description: "A whole number of at most 2^53 - 1, beyond the range of `Int`, as a JSON number",
  serialize(value) {
    if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new TypeError("BigInt: expected a safe integer");
    return value;
  },
});

/** A value that the exchange sends as JSON: parsed inside, JSON outside. Answers only. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: "JSON",
  description: "Any JSON value: an object, a list, text, a number, a truth value",
  serialize: (value) => value,
});

const ISO_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

const TIME_RULE =
  'a time in ISO 8601 with its offset from UTC, such as "2026-01-31T12:00:00Z" or "2026-01-31T13:00:00.250+01:00"';

/** Unix ms of an ISO time, undefined if it is not one. Digits below the millisecond are cut off. */
function timeFromText(text: string): number | undefined {
  const match = ISO_TIME.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number.parseInt(part, 10));
  const ms = Number.parseInt((match[7] ?? "0").padEnd(3, "0").slice(0, 3), 10);
  const offsetHours = Number.parseInt(match[9] ?? "0", 10);
  const offsetMinutes = Number.parseInt(match[10] ?? "0", 10);
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms));
  // `Date.UTC` accepts fields that are out of range, and reads years below 100 as 1900 plus the year.
  const isReal =
    local.getUTCFullYear() === year &&
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  if (!isReal || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000;
  return local.getTime() - (match[8] === "-" ? -offsetMs : offsetMs);
}

const padded = (count: number, digits: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, "0"));
const MINUTES = padded(60, 2).flatMap((hour, at) => (at < 24 ? padded(60, 2).map((minute) => `${hour}:${minute}:`) : []));
const SECONDS = padded(60, 2);
const MILLISECONDS = padded(1_000, 3).map((digits) => `.${digits}Z`);
/** Maximum number of cached days: nearly three years. */
const MAX_DAYS = 1_000;
const days = new Map<number, string>();

/** The date of a day since 1970, followed by `T`. */
function isoDay(number: number): string {
  const cached = days.get(number);
  if (cached !== undefined) return cached;
  const text = new Date(number * DAY_MS).toISOString().slice(0, -13);
  if (days.size >= MAX_DAYS) days.clear();
  days.set(number, text);
  return text;
}

/** A point in time, Unix ms, in ISO 8601. Concatenated from tables of parts, with as few parts as possible, for speed. */
export function isoTime(unixMs: number): string {
  const number = Math.floor(unixMs / DAY_MS);
  const ms = Math.floor(unixMs) - number * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const rest = `${SECONDS[seconds - minutes * 60]}${MILLISECONDS[ms - seconds * 1_000]}`;
  return `${isoDay(number)}${MINUTES[minutes]}${rest}`;
}

/** Points in time: Unix milliseconds inside, ISO 8601 outside. */
export const DateTime = new GraphQLScalarType<number, string>({
  name: "DateTime",
  description:
    'A point in time in ISO 8601, returned in UTC with milliseconds: `"2026-01-31T12:00:00.000Z"`. As input it must carry its offset from UTC (`Z` or `+01:00`)',
  specifiedByURL: "https://scalars.graphql.org/andimarek/date-time.html",
  // Serialized values are text that needs no escaping in JSON.
  extensions: { unescaped: true },
  serialize(value) {
    if (typeof value !== "number") throw new TypeError("DateTime: expected Unix milliseconds");
    return isoTime(value);
  },
  parseValue(value) {
    const time = typeof value === "string" ? timeFromText(value) : undefined;
    if (time === undefined) throw refuse("DateTime", TIME_RULE);
    return time;
  },
  parseLiteral(node: ValueNode) {
    const time = node.kind === Kind.STRING ? timeFromText(node.value) : undefined;
    if (time === undefined) throw refuseLiteral(node, refuse("DateTime", TIME_RULE));
    return time;
  },
});
