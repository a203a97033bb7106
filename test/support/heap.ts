import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** V8 exposes `gc` only to contexts created after the flag was set. */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

const collect = garbageCollector();

/** Bytes in use after two collections: objects with a finalizer are freed only by the second. */
export async function usedHeap(): Promise<number> {
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
