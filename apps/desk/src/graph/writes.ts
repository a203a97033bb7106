import { type GraphError, newKey, type Outcome, type PayloadOf, type WriteResult } from "@exchange-graph/client";
import { now } from "../state/clock.js";
import { Store } from "../state/store.js";
import { t } from "../text/text.js";
import { type Document, textOf } from "./document.js";
import { HELD_MS, lineBack, type Unsent } from "./heldWrites.js";
import { recordedWrite } from "./recordedWrite.js";
import { line, session } from "./session.js";

/** A write of the user with its state. */
export interface Action {
  /** Its idempotency key: generated once, and used for all retries. */
  readonly key: string;
  readonly title: string;
  /** `held`: it waits for the line to the gateway. `forced`: the exchange did it, unasked. */
  readonly state: "held" | "sending" | "accepted" | "rejected" | "unknown" | "forced";
  readonly message: string;
  /** It is sent or repeated until then, Unix ms. */
  readonly until?: number;
  /** Stops sending and repeating it. */
  readonly withdraw?: () => void;
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

/** Withdraws the actions from this time on, Unix ms, that still wait for the line. */
export function withdrawHeld(since: number): void {
  for (const { state, at, withdraw } of actions.value) if (state === "held" && at >= since) withdraw?.();
}

/** Time for which the gateway looks up an unknown outcome, ms. */
const LOOKED_UP_MS = 600_000;
/** Time since it was sent for which a write is repeated that the gateway may not have received, ms. Repeating it may send it. */
const REPEATED_MS = 30_000;

export const wordsOf = (errors: readonly GraphError[]): string =>
  errors.map(({ codeRaw, message }) => `${codeRaw}: ${message}`).join(" ");

type Noted = Pick<Action, "key" | "title" | "at">;

/** Result of a write that was not sent. */
function notSent<Payload>(action: Noted, message: string): Outcome<Payload> {
  note({ ...action, state: "rejected", message });
  const error: GraphError = { code: "UNREACHABLE", codeRaw: "UNREACHABLE", message, retryable: true };
  return { outcome: "rejected", payload: null, errors: [error] };
}

/** Whether a write was not sent because the line to the gateway was lost. */
export const isUnsent = ({ outcome, errors }: Outcome<unknown>): boolean =>
  outcome === "rejected" && errors.some(({ code }) => code === "UNREACHABLE");

const UNSENT: { readonly [reason in Unsent]: string } = {
  withdrawn: t("Withdrawn: it was not sent"),
  late: t("Not sent: the line to the gateway was not back in time"),
};

/**
 * Writes with a new idempotency key, and shows the outcome. While the line to the gateway is lost it waits, and can be withdrawn.
 * Without an answer the client retries with the same key; an unknown outcome is looked up until it is known.
 */
export async function submit<Result, Input extends object>(
  title: string,
  document: Document<Result, { input: Input }>,
  input: Input,
): Promise<Outcome<PayloadOf<Result>>> {
  const action: Noted = { key: newKey(), title, at: now() };
  const { key } = action;
  if (line.value.state === "lost") {
    const withdrawal = new AbortController();
    const until = action.at + HELD_MS;
    const message = t("Nothing is sent until the line to the gateway is back");
    note({ ...action, state: "held", message, until, withdraw: () => withdrawal.abort() });
    const unsent = await lineBack(withdrawal.signal);
    if (unsent !== undefined) return notSent(action, UNSENT[unsent]);
  }
  const stopping = new AbortController();
  const { signal } = stopping;
  const unanswered = { message: UNANSWERED, until: now() + REPEATED_MS, withdraw: () => stopping.abort(STOPPED) };
  note({ ...action, state: "sending", message: "" });
  const leave = line.subscribe(() => {
    if (line.value.state === "lost") note({ ...action, state: "sending", ...unanswered });
  });
  const { client } = session.value;
  const result = await client.write<Result, object>(textOf(document), { input }, { key, signal }).catch(stopped).finally(leave);
  readAgain();
  if (result === STOPPED) {
    noteStopped(action);
    return { outcome: "unknown", payload: null, errors: [] };
  }
  const account: unknown = Reflect.get(input, "account");
  if (result.outcome === "unknown")
    void settle({ ...action, ...(typeof account === "string" && { account }) }, result, unanswered, signal);
  else note({ ...action, state: result.outcome, message: wordsOf(result.errors) });
  return result;
}

const UNANSWERED = t("No answer from the gateway. It is asked again with the same key, so it is sent at most once");

const noteStopped = (action: Noted): void =>
  note({ ...action, state: "unknown", message: t("Not asked again. The journal shows whether it was sent") });

/** Looks up the outcome of a write until it is known, or until the user stops that. */
async function settle<Payload>(
  { account, ...action }: Noted & { readonly account?: string },
  result: Extract<WriteResult<Payload>, { readonly outcome: "unknown" }>,
  unanswered: Pick<Required<Action>, "message" | "withdraw" | "until">,
  signal: AbortSignal,
): Promise<void> {
  const { client } = session.value;
  // Without a payload the gateway may not have received it.
  const isUnanswered = result.payload === null;
  if (isUnanswered) note({ ...action, state: "unknown", ...unanswered });
  else note({ ...action, state: "unknown", message: t("The exchange's answer was lost. Looking it up") });
  const withinMs = isUnanswered ? unanswered.until - now() : LOOKED_UP_MS;
  const settled = await result.settled({ withinMs, signal }).catch(stopped);
  readAgain();
  if (settled === STOPPED) return noteStopped(action);
  if (settled.outcome !== "unknown") return noteSettled(action, settled.outcome, wordsOf(settled.errors));
  if (!isUnanswered || account === undefined || result.key === null)
    return note({ ...action, state: "unknown", message: t("Still unknown. The journal shows it") });
  // Too late to be repeated: that could send it.
  const message = t("Still unknown. It is looked up in the journal as soon as the gateway answers");
  note({ ...action, state: "unknown", message, withdraw: unanswered.withdraw });
  const recorded = await recordedWrite(client, { account, key: action.key }, LOOKED_UP_MS, signal).catch(stopped);
  readAgain();
  if (recorded === STOPPED) return noteStopped(action);
  switch (recorded.outcome) {
    case "missing":
      return note({
        ...action,
        state: "unknown",
        message: t("The journal does not have it. See whether it has taken effect before you send it again"),
      });
    case "open":
      return note({ ...action, state: "unknown", message: t("Still unknown. The journal shows it") });
    default:
      return noteSettled(action, recorded.outcome, recorded.reasons);
  }
}

const noteSettled = (action: Noted, state: "accepted" | "rejected", errors: string): void =>
  note({
    ...action,
    state,
    message: state === "accepted" ? t("Settled: it took effect") : t("Settled: it had no effect. {errors}", { errors }),
  });

const STOPPED = Symbol("stopped by the user");

function stopped(error: unknown): typeof STOPPED {
  if (error === STOPPED) return STOPPED;
  throw error;
}

/** Validates a write with a dry run; nothing is sent to the exchange. */
export const rehearse = <Result, Input extends object>(document: Document<Result, { input: Input }>, input: Input) =>
  session.value.client.preview<Result, object>(textOf(document), { input });
