import type { Secret } from "../secret.js";

/** What a replica is called, and where what it shares is kept. */
export interface EngineSettings {
  readonly url: Secret;
  /** Different for every process that ever was. */
  readonly replica: string;
  /** Replicas behind one outgoing address share the limits of that address. */
  readonly egressGroup: string;
  /** Stands before every key: what belongs to one exchange, or its demo environment. */
  readonly realm: string;
}
