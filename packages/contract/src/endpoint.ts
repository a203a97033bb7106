import type { Codec } from "./codec.js";
import { isObject } from "./json.js";
import type { ParameterSet, Values } from "./parameter.js";
import { before, inWords, keptStart, type WindowRule } from "./window.js";

/** A rate limit: the exchange counts calls per endpoint and user, or per endpoint and address. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
  readonly per: "UID" | "IP";
  /** The lower limit of an account that is a copy-trading trader. */
  readonly copyTrader?: number;
  /** The limit used here if newer sources have a lower figure than the interface. */
  readonly cautious?: number;
}

/** Time for which a cached answer is fresh, and additional time for which it may be served while a new one is fetched. */
export interface CacheLifetime {
  readonly freshMs: number;
  readonly staleMs: number;
  /** Maximum time in the cache: the largest age that a client may allow. Default: as long as it may be served. */
  readonly keptMs?: number;
}

/** Which accounts may call: `UNIFIED` alone (v3), `CLASSIC` alone (most of v2), or both (earn, convert, broker, public). */
type Serves = "UNIFIED" | "CLASSIC" | "BOTH";

/** A violated rule: the parameter, and what it must be. */
export interface Violation {
  readonly parameter: string;
  readonly problem: "missing" | "malformed" | "not allowed" | "range" | "too old" | "order" | "combination";
  /** The end of a sentence: "must be …". */
  readonly rule: string;
}

/** A rule about several parameters at once. */
interface CrossRule<V> {
  readonly rule: string;
  readonly broken: (values: V) => string | undefined;
}

/** A parameter that is required where this applies; `when` ends the sentence "must be given …". */
interface Condition<V> {
  readonly required: keyof V & string;
  readonly when: string;
  readonly applies: (values: V) => boolean;
}

/** One REST endpoint of the exchange, as data. */
export interface Endpoint<P extends ParameterSet = ParameterSet, D = unknown> {
  /** Its name in this project, used in logs, metrics and the graph's `extensions`. */
  readonly name: string;
  readonly doc: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Other paths of the same endpoint. */
  readonly aliases?: readonly string[];
  readonly apiVersion: "v2" | "v3";
  /** `either`: public data whose example carries the signed headers. We sign; the exchange also answers without. */
  readonly access: "public" | "private" | "either";
  readonly serves: Serves;
  /** Permissions of a key, one of which is required. */
  readonly permissions?: readonly string[];
  /** Broker endpoints are for ND brokers; one futures endpoint is for all other users. */
  readonly audience?: "nd-broker" | "not-nd-broker";
  readonly rate: RateLimit;
  /** Absent: never cached. */
  readonly cache?: CacheLifetime;
  readonly parameters: P;
  /** The parameter whose value is the whole body, which is a list. */
  readonly body?: string;
  readonly window?: WindowRule;
  // biome-ignore lint/suspicious/noExplicitAny: checked where the endpoint is defined, by `endpoint`
  readonly rules?: readonly CrossRule<any>[];
  readonly data: Codec<D>;
}

export type ParametersOf<E> = E extends Endpoint<infer P, unknown> ? Values<P> : never;

/** Properties that follow from an endpoint's path and permissions, and are declared only if they differ. */
type Implied = "method" | "apiVersion" | "access" | "serves";

/**
 * Defines an endpoint; the rules see its parameters typed. Unless it says otherwise, it is a `GET`, of the version in its path, private
 * if it requires permissions, and of v3 for unified accounts, of v2 for Classic ones, public for both.
 */
export function endpoint<const P extends ParameterSet, D>(
  definition: Omit<Endpoint<P, D>, Implied | "path" | "rules"> &
    Partial<Pick<Endpoint, Exclude<Implied, "apiVersion">>> & {
      readonly path: `/api/${Endpoint["apiVersion"]}/${string}`;
      readonly rules?: readonly (CrossRule<Values<P>> | Condition<Values<P>>)[];
    },
): Endpoint<P, D> {
  const apiVersion = definition.path.startsWith("/api/v3/") ? "v3" : "v2";
  const access = definition.access ?? (definition.permissions === undefined ? "public" : "private");
  const serves = access !== "private" ? "BOTH" : apiVersion === "v3" ? "UNIFIED" : "CLASSIC";
  const { rules, ...terms } = definition;
  const made = { method: "GET", apiVersion, serves, ...terms, access } as const;
  return rules === undefined ? made : { ...made, rules: rules.map((rule) => ("rule" in rule ? rule : asRule(rule))) };
}

/** Defines an endpoint that writes: a `POST`. */
export const writeEndpoint: typeof endpoint = (definition) => endpoint({ ...definition, method: "POST" });

const asRule = <V>({ required, when, applies }: Condition<V>): CrossRule<V> => ({
  rule: `must be given ${when}`,
  broken: (values) => (values[required] === undefined && applies(values) ? required : undefined),
});

/** The limit of all calls from one address: an address that exceeds it is blocked for `penaltyMs`. */
export const ADDRESS_LIMIT = { limit: 6_000, windowMs: 60_000, penaltyMs: 300_000 } as const;

export const perSecond = (
  limit: number,
  per: "UID" | "IP",
  more: { copyTrader?: number; cautious?: number } = {},
): RateLimit => ({
  limit,
  windowMs: 1000,
  per,
  ...more,
});

/** Reference data: symbols, tiers, pairs. Fresh for minutes; usable for an hour while a new copy is fetched. */
export const REFERENCE_DATA: CacheLifetime = { freshMs: 300_000, staleMs: 3_600_000 };
/** Private state: fresh for less time than a person notices. */
export const PRIVATE_STATE: CacheLifetime = { freshMs: 800, staleMs: 0 };
/** The largest age that a client may allow for data that no stream carries. */
export const KEPT_MS = 600_000;
/**
 * Private state that no stream carries: cached data is served at once, up to half a minute old, while a new answer is fetched.
 */
export const UNSTREAMED_STATE: CacheLifetime = { freshMs: 800, staleMs: 29_200, keptMs: KEPT_MS };
/** Like `UNSTREAMED_STATE`, for data that is watched more closely: loans, and balances that transfers change. */
export const WATCHED_STATE: CacheLifetime = { freshMs: 800, staleMs: 9_200, keptMs: KEPT_MS };
/** Private history: finished objects, to which only new ones are added. */
export const PRIVATE_HISTORY: CacheLifetime = { freshMs: 2_000, staleMs: 0 };
/** Market data read over REST. */
export const MARKET_DATA: CacheLifetime = { freshMs: 1_000, staleMs: 0 };

/** All violations of a call's parameters. `now` is the exchange's time in Unix ms: time windows are measured from it. */
export function violations<P extends ParameterSet>(call: Endpoint<P>, values: Values<P>, now: number): Violation[] {
  const unchecked = values as Readonly<Record<string, unknown>>;
  const found = valueViolations(call.parameters, unchecked);
  if (found.length > 0) return found;
  if (call.window !== undefined) found.push(...windowViolations(call.window, unchecked, now));
  for (const { rule, broken } of call.rules ?? []) {
    const parameter = broken(values);
    if (parameter !== undefined) found.push({ parameter, problem: "combination", rule });
  }
  return found;
}

/** Values that are missing or not allowed, those inside a parameter by their path. */
function valueViolations(parameters: ParameterSet, values: Readonly<Record<string, unknown>>, within = ""): Violation[] {
  const found: Violation[] = [];
  for (const [name, { required, parts, allowed, accepts }] of parametersIn(parameters)) {
    const value = values[name];
    const parameter = `${within}${name}`;
    if (value === undefined) {
      if (required) found.push({ parameter, problem: "missing", rule: `must be given: ${allowed}` });
    } else if (parts !== undefined && isObject(value)) found.push(...valueViolations(parts, value, `${parameter}.`));
    else if (!accepts(value)) found.push({ parameter, problem: "not allowed", rule: `must be ${allowed}` });
  }
  return found;
}

const listed = new WeakMap<ParameterSet, readonly (readonly [string, ParameterSet[string]])[]>();

/** The parameters by name, listed once per endpoint and not for each call. */
function parametersIn(parameters: ParameterSet): readonly (readonly [string, ParameterSet[string]])[] {
  const cached = listed.get(parameters);
  if (cached !== undefined) return cached;
  const entries = Object.entries(parameters);
  listed.set(parameters, entries);
  return entries;
}

function windowViolations(window: WindowRule, values: Readonly<Record<string, unknown>>, now: number): Violation[] {
  const from = values[window.from] as number | undefined;
  const to = values[window.to] as number | undefined;
  const end = to ?? now;
  if (from !== undefined && to !== undefined && from > to)
    return [{ parameter: window.to, problem: "order", rule: `must not be before ${window.from}` }];
  if (window.age !== undefined && from !== undefined && from < before(now, window.age))
    return [{ parameter: window.from, problem: "too old", rule: `must be within the last ${inWords(window.age)}` }];
  if (window.age !== undefined && to !== undefined && to < before(now, window.age))
    return [{ parameter: window.to, problem: "too old", rule: `must be within the last ${inWords(window.age)}` }];
  if (window.range !== undefined && from !== undefined && from < before(end, window.range))
    return [{ parameter: window.from, problem: "range", rule: `must be at most ${inWords(window.range)} before ${window.to}` }];
  return [];
}

/** The values of a call that is sent now (Unix ms): its range of time starts within the exchange's retention period. */
export function leavingNow<P extends ParameterSet>({ window }: Endpoint<P>, values: Values<P>, now: number): Values<P> {
  if (window?.age === undefined) return values;
  const { [window.from]: from, [window.to]: to } = values as Readonly<Record<string, unknown>>;
  if (typeof from !== "number") return values;
  return { ...values, [window.from]: keptStart(window, from, typeof to === "number" ? to : now, now) };
}

/** The parameters as they are sent, in the order of the contract; undefined ones are omitted. */
export function encoded<P extends ParameterSet>(call: Endpoint<P>, values: Values<P>): Record<string, unknown> {
  const unchecked = values as Readonly<Record<string, unknown>>;
  const wire: Record<string, unknown> = {};
  for (const [name, parameter] of parametersIn(call.parameters)) {
    const value = unchecked[name];
    const sent: unknown = value === undefined ? undefined : parameter.encode(value);
    if (sent !== undefined) wire[name] = sent;
  }
  return wire;
}

/** The body of a call, as it is signed and sent: JSON. */
export function bodyOf<P extends ParameterSet>(call: Endpoint<P>, values: Values<P>): string {
  const wire = encoded(call, values);
  return JSON.stringify(call.body === undefined ? wire : wire[call.body]);
}
