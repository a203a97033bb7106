import { ManualClock } from "@exchange-graph/contract/clock";
import { MemoryEventLog } from "../../../../src/datasources/streams/resumption/memoryEventLog.js";
import { eventLogContract } from "./eventLogContract.js";

const clock = new ManualClock(0);
eventLogContract(
  "a log in memory",
  async () => new MemoryEventLog(clock),
  (ms) => clock.advance(ms),
);
