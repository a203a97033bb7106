import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { queryString } from "@exchange-graph/contract/signing";

/** Owner of a key's data: an account by its name, or `undefined` for public data. */
export type TopicOwner = string | undefined;

/** Marks public data. Account names cannot contain it. */
const PUBLIC_OWNER = "*";

/**
 * Builds all keys: for the cache, shared calls and the loaders of a request. The key of a private endpoint always contains its
 * account, so two accounts never share one.
 */
export function cacheKey(endpoint: Endpoint, owner: TopicOwner, parameters: Readonly<Record<string, unknown>>): string {
  if (endpoint.access === "private" && owner === undefined)
    throw new Error(`${endpoint.name} is an account's data and needs its account`);
  const topic = topicKey(endpoint.name, endpoint.access === "private" ? owner : undefined);
  // Joined into one flat string, because keys are kept for long: a template string stays a tree of its parts.
  return [topic, queryString(parameters)].join("?");
}

/** Topic of all answers of an endpoint for one owner. Writes and stream events drop it as a whole. */
export const topicKey = (endpointName: string, owner: TopicOwner): string => `${owner ?? PUBLIC_OWNER}/${endpointName}`;
