/** Kinds of texts: answers of endpoints, and persisted queries. */
export const STORE_NAMESPACES = ["reference", "documents"] as const;
export type StoreNamespace = (typeof STORE_NAMESPACES)[number];

/**
 * Texts that are the same for everybody, in a store that outlives the process and may be shared. What it holds can always be fetched
 * again, so nothing depends on it: neither method rejects.
 */
export interface ExternalStore {
  /** Why it cannot be used, in words that may be shown to everybody; undefined if it can. */
  readonly trouble: string | undefined;
  /** The text of a key; undefined if there is none, if it is no text, or if the store does not answer in time. */
  get(namespace: StoreNamespace, key: string): Promise<string | undefined>;
  /** Stores a text for this long, in ms, without waiting for the store. */
  set(namespace: StoreNamespace, key: string, text: string, ttlMs: number): void;
  close(): Promise<void>;
}
