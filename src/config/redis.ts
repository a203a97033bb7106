import type { Secret } from "../datasources/secret.js";

/** The engine that replicas share for what is fast and may be lost. */
export interface RedisSettings {
  readonly url: Secret;
  /** Replicas of one group leave by one address, and share what the exchange allows to it. */
  readonly egressGroup: string;
}

/** `undefined` when there is none. `inFile` is what a file of the address holds. */
export function redisSettings(
  { REDIS_URL: given, EGRESS_GROUP: egressGroup }: { readonly REDIS_URL?: Secret | undefined; readonly EGRESS_GROUP: string },
  inFile: Secret | undefined,
): RedisSettings | undefined {
  const url = given ?? inFile;
  return url && { url, egressGroup };
}
