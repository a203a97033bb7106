import type { Clock } from "@exchange-graph/contract/clock";
import type { Faults } from "../control/faults.js";
import type { Credentials } from "../credentials.js";
import type { Accounts } from "../world/accounts.js";
import type { Events } from "../world/worldEvents.js";
import type { TopicFeed } from "./feeds/topicFeed.js";
import type { Report } from "./guarded.js";
import type { Entrust } from "./orderEntry.js";

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
