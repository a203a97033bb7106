import type { GraphAnswer } from "@exchange-graph/client";

/** The reads of the last answer. */
export interface LastAnswer {
  readonly operation: string;
  readonly ms: number;
  readonly cost: Counts | undefined;
  readonly reads: readonly Read[];
}

interface Counts {
  readonly estimated: { readonly upstreamCalls: number; readonly nodes: number };
  readonly actual: { readonly upstreamCalls: number; readonly nodes: number };
  /** The estimate by field, by its coordinate, the most calls first. */
  readonly fields: readonly { readonly field: string; readonly upstreamCalls: number; readonly nodes: number }[];
}

interface Read {
  readonly endpoint: string;
  readonly account: string | null;
  readonly source: string;
  readonly ageMs: number;
  readonly waitMs: number;
  readonly failed: boolean;
}

interface State {
  /** The API token; kept in memory, and on request in session storage. */
  readonly token: string | undefined;
  readonly last: LastAnswer | undefined;
}

const STORED = "exchange-graph-token";

let state: State = { token: sessionStorage.getItem(STORED) ?? undefined, last: undefined };
const listeners = new Set<() => void>();

const change = (changed: Partial<State>): void => {
  state = { ...state, ...changed };
  for (const listener of listeners) listener();
};

/** The state of the user and of the last answer, for `useSyncExternalStore`. */
export const session = {
  get: (): State => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  signIn(token: string, isKept: boolean): void {
    if (isKept) sessionStorage.setItem(STORED, token);
    else sessionStorage.removeItem(STORED);
    change({ token });
  },
  signOut(): void {
    sessionStorage.removeItem(STORED);
    change({ token: undefined, last: undefined });
  },
  answered(operation: string, ms: number, extensions: GraphAnswer["extensions"]): void {
    // Extensions of the gateway, requested by this page: docs/reference.md describes each field.
    const { cost, exchange } = (extensions ?? {}) as { readonly cost?: Counts; readonly exchange?: { readonly reads: Read[] } };
    change({ last: { operation, ms, cost, reads: exchange?.reads ?? [] } });
  },
};
