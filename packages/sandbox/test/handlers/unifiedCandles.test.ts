import { DAY_MS, ManualClock, MINUTE_MS } from "@exchange-graph/contract/clock";
import { queryString } from "@exchange-graph/contract/signing";
import { describe, expect, it } from "vitest";
import { fileSandbox } from "../support/fileSandbox.js";
import { send } from "../support/signedCall.js";

/** Noon: the beginning of a minute. */
const NOW = Date.UTC(2026, 0, 15, 12);
/** The oldest minute of the recent list. */
const OLDEST = NOW - 31 * DAY_MS;

const sandbox = await fileSandbox({ clock: new ManualClock(NOW), hasPast: false });

async function startsOf(path: string, asked: Readonly<Record<string, string | number>>): Promise<readonly number[]> {
  const query = queryString({ category: "USDT-FUTURES", symbol: "BTCUSDT", ...asked });
  const { code, data } = await send(sandbox.url, `/api/v3/market/${path}?${query}`);
  expect(code).toBe("00000");
  return (data as readonly (readonly [string])[]).map(([start]) => Number.parseInt(start, 10));
}

describe("candles of a unified account", () => {
  it("begin after the start and end with the end in the recent list, the other way round in the archive", async () => {
    const range = { interval: "1m", startTime: NOW - 3 * MINUTE_MS, endTime: NOW - MINUTE_MS };
    expect(await startsOf("candles", range)).toEqual([NOW - 2 * MINUTE_MS, NOW - MINUTE_MS]);
    expect(await startsOf("history-candles", range)).toEqual([NOW - 3 * MINUTE_MS, NOW - 2 * MINUTE_MS]);
  });

  it("of a minute are forgotten by the recent list after 31 days, and kept by the archive", async () => {
    expect(await startsOf("candles", { interval: "1m", endTime: OLDEST, limit: 10 })).toEqual([OLDEST]);
    expect(await startsOf("candles", { interval: "1m", endTime: OLDEST - 1 })).toEqual([]);
    expect(await startsOf("history-candles", { interval: "1m", endTime: OLDEST, limit: 1 })).toEqual([OLDEST - MINUTE_MS]);
    expect(await startsOf("candles", { interval: "5m", endTime: OLDEST - 1, limit: 1 })).toEqual([OLDEST - 5 * MINUTE_MS]);
  });
});
