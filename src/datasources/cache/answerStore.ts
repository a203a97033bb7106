/** A kept answer. */
export interface Entry {
  readonly value: unknown;
  /** Could every row of it be read? */
  readonly isWhole: boolean;
  /** When the call that brought it was sent, Unix ms. */
  readonly askedAt: number;
}

/** An answer to be kept. */
export interface Fresh extends Entry {
  /** Decodes the value once more from the text that it was decoded from. */
  readonly again: () => unknown;
  /** Length of that text. */
  readonly bytes: number;
}

/** Where answers are kept, by key. */
export interface AnswerStore {
  /** What it has under a key, without waiting: nothing where that cannot be told. */
  peek(key: string): Entry | undefined;
  get(key: string): Promise<Entry | undefined>;
  /** Keeps an answer for `lifetimeMs` at most. */
  set(key: string, fresh: Fresh, lifetimeMs: number): Promise<void>;
  close(): Promise<void>;
}
