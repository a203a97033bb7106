import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { queryString } from "@exchange-graph/contract/signing";

/** Whose data a key holds: an account's by its name, or everybody's. */
export type Owner = string | undefined;

/** The mark of public data. Account names cannot contain it. */
const EVERYBODY = "*";

/**
 * The one place where keys are built: for the cache, for calls in flight and for the loaders of a request. A private
 * endpoint's key always carries its account, so no two accounts can ever meet under one key.
 */
export function cacheKey(endpoint: Endpoint, owner: Owner, parameters: Readonly<Record<string, unknown>>): string {
  if (endpoint.access === "private" && owner === undefined)
    throw new Error(`${endpoint.name} is an account's data and needs its account`);
  return `${topicKey(endpoint.name, endpoint.access === "private" ? owner : undefined)}?${queryString(parameters)}`;
}

/** What own writes and stream events drop together: everything an endpoint said about one owner. */
export const topicKey = (endpointName: string, owner: Owner): string => `${owner ?? EVERYBODY}/${endpointName}`;
