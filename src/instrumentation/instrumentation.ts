import { channel, subscribe, unsubscribe } from "node:diagnostics_channel";
import type {
  ClockEvent,
  Disconnect,
  Exported,
  Failure,
  FileChange,
  HistoryEvent,
  JournalEvent,
  KeyRefusal,
  LimitsEvent,
  LiveFailure,
  MutationEnd,
  NeighbourSign,
  RedisEvent,
  RefreshFailure,
  RefusedAnswer,
  RequestAnswered,
  StoreCall,
  Unknown,
  UnplacedPush,
  Unread,
  UpstreamCall,
  WriteFailure,
  WriteProgress,
  WriteStart,
} from "./events.js";

/** A typed channel of `node:diagnostics_channel`. */
export interface EventChannel<E> {
  readonly name: string | symbol;
  /** False: there is no listener, and an event need not be made. */
  readonly hasSubscribers: boolean;
  publish(event: E): void;
}

/**
 * Creates all channels of one gateway. `node:diagnostics_channel` identifies channels by name across the process: the channels of
 * the process's gateway are called `exchange-graph:<what>`, those of an `instance`, for tests with several gateways in one
 * process, `exchange-graph:<what>@<instance>`.
 */
export function createInstrumentation(instance?: string) {
  const named = <E>(what: string): EventChannel<E> =>
    channel(`exchange-graph:${what}${instance === undefined ? "" : `@${instance}`}`);
  return {
    answer: named<RequestAnswered>("answer"),
    writeStart: named<WriteStart>("write-start"),
    refusal: named<RefusedAnswer>("refusal"),
    mutation: named<MutationEnd>("mutation"),
    exported: named<Exported>("exported"),
    connectionFailure: named<unknown>("connection-failure"),
    upstreamCall: named<UpstreamCall>("upstream-call"),
    storeCall: named<StoreCall>("store-call"),
    refreshFailure: named<RefreshFailure>("refresh-failure"),
    liveFailure: named<LiveFailure>("live-failure"),
    unread: named<Unread>("unread"),
    unknown: named<Unknown>("unknown"),
    neighbourSign: named<NeighbourSign>("neighbour-sign"),
    /** A key is refused that was accepted before. */
    keyRefused: named<KeyRefusal>("key-refused"),
    /** The key of this account is accepted again. */
    keyAccepted: named<string>("key-accepted"),
    /** A write has ended, or its answer was lost. */
    write: named<WriteProgress>("write"),
    writeFailure: named<WriteFailure>("write-failure"),
    journal: named<JournalEvent>("journal"),
    history: named<HistoryEvent>("history"),
    redis: named<RedisEvent>("redis"),
    clock: named<ClockEvent>("clock"),
    limits: named<LimitsEvent>("limits"),
    disconnect: named<Disconnect>("disconnect"),
    unplacedPush: named<UnplacedPush>("unplaced-push"),
    fileChange: named<FileChange>("file-change"),
    failure: named<Failure>("failure"),
  };
}

/** The channels of one gateway. */
export type Instrumentation = ReturnType<typeof createInstrumentation>;

/** The channels of the process's gateway. */
export const INSTRUMENTATION: Instrumentation = createInstrumentation();

/**
 * Calls the listener with the events of a channel until the returned function is called. Errors of the listener are published as
 * failures; `diagnostics_channel` itself would end the process.
 */
export function listen<E>({ failure }: Instrumentation, { name }: EventChannel<E>, listener: (event: E) => void): () => void {
  const received = (event: unknown): void => {
    try {
      // Only `publish` of this channel passes events, and it is typed.
      listener(event as E);
    } catch (error) {
      if (name === failure.name) process.emitWarning(error instanceof Error ? error : String(error));
      else failure.publish({ error, what: "unexpected error in a listener of the instrumentation" });
    }
  };
  subscribe(name, received);
  return () => {
    unsubscribe(name, received);
  };
}
