import { ManualClock } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { queryString } from "@exchange-graph/contract/signing";
import { describe, expect, it } from "vitest";
import { fileSandbox } from "../support/fileSandbox.js";
import { type Reply, send } from "../support/signedCall.js";

/** Ten seconds into a minute: the bar of that minute runs. */
const NOW = 1_767_225_610_000;
const MINUTE_MS = 60_000;
const MINUTE = NOW - 10_000;

const sandbox = await fileSandbox({ clock: new ManualClock(NOW), hasPast: false });

const get = (path: string, asked: Readonly<Record<string, string | number>>): Promise<Reply> =>
  send(sandbox.url, `/api/v2/${path}?${queryString(asked)}`);
type Rows = readonly (readonly string[])[];
const rowsOf = async (path: string, asked: Readonly<Record<string, string | number>>): Promise<Rows> => {
  const { code, data } = await get(path, asked);
  expect(code).toBe("00000");
  return data as Rows;
};

describe.each([
  ["spot", { symbol: "BTCUSDT", granularity: "1min" }, 8],
  ["mix", { symbol: "BTCUSDT", granularity: "1m", productType: "USDT-FUTURES" }, 7],
] as const)("candles of the past on Classic %s", (market, asked, columns) => {
  const path = `${market}/market/history-candles`;
  const page = (more: Readonly<Record<string, string | number>>) => rowsOf(path, { ...asked, ...more });

  it("are the closed ones up to the end, and equal those of the present", async () => {
    const past = await page({ endTime: NOW, limit: 3 });
    expect(past.map(([start]) => start)).toEqual([3, 2, 1].map((ago) => String(MINUTE - ago * MINUTE_MS)));
    expect(past.every((row) => row.length === columns)).toBe(true);
    const present = await rowsOf(`${market}/market/candles`, { ...asked, limit: 4 });
    expect(present.slice(0, 3)).toEqual(past);
    expect(present.at(-1)?.[0]).toBe(String(MINUTE));
  });

  it("take no notice of a start, and are 200 at most", async () => {
    const end = MINUTE - 10 * MINUTE_MS;
    const rows = await page({ startTime: end, endTime: end, limit: 200 });
    expect([rows.length, rows.at(-1)?.[0]]).toEqual([200, String(end)]);
    expect(await page({ endTime: end })).toEqual(rows.slice(-100));
    expect((await get(path, { ...asked, endTime: end, limit: 201 })).code).toBe("40020");
  });
});

describe("a spot book in coarser steps", () => {
  it("is the fine one with its levels added up, each away from the middle", async () => {
    const asked = { symbol: "BTCUSDT", limit: "max" };
    const book = async (precision: string) => {
      const { data } = await get("spot/market/merge-depth", { ...asked, precision });
      return data as { readonly asks: Rows; readonly bids: Rows; readonly scale: string; readonly isMaxPrecision: string };
    };
    const [fine, coarse] = [await book("scale0"), await book("scale2")];
    expect([fine.scale, fine.isMaxPrecision, coarse.scale, coarse.isMaxPrecision]).toEqual(["0.01", "YES", "1", "NO"]);
    const sum = (rows: Rows) => plain(rows.reduce((total, [, size = "0"]) => total.plus(size), exact("0")));
    const best = ([[price = "0"] = []]: Rows) => exact(price);
    expect([sum(coarse.asks), sum(coarse.bids)]).toEqual([sum(fine.asks), sum(fine.bids)]);
    expect([best(coarse.asks).gte(best(fine.asks)), best(coarse.bids).lte(best(fine.bids))]).toEqual([true, true]);
    const { data } = await get("spot/market/merge-depth", { symbol: "BTCUSDT", limit: "5" });
    expect(data).toMatchObject({ asks: { length: 5 }, bids: { length: 5 }, precision: "scale0" });
    expect((await get("spot/market/merge-depth", { symbol: "BTCUSDT", limit: "6" })).code).toBe("400172");
  });
});
