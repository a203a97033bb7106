import type { GraphError, PayloadOf, WriteResult } from "@exchange-graph/client";
import { now } from "../state/clock.js";
import { Store } from "../state/store.js";
import { type Document, textOf } from "./document.js";
import { session } from "./session.js";

/** What became of one action of the reader's. */
export interface Action {
  /** Its idempotency key: made once, kept through all repetitions. */
  readonly key: string;
  readonly title: string;
  /** `forced`: the exchange did it, unasked. */
  readonly state: "sending" | "accepted" | "rejected" | "unknown" | "forced";
  readonly message: string;
  /** When it was asked for, and when its state changed last, Unix ms. */
  readonly at: number;
  readonly changed: number;
}

const KEPT_ACTIONS = 50;
export const actions = new Store<readonly Action[]>([]);

function note(noted: Omit<Action, "changed">): void {
  const action = { ...noted, changed: now() };
  actions.update((old) => [action, ...old.filter(({ key }) => key !== action.key)].slice(0, KEPT_ACTIONS));
}

/** Says what the exchange has done without being asked; once for each key. */
export function announce(key: string, title: string, message: string): void {
  if (announced.has(key)) return;
  announced.add(key);
  if (announced.size > KEPT_ACTIONS) announced.delete([...announced][0] ?? "");
  note({ key, title, state: "forced", message, at: now() });
  readAgain();
}

const announced = new Set<string>();

/** Balances, positions and histories are others after a write. */
const readAgain = (): void => session.value.rereading.again();

export const dismiss = (key: string): void => actions.update((old) => old.filter((action) => action.key !== key));

/** How long an unknown outcome is looked up, ms. */
const LOOKED_UP_MS = 600_000;

const wordsOf = (errors: readonly GraphError[]): string =>
  errors.map(({ codeRaw, message }) => `${codeRaw}: ${message}`).join(" ");

/**
 * Writes with an idempotency key of its own, and shows what becomes of it. Where no answer comes, the client repeats it under
 * the same key; an outcome that is unknown is looked up until it is known.
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

/** Asks until it is known what became of a write. */
async function settle<Payload>(
  action: Pick<Action, "key" | "title" | "at">,
  result: Extract<WriteResult<Payload>, { readonly outcome: "unknown" }>,
): Promise<void> {
  const { outcome, errors } = await result.settled({ withinMs: LOOKED_UP_MS });
  const words = { accepted: "Settled: it took effect", rejected: `Settled: it had no effect. ${wordsOf(errors)}` };
  note({ ...action, state: outcome, message: outcome === "unknown" ? "Still unknown. The journal has it" : words[outcome] });
  readAgain();
}

/** Asks what a write would be; nothing is sent to the exchange. */
export const rehearse = <Result, Input extends object>(document: Document<Result, { input: Input }>, input: Input) =>
  session.value.client.preview<Result, object>(textOf(document), { input });
