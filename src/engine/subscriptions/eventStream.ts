// biome-ignore lint/suspicious/noDeprecatedImports: its form with positional arguments is deprecated, and not used here
import { createSourceEventStream, type ExecutionArgs, execute, type GraphQLError, type GraphQLFormattedError } from "graphql";
import { answerText } from "../answers/result.js";
import type { Conflation, GroupEvent } from "./pace.js";

/** What a subscription's resolver gives: its events, and how far they have come. */
export interface EventSource extends AsyncIterableIterator<SourceEvent> {
  /** How fast it was asked to be. */
  readonly pace: { readonly mode: "ALL" | "LATEST"; readonly everyMs?: number | null | undefined };
  /** How many events of the current state were there as soon as it was open: one for each thing that it is about. */
  readonly initial: number;
  /** How many events have come, those included that have not been taken yet. */
  readonly received: number;
  /** Which of them was taken last, counted from 1. */
  readonly taken: number;
  /** How many that one replaced: they were not taken. */
  readonly skipped: number;
}

/** What an event says of itself; the rest of it is for its resolver. */
interface SourceEvent {
  readonly [more: string]: unknown;
  readonly kind: string;
  /** Unix ms. */
  readonly time: number;
  readonly stale: boolean;
  /** Which of several things it is about. */
  readonly about?: string | undefined;
}

/** A subscription that is open: each event with its answer, executed once. */
export interface EventStream {
  readonly pace: Conflation;
  readonly initial: number;
  readonly received: number;
  /** The next event; `undefined` after the last one. */
  next(): Promise<GroupEvent | undefined>;
  return(): Promise<void>;
}

/** A subscription that could not be opened, and its whole answer as JSON. */
export interface RefusedStream {
  readonly errors: readonly GraphQLError[];
  readonly text: string;
}

/** Answers an event with its data as JSON. */
type AnswerEvent = (event: SourceEvent) => Promise<{ readonly data: string; readonly errors: readonly GraphQLError[] }>;

/** graphql-js does, in one piece. */
const interpreted =
  (args: ExecutionArgs): AnswerEvent =>
  async (event) => {
    const { data = null, errors = [] } = await execute({ ...args, rootValue: event });
    return { data: JSON.stringify(data), errors };
  };

/**
 * Opens a subscription, or says what is wrong with it. The source is asked before anything is waited for. `answer` is what
 * executes its events.
 */
export async function openEventStream(
  args: ExecutionArgs,
  shown: (errors: readonly GraphQLError[]) => readonly GraphQLFormattedError[],
  answer: AnswerEvent = interpreted(args),
): Promise<EventStream | RefusedStream> {
  const opened = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in opened)) {
    const { errors = [] } = opened;
    return { errors, text: answerText("null", shown(errors), undefined) };
  }
  if (!isEventSource(opened)) throw new Error("a subscription's resolver has given no source of events");
  const { pace } = opened;
  return {
    pace: pace.mode === "ALL" ? { mode: "ALL" } : { mode: "LATEST", everyMs: pace.everyMs ?? 0 },
    initial: opened.initial,
    get received() {
      return opened.received;
    },
    async next() {
      const turn = await opened.next();
      if (turn.done === true) return undefined;
      const { kind, time, stale, about } = turn.value;
      const { taken, skipped } = opened;
      const { data, errors } = await answer(turn.value);
      return {
        number: taken,
        text: answerText(data, shown(errors), undefined),
        notes: `"stream":${JSON.stringify({ kind, time: new Date(time).toISOString(), stale })}`,
        missed: skipped,
        about,
      };
    },
    async return() {
      await opened.return?.();
    },
  };
}

const isEventSource = (stream: AsyncIterable<unknown>): stream is EventSource =>
  "next" in stream && "pace" in stream && "received" in stream;
