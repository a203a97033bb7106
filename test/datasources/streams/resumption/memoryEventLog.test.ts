import { ManualClock } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import { KEPT_MS, type LogEntry } from "../../../../src/datasources/streams/resumption/eventLog.js";
import { MemoryEventLog } from "../../../../src/datasources/streams/resumption/memoryEventLog.js";
import { eventLogContract } from "./eventLogContract.js";

eventLogContract("a log in memory", async () => new MemoryEventLog(new ManualClock(0)));

it("keeps an entry until the one after it is old, and a topic until nothing was added for so long", async () => {
  const clock = new ManualClock(0);
  const log = new MemoryEventLog(clock);
  const entry = (id: string): LogEntry => ({ id, kind: "event", time: 0 });
  const ids = () => log.read("t").map(({ id }) => id);
  await log.append("t", undefined, [entry("a")]);
  for (let step = 0; step < 3; step++) {
    clock.advance(KEPT_MS);
    await log.append("t", undefined, []);
  }
  expect(ids()).toEqual(["a"]);
  await log.append("t", "a", [entry("b")]);
  clock.advance(KEPT_MS);
  await log.append("t", "b", [entry("c")]);
  expect(ids()).toEqual(["a", "b", "c"]);
  clock.advance(1);
  expect(ids()).toEqual(["b", "c"]);
  clock.advance(KEPT_MS);
  expect(ids()).toEqual([]);
});
