import type { MutationObserver } from "../../resolvers/index.js";

/** Who asked, and how. */
export interface Origin {
  /** The client's principal; null for somebody whom nobody knows. */
  readonly who: string | null;
  /** The address it came from, as the socket tells it. */
  readonly address: string | undefined;
  readonly over: "http" | "websocket" | "sse";
  readonly requestId: string;
}

/** Where it is kept who did what. */
export interface AuditTrail {
  /** An operation has come in: what listens to its mutations. */
  mutationsOf(origin: Origin): MutationObserver;
  /** An answer refused something: `codes` has one for each refusal, `operation` is the name that its client gave it. */
  refused(origin: Origin, operation: string | undefined, codes: readonly string[]): void;
}
