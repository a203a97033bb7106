import { backoff, pause, type Waiting } from "./clock.js";
import { NoAnswer } from "./errors.js";
import type { GraphAnswer } from "./http.js";
import { isObject, type JsonObject } from "./json.js";
import type { RequestOptions, WriteResult } from "./types.js";

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 4_000;

/**
 * Sets `value` as the variable `name`, or as the member `name` of the variable `input`. `undefined` if the document has neither.
 */
export function withValue(text: string, variables: unknown, name: string, value: unknown): JsonObject | undefined {
  const current = isObject(variables) ? variables : {};
  if (new RegExp(`\\$${name}\\b`).test(text)) return { ...current, [name]: value };
  const { input } = current;
  return isObject(input) ? { ...current, input: { ...input, [name]: value } } : undefined;
}

/** The value in that place; undefined if it is empty. */
export function valueIn(variables: unknown, name: string): unknown {
  if (!isObject(variables)) return undefined;
  return variables[name] ?? (isObject(variables.input) ? variables.input[name] : undefined);
}

/** The variable with the key of a write. */
export const KEY = "idempotencyKey";
/** Inputs without a key: repeating them has no further effect. */
const KEYLESS = /\$input\s*:\s*(?:HaltTrading|ResumeTrading)Input\b/;
/** Inputs of which each order has a key of its own. */
const BATCH = /\$input\s*:\s*(?:PlaceOrders|CancelOrders)Input\b/;

/**
 * The variables with the write's key: `key`, the one that they have, or a new one. In a batch each order has the key with its place,
 * unless it has a key or a `clientOid`. `undefined` if the document has no place for a key.
 */
export function withKey(text: string, variables: unknown, key: string | undefined): unknown {
  if (KEYLESS.test(text)) return variables;
  const chosen = key ?? valueIn(variables, KEY) ?? newKey();
  if (!BATCH.test(text)) return withValue(text, variables, KEY, chosen);
  const orders = valueIn(variables, "orders");
  const keyed = (order: unknown, at: number) =>
    isObject(order) && !order[KEY] && !order.clientOid ? { ...order, [KEY]: `${chosen}-${at}` } : order;
  return Array.isArray(orders) ? withValue(text, variables, "orders", orders.map(keyed)) : variables;
}

/** A new key: 128 random bits. `crypto.randomUUID` is missing on pages served over plain HTTP. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Repeats a request until there is an answer, for at most `withinMs`; then the last `NoAnswer` is thrown. For writes with a key:
 * the gateway returns the first outcome again, and sends nothing. One that it has not received is sent by the repetition, which
 * therefore never comes later, even if a suspended page runs its timers late.
 */
export async function untilAnswered(
  send: () => Promise<GraphAnswer>,
  withinMs: number,
  waiting: Waiting,
  signal?: AbortSignal,
): Promise<GraphAnswer> {
  const { clock, random } = waiting;
  const until = clock.now() + withinMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const wait = backoff(attempt, FIRST_WAIT_MS, MAX_WAIT_MS, random);
      if (!(error instanceof NoAnswer) || clock.now() + wait >= until) throw error;
      await pause(wait, waiting, signal);
      if (clock.now() >= until) throw error;
    }
  }
}

const FIRST_LOOK_MS = 1_000;
const MAX_LOOK_MS = 10_000;

/**
 * Repeats a request until its outcome is known, for at most `withinMs`. `again` gets the time that is left. If the gateway may not
 * have received the request, it is not repeated later than that: this could send it.
 */
export async function settling<Payload>(
  first: WriteResult<Payload>,
  again: (options: RequestOptions, leftMs: number) => Promise<WriteResult<Payload>>,
  { withinMs = 60_000, ...requestOptions }: RequestOptions & { readonly withinMs?: number },
  waiting: Waiting,
): Promise<WriteResult<Payload>> {
  const { clock, random } = waiting;
  const until = clock.now() + withinMs;
  let found: WriteResult<Payload> = first;
  for (let looks = 0; ; looks++) {
    await pause(backoff(looks, FIRST_LOOK_MS, MAX_LOOK_MS, random), waiting, requestOptions.signal);
    if (found.payload === null && clock.now() >= until) return found;
    found = await again(requestOptions, until - clock.now());
    if (found.outcome !== "unknown" || clock.now() >= until) return found;
  }
}
