import type { Clock } from "@exchange-graph/contract/clock";
import type { Faults } from "../control/faults.js";
import type { Credentials } from "../credentials.js";
import type { Accounts } from "../world/accounts.js";
import type { Events } from "../world/worldEvents.js";
import type { TopicFeed } from "./feeds/topicFeed.js";
import type { Entrust } from "./orderEntry.js";

export interface Listener {
  send(frame: string | Buffer): void;
  /** Suppresses everything that is sent from now on; the connection stays open. */
  silence(): void;
  /** Resets the connection without a close frame. */
  drop(): void;
}

/** Called with an error of the sandbox's own. */
export type Report = (error: unknown) => void;

/** Runs a task and reports its failure instead of throwing. */
export function guarded(report: Report, run: () => void): void {
  try {
    run();
  } catch (error) {
    report(error);
  }
}

/** Counters of the sockets, at zero. */
export const newGauges = () => ({
  connections: 0,
  subscriptions: 0,
  /** Text frames so far, pings and pongs included. */
  received: 0,
  sent: 0,
  /** Number of violations of client limits: messages, subscriptions, connections. */
  violations: 0,
  /** Connections that were closed because their client did not read. */
  overrun: 0,
});

export type SocketGauges = ReturnType<typeof newGauges>;

export interface SocketParts {
  /** The exchange's clock, which may have an error, and the underlying one, by which limits are measured. */
  readonly clock: Clock;
  readonly trueClock: Clock;
  readonly credentials: Credentials;
  readonly feeds: readonly TopicFeed[];
  readonly accounts: Accounts;
  readonly events: Events;
  readonly faults: Faults;
  readonly seed: string;
  readonly enforceLimits: boolean;
  /** Interval at which the market moves. */
  readonly marketMs: number;
  /** Executes calls received over a socket. */
  readonly entrust: Entrust;
  readonly advance: () => void;
  readonly report: Report;
}
