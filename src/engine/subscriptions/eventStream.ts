// biome-ignore lint/suspicious/noDeprecatedImports: its form with positional arguments is deprecated, and not used here
import { createSourceEventStream, type ExecutionArgs, execute, type GraphQLError, type GraphQLFormattedError } from "graphql";
import type { EventSource } from "../../resolvers/index.js";
import { isoTime } from "../../schema/scalars.js";
import { answerText } from "../answers/result.js";
import { quoted } from "../execution/values.js";
import type { Conflation, GroupEvent } from "./frames.js";

type TakenEvent = NonNullable<ReturnType<EventSource<unknown>["take"]>>;
type SourceEvent = TakenEvent["event"];

/** An open subscription; each event is executed once. */
export interface EventStream extends Pick<EventSource<unknown>, "isPrivate" | "initial" | "received" | "stop"> {
  readonly pace: Conflation;
  /**
   * The next event; `undefined` at the end. `turn` is called before an event is taken and executed: until its promise resolves,
   * newer events may replace it.
   */
  next(turn: Turn): Promise<GroupEvent | undefined>;
}

/** Undefined if an event may be executed now; otherwise resolves when it may. */
export type Turn = () => Promise<void> | undefined;

/** A subscription that could not be opened, with its response as JSON. */
export interface RefusedStream {
  readonly errors: readonly GraphQLError[];
  readonly text: string;
}

interface AnsweredEvent {
  /** JSON. */
  readonly data: string;
  readonly errors: readonly GraphQLError[];
}

/** Executes an event and returns its data as JSON: at once, unless something is read for it. */
type AnswerEvent = (event: SourceEvent) => AnsweredEvent | Promise<AnsweredEvent>;

/** Execution by graphql-js. */
const interpreted =
  (args: ExecutionArgs): AnswerEvent =>
  async (event) => {
    const { data = null, errors = [] } = await execute({ ...args, rootValue: event });
    return { data: JSON.stringify(data), errors };
  };

/**
 * Opens a subscription, or returns its errors. The source is called synchronously. `answer` executes its events. `shown` returns errors
 * as clients may see them.
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
    async next(turn) {
      let taken: TakenEvent | undefined;
      while (taken === undefined) {
        if (opened.hasEnded) return undefined;
        await opened.ready();
        // An event that may be executed now is executed before the next stream asks for its turn. Otherwise all of them would find
        // time left.
        const later = turn();
        if (later !== undefined) await later;
        taken = opened.take();
      }
      const { event, number, skipped } = taken;
      const answered = answer(event);
      // Most answers are synchronous; awaiting them would take a turn of its own.
      const { data, errors } = answered instanceof Promise ? await answered : answered;
      return {
        number,
        text: answerText(data, errors.length === 0 ? NO_ERRORS : shown(errors), undefined),
        notes: `"stream":${streamStateText(event)}`,
        position: event.position,
        missed: skipped,
        about: event.about,
        isLast: event.isLast,
      };
    },
    stop: () => opened.stop(),
  };
}

const NO_ERRORS: readonly GraphQLFormattedError[] = [];

/** The state of an event as listeners see it: JSON, concatenated because every event has it. */
function streamStateText({ kind, time, stale, position, resumed }: SourceEvent): string {
  const place = position === undefined ? "" : `,"position":${quoted(position)}`;
  return `{"kind":${quoted(kind)},"time":"${isoTime(time)}","stale":${stale}${place}${resumed === undefined ? "" : recovered(resumed)}}`;
}

function recovered(resumed: NonNullable<SourceEvent["resumed"]>): string {
  if (resumed.isWhole) return `,"recovered":true`;
  const missed = { from: resumed.from === null ? null : isoTime(resumed.from), to: isoTime(resumed.to) };
  return `,"recovered":false,"missed":${JSON.stringify(missed)}`;
}

const isEventSource = (stream: AsyncIterable<unknown>): stream is EventSource<unknown> =>
  "take" in stream && "pace" in stream && "received" in stream;
