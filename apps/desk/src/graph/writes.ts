import type { GraphError, PayloadOf, WriteResult } from "@exchange-graph/client";
import { now } from "../state/clock.js";
import { Store } from "../state/store.js";
import { type Document, textOf } from "./document.js";
import { session } from "./session.js";

/** A write of the user with its state. */
export interface Action {
  /** Its idempotency key: generated once, and used for all retries. */
  readonly key: string;
  readonly title: string;
  /** `forced`: the exchange did it, unasked. */
  readonly state: "sending" | "accepted" | "rejected" | "unknown" | "forced";
  readonly message: string;
  /** Time of the write, and of the last change of its state, Unix ms. */
  readonly at: number;
  readonly changed: number;
}

const KEPT_ACTIONS = 50;
export const actions = new Store<readonly Action[]>([]);

function note(noted: Omit<Action, "changed">): void {
  const action = { ...noted, changed: now() };
  actions.update((old) => [action, ...old.filter(({ key }) => key !== action.key)].slice(0, KEPT_ACTIONS));
}

/** Announces an action of the exchange itself, once per key. */
export function announce(key: string, title: string, message: string): void {
  if (announced.has(key)) return;
  announced.add(key);
  if (announced.size > KEPT_ACTIONS) announced.delete([...announced][0] ?? "");
  note({ key, title, state: "forced", message, at: now() });
  readAgain();
}

const announced = new Set<string>();

/** Balances, positions and histories change with a write. */
const readAgain = (): void => session.value.rereading.again();

export const dismiss = (key: string): void => actions.update((old) => old.filter((action) => action.key !== key));

/** Time for which an unknown outcome is looked up, ms. */
const LOOKED_UP_MS = 600_000;

const wordsOf = (errors: readonly GraphError[]): string =>
  errors.map(({ codeRaw, message }) => `${codeRaw}: ${message}`).join(" ");

/**
 * Writes with a new idempotency key, and shows the outcome. Without an answer the client retries with the same key; an unknown
 * outcome is looked up until it is known.
 */
export async function submit<Result, Input extends object>(
  title: string,
  document: Document<Result, { input: Input }>,
  input: Input,
): Promise<WriteResult<PayloadOf<Result>>> {
  const key = crypto.randomUUID();
  const action = { key, title, at: now() };
  note({ ...action, state: "sending", message: "" });
  const result = await session.value.client.write<Result, object>(textOf(document), { input }, { key });
  readAgain();
  const message = result.outcome === "unknown" ? "The answer was lost. Looking it up" : wordsOf(result.errors);
  note({ ...action, state: result.outcome, message });
  if (result.outcome === "unknown") void settle(action, result);
  return result;
}

/** Looks up the outcome of a write until it is known. */
async function settle<Payload>(
  action: Pick<Action, "key" | "title" | "at">,
  result: Extract<WriteResult<Payload>, { readonly outcome: "unknown" }>,
): Promise<void> {
  const { outcome, errors } = await result.settled({ withinMs: LOOKED_UP_MS });
  const words = { accepted: "Settled: it took effect", rejected: `Settled: it had no effect. ${wordsOf(errors)}` };
  note({ ...action, state: outcome, message: outcome === "unknown" ? "Still unknown. The journal has it" : words[outcome] });
  readAgain();
}

/** Validates a write with a dry run; nothing is sent to the exchange. */
export const rehearse = <Result, Input extends object>(document: Document<Result, { input: Input }>, input: Input) =>
  session.value.client.preview<Result, object>(textOf(document), { input });
