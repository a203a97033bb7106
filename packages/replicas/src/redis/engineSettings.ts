import type { Secret } from "../../../../src/datasources/errors/index.js";

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
