import { locatedError } from "graphql";
import type { SubscribeResolverData } from "type-graphql";
import { badInput, type ExchangeAccount, Fault } from "../../datasources/index.js";
import {
  type EventQueue,
  eventQueue,
  type Listener,
  overMany,
  type StateView,
  type StreamEvent,
  type Streams,
  type SubjectEvent,
  type Unlisten,
} from "../../datasources/streams/index.js";
import { of } from "../../schema/fields.js";
import { MAX_EVERY_MS, MISSED_PLACE, PaceInput, type PaceMode, type StreamStatus } from "../../schema/streamStatus.js";
import type { RequestContext } from "../context.js";

interface Paced {
  readonly pace: PaceInput;
}

const streamsOf = ({ streams }: RequestContext): Streams => {
  if (streams !== undefined) return streams;
  throw new Fault("EXCHANGE_UNAVAILABLE", "this gateway serves no subscriptions: EXCHANGE_WS_URL is not set");
};

/** The events of a subscription, and the requested conflation. */
export interface EventSource<T> extends AsyncIterable<never>, Omit<EventQueue<T>, "waiting"> {
  readonly pace: Pick<PaceInput, "mode" | "everyMs">;
  /** Whether it is about accounts. Such events take precedence over public ones. */
  readonly isPrivate: boolean;
  /**
   * Number of events of the current state that were available when it opened, one per topic. After a resume: the number of events
   * since the position, once it is known.
   */
  readonly initial: number | Promise<number>;
}

/** How a subscription resumes: the `rootValue` of its resolver. */
export interface Resuming {
  /** Position of the listener's last event, or `null` if it has none. */
  readonly after: string | null;
  /** Called at the time of the snapshot. Events after this call are not part of the first events. */
  readonly caughtUp: () => void;
}

interface StreamTraits {
  /** Whether each event matters, so that resuming listeners get those that they missed. */
  readonly hasHistory?: boolean;
  readonly isPrivate?: boolean;
}

export const streamed =
  <A extends Paced, T>(
    listen: (streams: Streams, args: A, context: RequestContext, listener: Listener<T>) => Unlisten,
    { hasHistory = false, isPrivate = false }: StreamTraits = {},
  ) =>
  ({ source, args, context, info }: SubscribeResolverData<Resuming | undefined, A, RequestContext>): EventSource<T> => {
    const { mode, everyMs } = args.pace;
    if (everyMs !== null && everyMs !== undefined && (mode !== "LATEST" || everyMs < 0 || everyMs > MAX_EVERY_MS))
      throw badInput([{ argument: "pace.everyMs", rule: `must be from 0 to ${MAX_EVERY_MS}, and requires mode LATEST` }]);
    const streams = streamsOf(context);
    const wants = mode === "LATEST" ? "newest" : "all";
    const resuming = hasHistory ? source : undefined;
    let initial: Promise<number> | undefined;
    const queue = eventQueue<T>((listener) => {
      if (resuming === undefined) return listen(streams, args, context, listener);
      const going = goingOn(listener, resuming, wants);
      initial = going.initial;
      return listen(streams, args, context, going.listener);
    }, wants);
    return {
      pace: args.pace,
      isPrivate,
      initial: initial ?? queue.waiting,
      get received() {
        return queue.received;
      },
      get hasEnded() {
        return queue.hasEnded;
      },
      take() {
        try {
          return queue.take();
        } catch (error) {
          // The error that ends a stream has the path of its field, like an error of a query.
          throw locatedError(error, info.fieldNodes, [info.path.key]);
        }
      },
      ready: () => queue.ready(),
      stop: () => queue.stop(),
      // graphql-js requires an async iterable.
      [Symbol.asyncIterator]() {
        throw new Error("events are taken one by one");
      },
    };
  };

/** A resuming listener, and the number of events since its position. */
function goingOn<T>(listener: Listener<T>, { after, caughtUp }: Resuming, wants: "all" | "newest") {
  let resolveInitial = (_events: number): void => undefined;
  const initial = new Promise<number>((resolve) => {
    resolveInitial = resolve;
  });
  let events = 0;
  const about = new Set<string | undefined>();
  const going: Listener<T> = {
    next(event) {
      events++;
      about.add(event.about);
      listener.next(event);
    },
    failed(fault) {
      listener.failed(fault);
      resolveInitial(1);
    },
    after,
    caughtUp() {
      caughtUp();
      resolveInitial(wants === "all" ? events : about.size);
    },
  };
  return { initial, listener: going };
}

/** Prepares the execution of an event: joined data is read again. Returns the event's state and value. */
export function begin<T>(
  { reads }: RequestContext,
  { kind, time, stale, value }: StreamEvent<T>,
): { readonly stream: StreamStatus; readonly value: T } {
  reads.forget();
  return { stream: { kind, time, isStale: stale, missed: MISSED_PLACE }, value };
}

/** Maximum number of subjects of one subscription. */
export const MAX_SUBJECTS = 100;

/** Distinct names. Throws `BAD_USER_INPUT` if there are none, or too many. */
export function subjectsIn(argument: string, names: readonly string[]): readonly string[] {
  const distinct = [...new Set(names)];
  if (distinct.length > 0 && distinct.length <= MAX_SUBJECTS) return distinct;
  throw badInput([{ argument, rule: `must have from 1 to ${MAX_SUBJECTS} entries` }]);
}

interface AccountNames {
  readonly account?: string | null;
  readonly accounts?: readonly string[] | null;
}

/** The accounts of a subscription; the first one without an argument. Throws `BAD_USER_INPUT`. */
function accountsNamed({ exchange }: RequestContext, { account, accounts }: AccountNames): readonly ExchangeAccount[] {
  const [argument, names] = accounts
    ? (["accounts", subjectsIn("accounts", accounts)] as const)
    : (["account", [account]] as const);
  if (accounts && account !== null && account !== undefined)
    throw badInput([{ argument, rule: "must not be given beside account" }]);
  return names.map((name) => {
    const found = exchange.account(name);
    if (found === undefined) throw badInput([{ argument, rule: "must be the name of an account of this gateway" }]);
    return found;
  });
}

/** Starts the stream of a subscription about one account or several; each event is about one. */
export const streamedByAccount = <A extends Paced & AccountNames, T>(
  listen: (
    streams: Streams,
    account: ExchangeAccount,
    listener: Listener<T>,
    view: StateView,
    context: RequestContext,
  ) => Unlisten,
  traits: Pick<StreamTraits, "hasHistory"> = {},
) =>
  streamed(
    (streams, args: A, context, listener: Listener<SubjectEvent<ExchangeAccount, T>>) => {
      // Events that may replace others have to contain the whole state.
      const view = { isWhole: args.pace.mode === "LATEST" };
      const sources = accountsNamed(context, args).map((account) => ({
        about: account.name,
        subject: account,
        listen: (one: Listener<T>) => listen(streams, account, one, view, context),
      }));
      return overMany(sources, listener, () => context.reads.now());
    },
    { ...traits, isPrivate: true },
  );

/** The argument `pace` of every subscription. */
export const pace = (mode: PaceMode) =>
  of(PaceInput).withDefault(`Delivery of events. Default: ${mode === "ALL" ? "every event" : "always the newest"}`, {
    mode,
  });
