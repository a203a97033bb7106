import type { Clock } from "@exchange-graph/contract/clock";
import { Fault } from "../datasources/index.js";
import type { RequestContext } from "../resolvers/index.js";

/** Makes each read in a context of its own, which is dropped after it. */
export type PacedRead = <T>(read: (context: RequestContext) => Promise<T>) => Promise<T>;

export interface ExportClient {
  /** A context whose reads go after those of everybody else. */
  newContext(): RequestContext;
  /** The time in ms until the client may have more calls sent; undefined if it may now. */
  allowance(): number | undefined;
  /** Counts calls that were sent for it. */
  spent(calls: number): void;
  /** Aborted when nobody waits for the export any more; its reason is the error. */
  readonly signal: AbortSignal;
}

/** Wait before a read that failed is repeated, unless the error says when to; it doubles each time. */
const [SHORTEST_MS, LONGEST_MS] = [1_000, 30_000];
/** An export fails if a read has failed for this long. */
const PATIENCE_MS = 10 * 60_000;

/**
 * Reads one after the other, within the limits of the client and of the exchange. A failed read is repeated if it may be, so that
 * an export of an hour does not fail because of an interruption of a second.
 */
export const paced = (client: ExportClient, clock: Clock): PacedRead =>
  async function ask(read) {
    const since = clock.now();
    for (let pauseMs = SHORTEST_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_MS)) {
      for (let waitMs = client.allowance(); waitMs !== undefined; waitMs = client.allowance())
        await pause(clock, waitMs, client.signal);
      if (client.signal.aborted) throw client.signal.reason;
      const context = client.newContext();
      try {
        return await read(context);
      } catch (error) {
        if (!(error instanceof Fault) || !error.extensions.retryable || error.code === "CLIENT_GONE") throw error;
        if (clock.now() - since > PATIENCE_MS) throw error;
        await pause(clock, error.extensions.retryAfterMs ?? pauseMs, client.signal);
      } finally {
        client.spent(context.reads.trace.upstreamCalls);
      }
    }
  };

/** Resolves after this long, or as soon as the signal is aborted. */
async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((over) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      over();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener("abort", end);
  });
}
