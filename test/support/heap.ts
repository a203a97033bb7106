import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** V8 gives the function to contexts that begin after the flag was set. */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

const collect = garbageCollector();

/** Bytes in use after a collection. What waits for a finalizer goes with the second one. */
export async function usedHeap(): Promise<number> {
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
