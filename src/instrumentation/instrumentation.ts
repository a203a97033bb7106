import { channel, subscribe, unsubscribe } from "node:diagnostics_channel";
import type {
  Answered,
  Disconnect,
  EngineNews,
  Failure,
  FileChange,
  JournalNews,
  KeyRefusal,
  LiveFailure,
  MutationEnd,
  NeighbourSign,
  OperationEnd,
  OperationReuse,
  OperationStart,
  RefreshFailure,
  Refusal,
  ResolverStart,
  UnplacedPush,
  Unread,
  UpstreamCall,
  WriteFailure,
  WriteIntent,
  WriteProgress,
  WriteStart,
} from "./events.js";

/** A channel of `node:diagnostics_channel` with the type of its events. */
export interface EventChannel<E> {
  readonly name: string | symbol;
  /** False: an event that costs something to make need not be made. */
  readonly hasSubscribers: boolean;
  publish(event: E): void;
}

/**
 * The channels of one gateway, all of them. `node:diagnostics_channel` knows a channel by its name in the whole process:
 * those of the process's one gateway are called `exchange-graph:<what>`, and those of an `instance`, where tests run several
 * in one process, `exchange-graph:<what>@<instance>`.
 */
export function createInstrumentation(instance?: string) {
  const named = <E>(what: string): EventChannel<E> =>
    channel(`exchange-graph:${what}${instance === undefined ? "" : `@${instance}`}`);
  return {
    /** A request to `/graphql` has its answer. */
    answer: named<Answered>("answer"),
    /** An operation begins to run. */
    operationStart: named<OperationStart>("operation-start"),
    /** A recorded operation has run. */
    operationEnd: named<OperationEnd>("operation-end"),
    /** A query has the answer of an equal one. */
    operationReuse: named<OperationReuse>("operation-reuse"),
    /** A field's resolver that may call the exchange has begun in a recorded operation. */
    resolverStart: named<ResolverStart>("resolver-start"),
    /** A write is about to be put into the journal. */
    writeIntent: named<WriteIntent>("write-intent"),
    /** A write is in the journal, and is about to leave. */
    writeStart: named<WriteStart>("write-start"),
    /** An answer refused something. */
    refusal: named<Refusal>("refusal"),
    /** A mutation has ended. */
    mutation: named<MutationEnd>("mutation"),
    /** A client's connection has failed. */
    connectionFailure: named<unknown>("connection-failure"),
    /** A call to the exchange has ended, or never left. */
    upstreamCall: named<UpstreamCall>("upstream-call"),
    /** An old answer stays in use. */
    refreshFailure: named<RefreshFailure>("refresh-failure"),
    /** Something is not kept live. */
    liveFailure: named<LiveFailure>("live-failure"),
    /** What the exchange sent could not be read. */
    unread: named<Unread>("unread"),
    /** Somebody else spends the same rate limits. */
    neighbourSign: named<NeighbourSign>("neighbour-sign"),
    /** A key is refused that was not refused before. */
    keyRefused: named<KeyRefusal>("key-refused"),
    /** The key of this account is taken again. */
    keyAccepted: named<string>("key-accepted"),
    /** A write has ended, or its answer is lost and it is left open. */
    write: named<WriteProgress>("write"),
    /** Something failed around a write. */
    writeFailure: named<WriteFailure>("write-failure"),
    /** Something has happened around the journal of writes. */
    journal: named<JournalNews>("journal"),
    /** What replicas share can be reached, or cannot. */
    engine: named<EngineNews>("engine"),
    /** A connection to the exchange's streams has ended. */
    disconnect: named<Disconnect>("disconnect"),
    /** A push belongs to no subscription. */
    unplacedPush: named<UnplacedPush>("unplaced-push"),
    /** Watched files have changed. */
    fileChange: named<FileChange>("file-change"),
    /** Something failed that nobody foresaw. */
    failure: named<Failure>("failure"),
  };
}

/** The channels of one gateway. */
export type Instrumentation = ReturnType<typeof createInstrumentation>;

/** The channels of the process's one gateway. */
export const INSTRUMENTATION: Instrumentation = createInstrumentation();

/**
 * Hears the events of a channel until the returned function is called. What the listener throws is published as a failure:
 * `diagnostics_channel` itself would end the process with it.
 */
export function listen<E>({ failure }: Instrumentation, { name }: EventChannel<E>, listener: (event: E) => void): () => void {
  const heard = (event: unknown): void => {
    try {
      // Only `publish` of this very channel gives it, which takes nothing else.
      listener(event as E);
    } catch (error) {
      if (name === failure.name) process.emitWarning(error instanceof Error ? error : String(error));
      else failure.publish({ error, what: "unexpected error in a listener of the instrumentation" });
    }
  };
  subscribe(name, heard);
  return () => {
    unsubscribe(name, heard);
  };
}
