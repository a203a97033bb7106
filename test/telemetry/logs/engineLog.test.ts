import { ManualClock } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import { EngineLog } from "../../../src/telemetry/logs/engineLog.js";
import { createLog } from "../../../src/telemetry/logs/log.js";

it("one line a minute says that Redis cannot be reached, however often it comes and goes", () => {
  const lines: string[] = [];
  const clock = new ManualClock(0);
  const log = new EngineLog(createLog("info", { write: (line: string) => void lines.push(line) }), clock);
  for (let second = 0; second < 120; second++) {
    log.heard({ news: "down", why: "connect ECONNREFUSED 127.0.0.1:6379" });
    if (second % 10 === 9) log.heard({ news: "up", isNew: false });
    clock.advance(1_000);
  }
  expect(lines.filter((line) => line.includes("cannot be reached"))).toHaveLength(2);
  expect(lines.filter((line) => line.includes("can be reached again"))).toHaveLength(2);
});
