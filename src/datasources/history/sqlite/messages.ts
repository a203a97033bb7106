import type { SqliteStore } from "./sqliteStore.js";

/** Data for the history's thread at its start. */
export interface ThreadData {
  readonly path: string;
  readonly realm: string;
}

export type Method = keyof SqliteStore;

export interface ThreadRequest {
  readonly id: number;
  readonly name: Method;
  readonly args: readonly unknown[];
}

/** The thread's answer to a call: the method's result, or why it failed. */
export interface ThreadAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: string;
}
