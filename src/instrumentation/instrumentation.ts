import { channel, subscribe, unsubscribe } from "node:diagnostics_channel";
import type * as events from "./events.js";

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
    answer: named<events.RequestAnswered>("answer"),
    writeStart: named<events.WriteStart>("write-start"),
    refusal: named<events.RefusedAnswer>("refusal"),
    mutation: named<events.MutationEnd>("mutation"),
    exported: named<events.Exported>("exported"),
    connectionFailure: named<unknown>("connection-failure"),
    upstreamCall: named<events.UpstreamCall>("upstream-call"),
    storeCall: named<events.StoreCall>("store-call"),
    refreshFailure: named<events.RefreshFailure>("refresh-failure"),
    liveFailure: named<events.LiveFailure>("live-failure"),
    unread: named<events.Unread>("unread"),
    unknown: named<events.Unknown>("unknown"),
    neighbourSign: named<events.NeighbourSign>("neighbour-sign"),
    /** A key is refused that was accepted before. */
    keyRefused: named<events.KeyRefusal>("key-refused"),
    /** The key of this account is accepted again. */
    keyAccepted: named<string>("key-accepted"),
    /** A write has ended, or its answer was lost. */
    write: named<events.WriteProgress>("write"),
    writeFailure: named<events.WriteFailure>("write-failure"),
    journal: named<events.JournalEvent>("journal"),
    history: named<events.HistoryEvent>("history"),
    redis: named<events.RedisEvent>("redis"),
    clock: named<events.ClockEvent>("clock"),
    limits: named<events.LimitsEvent>("limits"),
    disconnect: named<events.Disconnect>("disconnect"),
    unplacedPush: named<events.UnplacedPush>("unplaced-push"),
    fileChange: named<events.FileChange>("file-change"),
    failure: named<events.Failure>("failure"),
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
