import type { Clock } from "@exchange-graph/contract/clock";
import type { Secret } from "../../../../src/datasources/errors/index.js";
import type { Instrumentation } from "../../../../src/instrumentation/instrumentation.js";
import type { Connect } from "./redisConnection.js";

/** Name of a replica, and prefix of the shared keys. */
export interface EngineSettings {
  readonly url: Secret;
  /** Unique for every process. */
  readonly replica: string;
  /** Replicas with the same egress address share the limits of that address. */
  readonly egressGroup: string;
  /** Prefix of every key: identifies the exchange, or its demo environment. */
  readonly realm: string;
}

export interface EngineParts {
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock that also advances while the process is suspended. */
  readonly monotonic: () => number;
  /** Between 0 and 1; jitter of reconnections. */
  readonly random: () => number;
  /** Returns a unique text. */
  readonly newName: () => string;
  readonly instrumentation: Instrumentation;
  /** Opens a connection. Default: to Redis. */
  readonly connect?: Connect | undefined;
}
