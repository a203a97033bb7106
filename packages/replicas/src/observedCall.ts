import type { StoreCall } from "../../../src/instrumentation/events.js";
import type { Instrumentation } from "../../../src/instrumentation/instrumentation.js";

/** Makes a call to a store, and publishes it with its duration if somebody listens. `monotonic` is in milliseconds. */
export async function observed<T>(
  { instrumentation: { storeCall }, monotonic }: { readonly instrumentation: Instrumentation; readonly monotonic: () => number },
  call: Omit<StoreCall, "tookMs" | "failure">,
  work: () => Promise<T>,
): Promise<T> {
  if (!storeCall.hasSubscribers) return work();
  const startedAt = monotonic();
  const ended = (failure?: string): void => storeCall.publish({ ...call, tookMs: monotonic() - startedAt, failure });
  try {
    const result = await work();
    ended();
    return result;
  } catch (error) {
    ended(error instanceof Error ? error.name : "Error");
    throw error;
  }
}
