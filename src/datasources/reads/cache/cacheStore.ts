import type { CacheLifetime, Endpoint } from "@exchange-graph/contract/endpoint";
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

/** Maximum time for which an answer is kept, in ms: the largest age that a client may request. */
export const keptMsOf = ({ freshMs, staleMs, keptMs = 0 }: CacheLifetime): number => Math.max(freshMs + staleMs, keptMs);

/** State of a topic that an answer belongs to. Versions are compared for equality only; no clocks are compared. */
export type Version = string | number;

export interface CacheEntry {
  readonly value: unknown;
  /** Whether all of its rows could be decoded. */
  readonly isWhole: boolean;
  /** When its call was sent, Unix ms by this process's clock. */
  readonly requestedAt: number;
  /** Version of its topic when its call was sent. */
  readonly version: Version;
}

/** Decodes the text of an endpoint's answer. The cache keeps it, so it refers to nothing of an answer or its call. */
export type Decode = (text: string) => Pick<CacheEntry, "value" | "isWhole">;

export interface Fresh extends CacheEntry {
  /** The answer's text in UTF-8. Caches keep it, because it is one object and a value is hundreds. */
  readonly body: Buffer;
  readonly decode: Decode;
}

/**
 * Caches answers by topic (an endpoint's data of one owner) and key. Dropping a topic affects all replicas: it gets another
 * version, and answers of former versions are not served any more. An answer belongs to the version of its topic before its call
 * was sent, so an answer that was on its way during a drop is not served after it.
 *
 * Look-ups in this process's memory are synchronous; `find`, which asks other replicas, is the only method that waits.
 */
export interface CacheStore {
  /** The current version of a topic, for answers whose calls are sent from now on. */
  version(topic: string): Version;
  /** Whether the topic was dropped since it had this version. */
  isDropped(topic: string, version: Version): boolean;
  /** Whether an answer of this version may be used now without another look-up. */
  isCurrent(topic: string, version: Version): boolean;
  /** An answer from this process's memory that may be served. */
  get(topic: string, key: string): CacheEntry | undefined;
  /** The same, without counting as a use. */
  peek(topic: string, key: string): CacheEntry | undefined;
  /**
   * A fresh answer that another replica has, or is fetching. If there is none, the caller has to fetch it and report the outcome by
   * `set` or `giveUp`. Undefined if there are no other replicas.
   */
  find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<CacheEntry | undefined> | undefined;
  /** Caches an answer for the duration of its lifetime, unless its topic has been dropped since its call was sent. */
  set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): void;
  /** Reports that the call for this answer failed. */
  giveUp(topic: string, key: string): void;
  /** Drops topics: this replica serves no answer of them any more whose call was sent before. */
  drop(topics: readonly string[]): void;
  /** Resolves once that applies to all reachable replicas; undefined if it already does. Never rejects. */
  settled(): Promise<void> | undefined;
  /** Calls the listener with topics that another replica has dropped; with `undefined` if all topics may be affected. */
  onDropped(listener: (topic: string | undefined) => void): void;
  close(): Promise<void>;
}
