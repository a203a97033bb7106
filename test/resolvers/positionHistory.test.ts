import { before as earlier } from "@exchange-graph/contract/window";
import { describe, expect, it } from "vitest";
import { iso, sharedGraph, withKnownModes } from "./support/sharedGraph.js";

const live = withKnownModes(sharedGraph());

const DAY = 86_400_000;

const HISTORY = `query ($name: String, $category: FuturesCategoryInput! = USDT_FUTURES, $symbol: String, $from: DateTime, $to: DateTime, $first: Int, $after: String) {
  account(name: $name) { positionHistory(category: $category, symbol: $symbol, from: $from, to: $to, first: $first, after: $after) {
    nodes { positionId symbol createdTime }
    pageInfo { hasNextPage hasPreviousPage endCursor }
  } }
}`;

describe("closed positions", () => {
  it("are paged without losing or repeating one, newest first", async () => {
    const whole = (await live.run(HISTORY, { symbol: "ETHUSDT", first: 500 })).data.account.positionHistory.nodes;
    expect(whole.length).toBeGreaterThan(30);
    const times = whole.map(({ createdTime }: { createdTime: string }) => createdTime);
    expect(times).toEqual(times.toSorted().reverse());

    live.nextMinute();
    const pages = await live.pages(HISTORY, (data) => data.account.positionHistory, { symbol: "ETHUSDT", first: 13 });
    expect(pages.map(({ pageInfo }) => pageInfo.hasPreviousPage)).toEqual(pages.map((_, at) => at > 0));
    expect(pages.length).toBeGreaterThanOrEqual(3);
    expect(pages.flatMap(({ nodes }) => nodes)).toEqual(whole);
  });

  it.each([
    [30 * DAY, 1],
    [30 * DAY + 1, 2],
    [90 * DAY - 5_000, 3],
  ])("of a stretch of %s ms are read in %s calls: the exchange allows 30 days at a time", async (range, calls) => {
    await live.answer(HISTORY, {
      category: "USDC_FUTURES",
      from: iso(live.now() - range),
      to: iso(live.now()),
      first: 500,
    });
    expect(live.sandbox.calls.of("positionHistory")).toMatchObject({ total: calls, refused: 0 });
  });

  it.each([
    ["main", () => live.now() - 90 * DAY],
    ["classic", () => earlier(live.now(), { months: 3 })],
  ])("can be requested as far back as the exchange's history: %s", async (name, oldest) => {
    await live.answer(HISTORY, { name, from: iso(oldest()) });
  });

  it.each([
    ["main", () => ({ from: iso(live.now() - 90 * DAY - 1) }), "from must be within the last 90 days"],
    ["main", () => ({ symbol: "BTC/USDT" }), "symbol must be a symbol name such as BTCUSDT"],
    ["classic", () => ({ from: iso(earlier(live.now(), { months: 3 }) - 1) }), "from must be within the last 3 months"],
  ])("are refused and nothing is sent when the question breaks a rule: %s %o", async (name, variables, message) => {
    const { data, errors } = await live.run(HISTORY, { name, ...variables() });
    expect(data.account.positionHistory).toBeNull();
    expect(errors.map((error) => [error.message, error.extensions.code])).toEqual([[message, "BAD_USER_INPUT"]]);
    expect(live.sandbox.calls.counts()).toEqual({});
  });

  it("do not take a cursor of another list", async () => {
    const { data } = await live.run(HISTORY, { symbol: "ETHUSDT", first: 1 });
    live.sandbox.calls.clear();
    const { errors } = await live.run(HISTORY, {
      symbol: "BTCUSDT",
      first: 1,
      after: data.account.positionHistory.pageInfo.endCursor,
    });
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(["BAD_USER_INPUT"]);
    expect(live.sandbox.calls.counts()).toEqual({});
  });
});
