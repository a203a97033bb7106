// biome-ignore lint/suspicious/noDeprecatedImports: its form with positional arguments is deprecated, and not used here
import { createSourceEventStream, type ExecutionArgs, execute, type GraphQLError, type GraphQLFormattedError } from "graphql";
import { answerText } from "../answers/result.js";
import { quoted } from "../execution/text.js";
import type { Conflation, GroupEvent } from "./pace.js";

/** What a subscription's resolver gives: its events, which are taken one by one. */
export interface EventSource extends AsyncIterable<unknown> {
  /** How fast it was asked to be. */
  readonly pace: { readonly mode: "ALL" | "LATEST"; readonly everyMs?: number | null | undefined };
  /** Is it about accounts? */
  readonly isPrivate: boolean;
  /**
   * How many events of the current state were there as soon as it was open: one for each thing that it is about. Where it goes on after a
   * position, how many say what came since, once that is known.
   */
  readonly initial: number | Promise<number>;
  /** How many events have come, those included that have not been taken yet. */
  readonly received: number;
  /** Does nothing wait, and will nothing come any more? */
  readonly hasEnded: boolean;
  /** The first event in line, if there is one. Throws once what the stream has ended with. */
  take(): TakenEvent | undefined;
  /** Resolves when there is something to take, or nothing will come any more. */
  ready(): Promise<void>;
  stop(): void;
}

interface TakenEvent {
  readonly event: SourceEvent;
  /** Its place among all that have come, counted from 1. */
  readonly number: number;
  /** How many events this one has replaced: they are not taken. */
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
  readonly position?: string | undefined;
  readonly resumed?: Resumed | undefined;
}

/** Has whoever comes back got all that came since, or from when to when has it missed something? Unix ms. */
type Resumed = { readonly isWhole: true } | { readonly isWhole: false; readonly from: number | null; readonly to: number };

/** How a subscription goes on: the `rootValue` of its resolver. */
export interface Resuming {
  /** The position of the last event that its listener has, or `null` where it has none. */
  readonly after: string | null;
  /** Called in the moment of which its first events are: what comes from then on is not in them. */
  readonly caughtUp: () => void;
}

/** A subscription that is open: each event with its answer, executed once. */
export interface EventStream {
  readonly pace: Conflation;
  readonly isPrivate: boolean;
  readonly initial: number | Promise<number>;
  readonly received: number;
  /** The next event; `undefined` after the last one. */
  next(): Promise<GroupEvent | undefined>;
  stop(): void;
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
    isPrivate: opened.isPrivate,
    initial: opened.initial,
    get received() {
      return opened.received;
    },
    async next() {
      let taken = opened.take();
      while (taken === undefined) {
        if (opened.hasEnded) return undefined;
        await opened.ready();
        taken = opened.take();
      }
      const { event, number, skipped } = taken;
      const { data, errors } = await answer(event);
      return {
        number,
        text: answerText(data, shown(errors), undefined),
        notes: `"stream":${standing(event)}`,
        position: event.position,
        missed: skipped,
        about: event.about,
      };
    },
    stop: () => opened.stop(),
  };
}

const textOf = (time: number): string => new Date(time).toISOString();

/** What an event says of itself, as its listeners see it: JSON, written by hand since every event says it. */
function standing({ kind, time, stale, position, resumed }: SourceEvent): string {
  const place = position === undefined ? "" : `,"position":${quoted(position)}`;
  return `{"kind":${quoted(kind)},"time":"${textOf(time)}","stale":${stale}${place}${resumed === undefined ? "" : recovered(resumed)}}`;
}

function recovered(resumed: Resumed): string {
  if (resumed.isWhole) return `,"recovered":true`;
  const missed = { from: resumed.from === null ? null : textOf(resumed.from), to: textOf(resumed.to) };
  return `,"recovered":false,"missed":${JSON.stringify(missed)}`;
}

const isEventSource = (stream: AsyncIterable<unknown>): stream is EventSource =>
  "take" in stream && "pace" in stream && "received" in stream;
