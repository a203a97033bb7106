import type { Client, GraphEvent, Refusal } from "@exchange-graph/client";
import type { Document } from "./document.js";
import { type Fault, faultsOf } from "./fault.js";

/** State of a subscription besides its data. */
export interface LiveState {
  /** Time of the last event, Unix ms; undefined before the first one, and after one without data. */
  readonly at: number | undefined;
  /** Whether the gateway's line to the exchange is interrupted. */
  readonly stale: boolean;
  readonly faults: readonly Fault[];
  /** The reason of an interruption, if the gateway has sent one. */
  readonly lost?: string | undefined;
  /** The errors of a refusal, with the time of the retry, Unix ms. */
  readonly refused?: readonly Fault[] | undefined;
  readonly retryAt?: number | undefined;
}

/** Fields of an event besides its data. */
export type EventWords = Omit<GraphEvent<never>, "data" | "errors">;

/** A subscription's document with its variables. */
export interface LiveRequest<Result, Variables> {
  readonly document: Document<Result, Variables>;
  readonly variables: Variables;
}

/** The page of a subscription. */
export interface Surroundings {
  now(): number;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
  /** Whether the page is connected to the gateway. */
  isConnected(): boolean;
  /** Called with each event. */
  received(): void;
}

/** Receives a subscription's events, and its state whenever that changes. */
export interface Receiver<Result> {
  take(data: Result, words: EventWords): void;
  report(state: LiveState): void;
}

const NOTHING: LiveState = { at: undefined, stale: false, faults: [] };
/** Longer than the client's delay before it retries a refused subscription, ms. */
const ACCEPTED_AFTER_MS = 15_000;
/** Interval at which the age of an active stream is reported, ms. */
const REPORT_EVERY_MS = 1_000;

export type Subscriber = Pick<Client, "subscribe">;

/** Subscribes, and reports the subscription's age and interruptions. The returned function ends it. */
export function follow<Result, Variables>(
  client: Subscriber,
  { document, variables }: LiveRequest<Result, Variables>,
  { take, report }: Receiver<Result>,
  page: Surroundings,
): () => void {
  const { now, after, isConnected } = page;
  let state = NOTHING;
  let reported = 0;
  let cancel = (): void => undefined;
  const become = (next: LiveState) => {
    state = next;
    report(state);
  };
  const lose = (reason: string, refusal?: Refusal) => {
    // A lost connection is shown by its own state.
    if (!isConnected()) return;
    reported = 0;
    become({
      ...state,
      lost: reason.replace(/\.$/, ""),
      ...(refusal && { refused: faultsOf(refusal.errors), retryAt: now() + refusal.waitMs }),
    });
    // Without a further refusal the subscription was accepted, even if there is no event yet.
    cancel();
    cancel = after(ACCEPTED_AFTER_MS, () => become({ ...state, lost: undefined, refused: undefined, retryAt: undefined }));
  };
  const end = client.subscribe<Result, Variables>(document, variables, {
    next({ data, errors, ...words }) {
      page.received();
      cancel();
      const at = now();
      if (data === null) {
        become({ ...NOTHING, faults: faultsOf(errors) });
        return;
      }
      take(data, words);
      if (at - reported < REPORT_EVERY_MS && words.stale === state.stale) return;
      reported = at;
      become({ at, stale: words.stale, faults: faultsOf(errors) });
    },
    lost: lose,
    error: (errors) => become({ ...NOTHING, faults: faultsOf(errors) }),
  });
  return () => {
    cancel();
    end();
  };
}
