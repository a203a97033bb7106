import { ManualClock } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import { NeighbourLog } from "../../../src/telemetry/logs/neighbourLog.js";
import { searchedLog } from "../../support/searchedLog.js";

it("says once a minute at most that somebody else spends the same rate limits", () => {
  const lines: string[] = [];
  const clock = new ManualClock(1_000_000);
  const log = new NeighbourLog(searchedLog(lines), clock);
  for (let second = 0; second < 120; second++) {
    log.noticed("main", 0.5);
    clock.advance(1_000);
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", counter: "main", share: 0.5 },
    { level: "warn", counter: "main", share: 0.5 },
  ]);
});
