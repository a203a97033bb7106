import type { Secret } from "../datasources/errors/index.js";

/** The Redis that replicas share. */
export interface RedisSettings {
  readonly url: Secret;
  /** Replicas of one group have the same egress address and share the exchange's limits per address. */
  readonly egressGroup: string;
}

/** `undefined` if there is none. `inFile` is the content of the address's file. */
export function redisSettings(
  {
    REDIS_URL: inVariable,
    EGRESS_GROUP: egressGroup,
  }: { readonly REDIS_URL?: Secret | undefined; readonly EGRESS_GROUP: string },
  inFile: Secret | undefined,
): RedisSettings | undefined {
  const url = inVariable ?? inFile;
  return url && { url, egressGroup };
}
