import { exact, isDecimalText, isZero, plain } from "./decimal.js";
import { isObject } from "./json.js";

/**
 * Rules of one parameter. They have three uses: the gateway checks them before it sends a call, the sandbox refuses calls by
 * them, and the documentation lists them.
 *
 * `T` is the decoded type: a time is a number of milliseconds, a decimal is text, a token is one of a list.
 */
export interface Parameter<T, R extends boolean = boolean> {
  readonly doc: string;
  readonly required: R;
  /** Allowed values, in words that follow "must be". */
  readonly allowed: string;
  /** The exchange's default. */
  readonly fallback?: T;
  /** The listed values of an enum. */
  readonly tokens?: readonly T[];
  /** The largest value of a whole number, or the greatest length of a list. */
  readonly max?: number;
  readonly parts?: ParameterSet;
  /** The parameters of each element of a list. */
  readonly items?: ParameterSet;
  accepts(value: T): boolean;
  encode(value: T): unknown;
  /** Decodes a sent value; `undefined` if it is not a `T`. */
  read(wire: unknown): T | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a set holds parameters of every type; `Values` gives each its own again
export type ParameterSet = Readonly<Record<string, Parameter<any>>>;

type ValueOf<P> = P extends Parameter<infer T> ? T : never;
/** The values of a set of parameters: required ones must be present. */
export type Values<S extends ParameterSet> = {
  readonly [K in keyof S as S[K] extends { required: true } ? K : never]: ValueOf<S[K]>;
} & {
  readonly [K in keyof S as S[K] extends { required: true } ? never : K]?: ValueOf<S[K]> | undefined;
};

const asText = (wire: unknown): string | undefined =>
  typeof wire === "string" ? wire : typeof wire === "number" || typeof wire === "boolean" ? String(wire) : undefined;

type Rule<T> = Omit<Parameter<T>, "doc" | "required">;

/** One of a closed set. The exchange ignores letter case; the listed name is sent, or the result of `wireName`. */
export const oneOf = <const T extends string>(
  tokens: readonly T[],
  options: {
    fallback?: NoInfer<T>;
    wireName?: (value: T) => string;
  } = {},
): Rule<T> => {
  const byLowerCase = new Map<string, T>(tokens.map((value) => [value.toLowerCase(), value]));
  return {
    allowed: `one of ${tokens.join(", ")}`,
    tokens,
    ...(options.fallback === undefined ? {} : { fallback: options.fallback }),
    accepts: (value) => tokens.includes(value),
    encode: options.wireName ?? ((value) => value),
    read: (wire) => byLowerCase.get(asText(wire)?.toLowerCase() ?? ""),
  };
};

/**
 * One of a closed set in which letter case counts, such as the candle intervals `1m` and `1M`. `wireNames` has the values with
 * another name on the wire.
 */
export const exactlyOneOf = <const T extends string>(
  tokens: readonly T[],
  wireNames: Partial<Readonly<Record<NoInfer<T>, string>>> = {},
): Rule<T> => {
  const wireName = (value: T): string => wireNames[value] ?? value;
  const byWire = new Map(tokens.map((value) => [wireName(value), value]));
  return {
    allowed: `one of ${tokens.join(", ")}`,
    tokens,
    accepts: (value) => tokens.includes(value),
    encode: wireName,
    read: (wire) => byWire.get(asText(wire) ?? ""),
  };
};

/** A point in time: Unix milliseconds, sent as text. */
export const timestamp = (): Rule<number> => ({
  allowed: "a point in time since 1970",
  accepts: (value) => Number.isSafeInteger(value) && value >= 0,
  encode: String,
  read: (wire) => (/^\d{1,16}$/.test(asText(wire) ?? "") ? Number.parseInt(String(wire), 10) : undefined),
});

/** A whole number within bounds: page sizes, page numbers. */
export const whole = (options: { min: number; max?: number; fallback?: number }): Rule<number> => ({
  allowed:
    options.max === undefined
      ? `a whole number of at least ${options.min}`
      : `a whole number from ${options.min} to ${options.max}`,
  ...(options.max === undefined ? {} : { max: options.max }),
  ...(options.fallback === undefined ? {} : { fallback: options.fallback }),
  accepts: (value) => Number.isSafeInteger(value) && value >= options.min && value <= (options.max ?? Number.MAX_SAFE_INTEGER),
  encode: String,
  read: (wire) => (/^-?\d{1,15}$/.test(asText(wire) ?? "") ? Number.parseInt(String(wire), 10) : undefined),
});

export const pageSize = (fallback: number, max: number): Rule<number> => whole({ min: 1, max, fallback });

/** Decimal text of at most 20 digits before and 18 after the point. */
export const amount = (sign: "positive" | "zero or more" | "not zero" | "any" = "positive"): Rule<string> => ({
  allowed: `${{ positive: "a decimal number greater than 0", "zero or more": "a decimal number of 0 or more", "not zero": "a decimal number other than 0", any: "a decimal number" }[sign]}, with at most 20 digits before the point and 18 after it`,
  accepts(value) {
    if (!isDecimalText(value) || !/^-?\d{1,20}(?:\.\d{1,18})?$/.test(value)) return false;
    const negative = value.startsWith("-") && !isZero(value);
    if (sign === "positive") return !negative && !isZero(value);
    if (sign === "zero or more") return !negative;
    return sign === "any" || !isZero(value);
  },
  encode: (value) => value,
  read: (wire) => {
    // A bare number may have been written with an exponent.
    const text = typeof wire === "number" ? plain(exact(String(wire))) : asText(wire);
    return text !== undefined && /^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined;
  },
});

/** No control character, and no unpaired surrogate: both are lost or changed in transit. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}]+$/u;

/** Free text: ids, names, addresses. */
export const textRule = (options: { max?: number; pattern?: RegExp; allowed?: string } = {}): Rule<string> => {
  const max = options.max ?? 200;
  return {
    allowed: options.allowed ?? `text of 1 to ${max} printable characters`,
    accepts: (value) => value.length >= 1 && value.length <= max && (options.pattern ?? PRINTABLE).test(value),
    encode: (value) => value,
    read: asText,
  };
};

/** A JSON value that is sent unchanged: lists of ids in a request body. */
export const structure = <T>(allowed: string, read: (wire: unknown) => T | undefined): Rule<T> => ({
  allowed,
  accepts: (value) => read(value) !== undefined,
  encode: (value) => value,
  read,
});

/** A value of a call that is not sent: it determines where the call's effect is looked up. */
export const unsent = <T>(rule: Rule<T>): Rule<T> => ({ ...rule, encode: () => undefined, read: () => undefined });

/**
 * Parameters inside a parameter. The exchange types them as a list with one element; some clients send the object alone, which it
 * takes too.
 */
export const parameterSet = <const S extends ParameterSet>(parts: S): Rule<Values<S>> => ({
  allowed: `an object of ${Object.keys(parts).join(", ")}`,
  parts,
  accepts: (values) => areAccepted(parts, values),
  encode: (values) => [encodedParts(parts, values)],
  read(wire) {
    const [one, ...others] = Array.isArray(wire) ? (wire as readonly unknown[]) : [wire];
    return others.length > 0 ? undefined : readParts(parts, one);
  },
});

/** A list of sets of parameters, such as the orders of a batch. A set with any other parameter is not read. */
export const parameterList = <const S extends ParameterSet>(items: S, max: number): Rule<readonly Values<S>[]> => ({
  allowed: `a list of 1 to ${max} objects of ${Object.keys(items).join(", ")}`,
  items,
  max,
  accepts: (list) => list.length >= 1 && list.length <= max && list.every((values) => areAccepted(items, values)),
  encode: (list) => list.map((values) => encodedParts(items, values)),
  read(wire) {
    if (!Array.isArray(wire)) return undefined;
    const list = wire.map((one) =>
      isObject(one) && Object.keys(one).every((name) => Object.hasOwn(items, name)) ? readParts(items, one) : undefined,
    );
    return list.every((values) => values !== undefined) ? list : undefined;
  },
});

type UncheckedValues = Readonly<Record<string, unknown>>;
const areAccepted = (parts: ParameterSet, values: object): boolean =>
  Object.entries(parts).every(([name, part]) => {
    const value = (values as UncheckedValues)[name];
    return value === undefined ? !part.required : part.accepts(value);
  });

const encodedParts = (parts: ParameterSet, values: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => {
      const value = (values as UncheckedValues)[name];
      return value === undefined ? [] : [[name, part.encode(value)]];
    }),
  );

function readParts<S extends ParameterSet>(parts: S, wire: unknown): Values<S> | undefined {
  if (!isObject(wire)) return undefined;
  const values: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parts)) {
    const text = wire[name];
    if (text === undefined || text === null || text === "") {
      if (part.fallback !== undefined) values[name] = part.fallback;
      continue;
    }
    const value: unknown = part.read(text);
    if (value === undefined) return undefined;
    values[name] = value;
  }
  return values as Values<S>;
}

/** Names as the exchange lists them: letters and digits of any script, signs such as `$`, and a few marks. */
const SYMBOL = /^[\p{L}\p{M}\p{N}\p{Sc}\p{So}_.-]+$/u;
const COIN = /^[\p{L}\p{M}\p{N}\p{Sc}\p{So}.-]+$/u;
const CAPITAL_COIN = /^(?!.*[a-z])[\p{L}\p{M}\p{N}\p{Sc}\p{So}.-]+$/u;

/** Trading pairs and contract names, for example `BTCUSDT`, `BTCPERP`, `BTCUSDH26`, `龙虾USDT`. */
export const symbolName = (): Rule<string> => textRule({ max: 40, pattern: SYMBOL, allowed: "a symbol name such as BTCUSDT" });
/** A coin, for example `USDT`. */
export const coinName = (): Rule<string> => textRule({ max: 24, pattern: COIN, allowed: "a coin name such as USDT" });
export const capitalCoinName = (): Rule<string> =>
  textRule({ max: 24, pattern: CAPITAL_COIN, allowed: "a coin name in capitals such as USDT" });

export const required = <T>(doc: string, rule: Rule<T>): Parameter<T, true> => ({ ...rule, doc, required: true });
export const maybe = <T>(doc: string, rule: Rule<T>): Parameter<T, false> => ({ ...rule, doc, required: false });

/** These parameters of a set, in this order. */
export const picked = <S extends ParameterSet, const K extends keyof S & string>(set: S, ...names: readonly K[]): Pick<S, K> =>
  Object.fromEntries(names.map((name) => [name, set[name]])) as Pick<S, K>;

/** The times between which rows are listed. */
export const between = { startTime: maybe("From here on", timestamp()), endTime: maybe("Up to here", timestamp()) };

const place = maybe("The cursor of the page before", textRule());
/** The page of a list in v3, and in v2, which has another word for its place: `usual` rows by default, at most `most`. */
export const unifiedPaging = (usual: number, most: number) => ({
  limit: maybe("Page size", pageSize(usual, most)),
  cursor: place,
});
export const classicPaging = (usual: number, most: number) => ({
  limit: maybe("Page size", pageSize(usual, most)),
  idLessThan: place,
});
