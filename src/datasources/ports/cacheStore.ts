import type { CacheLifetime } from "@exchange-graph/contract/endpoint";

/** For how long an answer is kept at most, ms: as long as a client may take it. */
export const keptMsOf = ({ freshMs, staleMs, keptMs = 0 }: CacheLifetime): number => Math.max(freshMs + staleMs, keptMs);

/** Which state of a topic an answer shows. Versions are compared for equality alone, and no clocks are. */
export type Version = string | number;

/** A kept answer. */
export interface Entry {
  readonly value: unknown;
  /** Could every row of it be read? */
  readonly isWhole: boolean;
  /** When the call that brought it was sent, Unix ms by this process's clock. */
  readonly askedAt: number;
  /** Of its topic, as the call was sent. */
  readonly version: Version;
}

/** An answer to be kept. */
export interface Fresh extends Entry {
  /** As it came. */
  readonly body: Buffer;
  /** Decodes the value once more from such a body, which is not looked at any more afterwards. */
  readonly again: (body: Buffer) => unknown;
  /** The text of the body. */
  readonly text: () => string;
}

/** Reads an answer from the text that another replica has kept. */
export type Decode = (text: string) => Pick<Entry, "value" | "isWhole">;

/**
 * Where answers are kept, by topic (an endpoint's data of one owner) and key. A topic can be dropped as a whole, for all
 * replicas: it has another version from then on, and answers of former versions are not served any more. An answer belongs to
 * the version that its topic had before its call left, so one that was under way during a drop is never served after it.
 *
 * What is in this process's memory is looked up at once; `find` asks other replicas and is the only method that waits.
 */
export interface CacheStore {
  /** The version of a topic: what is asked for from now on belongs to it. */
  version(topic: string): Version;
  /** Has the topic been dropped since it had this version? */
  isDropped(topic: string, version: Version): boolean;
  /** May an answer of this version be passed on at this moment without being looked up again? */
  isCurrent(topic: string, version: Version): boolean;
  /** An answer in this process's memory that may be served. */
  get(topic: string, key: string): Entry | undefined;
  /** The same, without counting as a use. */
  peek(topic: string, key: string): Entry | undefined;
  /**
   * A fresh answer that another replica has, or is asking for. Without one this replica is to ask, and to say how that ended:
   * by `set` or `giveUp`. Gives nothing at once where there are no other replicas.
   */
  find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<Entry | undefined> | undefined;
  /** Keeps an answer for as long as its lifetime says at most, unless its topic has been dropped since. */
  set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): void;
  /** The call for this answer has failed. */
  giveUp(topic: string, key: string): void;
  /** Drops a topic: nothing that was asked for up to now is served again, by this replica from now on. */
  drop(topic: string): void;
  /** Resolves once that holds for all replicas that can be reached; nothing where it does already. Never rejects. */
  settled(): Promise<void> | undefined;
  /** Hears of topics that another replica has dropped; of all at once where it is not known which. */
  onDropped(listener: (topic: string | undefined) => void): void;
  close(): Promise<void>;
}
