import type { Row } from "@exchange-graph/contract/rows";
import { describe, expect, it } from "vitest";
import { everyRow } from "../../../../packages/contract/test/support/everyRow.js";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readCandles } from "../../../../src/datasources/reads/queries/candles.js";
import { exchangeOver } from "../../../support/exchangeOver.js";
import { scriptedExchange, type ScriptedExchange as Upstream } from "../../../support/scriptedExchange.js";
import { startedForEach } from "../../../support/started.js";

const RECENT = "/api/v3/market/candles";
const ARCHIVE = "/api/v3/market/history-candles";
const HOUR = 3_600_000;
const LAST = Date.UTC(2026, 0, 1);

/** An exchange with hourly candles from `oldest` to `LAST`, of which the recent list remembers some. */
function script(
  upstream: Upstream,
  { oldest, remembered, archivePage = 100 }: { oldest: number; remembered: number; archivePage?: number },
) {
  const starts = Array.from({ length: oldest + 1 }, (_, at) => LAST - (oldest - at) * HOUR);
  const rows = (within: number[], limit: number) => ({
    data: within.slice(-limit).map((start) => [String(start), "1", "2", "0.5", "1.5", "10", "15"]),
  });
  const number = (query: URLSearchParams, name: string, fallback: number) =>
    Number.parseInt(query.get(name) ?? String(fallback), 10);
  upstream.on(RECENT, ({ query }) => {
    const end = number(query, "endTime", LAST);
    return rows(
      starts.slice(-remembered).filter((start) => start <= end),
      number(query, "limit", 100),
    );
  });
  upstream.on(ARCHIVE, ({ query }) => {
    const end = number(query, "endTime", LAST);
    return rows(
      starts.filter((start) => start < end),
      Math.min(archivePage, number(query, "limit", 100)),
    );
  });
}

describe("candles", () => {
  const upstream = startedForEach(scriptedExchange);
  const exchange = startedForEach(async () => exchangeOver(upstream.url));
  const hourly = (more: object = {}) =>
    readCandles(new RequestReads(exchange), { category: "SPOT", symbol: "BTCUSDT", interval: "1H", ...more });
  const hoursBack = (candles: readonly Row<{ readonly startTime: number }>[]) =>
    everyRow(candles).map(({ startTime }) => (LAST - startTime) / HOUR);
  const countdown = (from: number, to = 0) => Array.from({ length: from - to + 1 }, (_, at) => from - at);

  it("come oldest first and in one call where the recent list has them", async () => {
    script(upstream, { oldest: 5_000, remembered: 2_000 });
    expect(hoursBack(await hourly())).toEqual(countdown(99));
    expect(hoursBack(await hourly({ first: 1_000 }))).toEqual(countdown(999));
    expect(upstream.calls.map(({ path }) => path)).toEqual([RECENT, RECENT]);
  });

  it("continue in the archive, without a gap or a repeated one, where the recent list ends", async () => {
    script(upstream, { oldest: 5_000, remembered: 40 });
    expect(hoursBack(await hourly({ first: 300 }))).toEqual(countdown(299));
    expect(upstream.callsOf(ARCHIVE).map(({ query }) => query.get("limit"))).toEqual(["100", "100", "60"]);
  });

  it("do not take a short page of the archive for its end", async () => {
    script(upstream, { oldest: 5_000, remembered: 10, archivePage: 17 });
    expect(hoursBack(await hourly({ first: 60 }))).toEqual(countdown(59));
  });

  it("take no more pages of long candles than ninety days each can fill", async () => {
    script(upstream, { oldest: 5_000, remembered: 10, archivePage: 1 });
    await hourly({ first: 100, interval: "3D" });
    expect(upstream.callsOf(ARCHIVE)).toHaveLength(Math.ceil(100 / 30) + 2);
  });

  it("end where the symbol was listed", async () => {
    script(upstream, { oldest: 30, remembered: 2_000 });
    expect(hoursBack(await hourly())).toEqual(countdown(30));
    expect(upstream.callsOf(ARCHIVE)).toHaveLength(1);
  });

  it("include both ends of the stretch, and ask no further once its start is reached", async () => {
    script(upstream, { oldest: 5_000, remembered: 2_000 });
    expect(hoursBack(await hourly({ from: LAST - 20 * HOUR, to: LAST - 11 * HOUR }))).toEqual(countdown(20, 11));
    expect(upstream.calls.map(({ path }) => path)).toEqual([RECENT]);
  });

  it("are the newest there are where the stretch ends in time to come", async () => {
    script(upstream, { oldest: 50, remembered: 50 });
    expect(hoursBack(await hourly({ to: Date.UTC(2100, 0, 1), first: 3 }))).toEqual(countdown(2));
    expect(upstream.callsOf(RECENT).map(({ query }) => query.get("endTime"))).toEqual([null]);
  });

  it("are found in a stretch that the recent list has forgotten altogether", async () => {
    script(upstream, { oldest: 5_000, remembered: 10 });
    expect(hoursBack(await hourly({ from: LAST - 420 * HOUR, to: LAST - 400 * HOUR }))).toEqual(countdown(420, 400));
  });

  it("give up on an archive that keeps answering crumbs", async () => {
    script(upstream, { oldest: 5_000, remembered: 10, archivePage: 1 });
    expect(await hourly({ first: 1_000 })).toHaveLength(20);
    expect(upstream.callsOf(ARCHIVE)).toHaveLength(10);
  });

  it("follow spot on margin, and the price asked for", async () => {
    script(upstream, { oldest: 5, remembered: 5 });
    await hourly({ category: "MARGIN", price: "mark", first: 2 });
    expect(upstream.calls[0]?.target).toBe(`${RECENT}?category=SPOT&symbol=BTCUSDT&interval=1H&type=mark&limit=2`);
  });

  it.each([
    [{ first: 0 }, "first must be a whole number from 1 to 1000"],
    [{ first: 1_001 }, "first must be a whole number from 1 to 1000"],
    [{ from: 2, to: 1 }, "to must not be before from"],
  ])("refuse %j and send nothing", async (asked, rule) => {
    await expect(hourly(asked)).rejects.toThrow(rule);
    expect(upstream.calls).toEqual([]);
  });
});
