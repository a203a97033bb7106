// Loaded into the product by a test that measures its memory. Collects garbage and reports the heap's size on request. The
// product's time begins at `?from=` (Unix ms) and advances only when the test moves it.
import { setImmediate as turn } from "node:timers/promises";
import { isMainThread } from "node:worker_threads";
import { ManualClock, steadyClock, systemClock } from "@exchange-graph/contract/clock";

/** File system calls in progress, and an awaited worker thread. */
const BUSY = new Set(["FSReqCallback", "MessagePort"]);

async function heap() {
  // Objects with a finalizer are freed only by the second collection.
  gc();
  await turn();
  gc();
  const { heapUsed } = process.memoryUsage();
  return heapUsed;
}

if (isMainThread && process.send !== undefined) {
  const from = new URL(import.meta.url).searchParams.get("from");
  const clock = new ManualClock(Number(from));
  const moved = { now: () => clock.now(), after: (...task) => clock.after(...task) };
  for (const one of [systemClock, steadyClock]) Object.assign(one, moved);
  process.on("message", async ({ advanceMs }) => {
    if (advanceMs === undefined) {
      process.send({ heap: await heap() });
      return;
    }
    clock.advance(advanceMs);
    do await turn();
    while (process.getActiveResourcesInfo().some((resource) => BUSY.has(resource)));
    process.send({});
  });
}
