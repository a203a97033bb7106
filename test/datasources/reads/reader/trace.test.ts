import { ManualClock } from "@exchange-graph/contract/clock";
import { serverTime } from "@exchange-graph/contract/market";
import { positions } from "@exchange-graph/contract/position";
import { beforeEach, describe, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { Trace } from "../../../../src/datasources/reads/reader/trace.js";
import { accountNamed, exchangeOver } from "../../../support/exchangeOver.js";
import { scriptedExchange } from "../../../support/scriptedExchange.js";
import { startedForEach } from "../../../support/started.js";

const [main, classic] = [accountNamed("main"), accountNamed("classic")];
const lifetime = positions.cache ?? { freshMs: 0, staleMs: 0 };

describe("what an operation has read", () => {
  const upstream = startedForEach(scriptedExchange);
  let clock: ManualClock;
  const exchange = startedForEach(async () => {
    clock = new ManualClock(Date.UTC(2026, 0, 1));
    return exchangeOver(upstream.url, { accounts: [main, classic], clock });
  });
  beforeEach(() => {
    upstream.on(positions.path, { data: { list: [] } });
    upstream.on(serverTime.path, { data: { serverTime: "1767225600000" } });
    upstream.on("/api/v3/account/settings", { data: { uid: "1", accountMode: "unified" } });
  });
  const readPositions = async (account = main) => {
    const request = new RequestReads(exchange);
    await request.read(positions, { category: "USDT-FUTURES" }, account);
    return request;
  };

  it("does not hold where nothing was read", () => {
    expect(new Trace().holds).toBe(false);
  });

  it.each(["from the exchange", "from the cache"])("holds as long as it is fresh: %s", async (source) => {
    clock.advance(1);
    if (source === "from the cache") {
      await readPositions();
      clock.advance(100);
    }
    const { trace } = await readPositions();
    const age = trace.reads[0]?.ageMs ?? 0;
    expect(age).toBe(source === "from the cache" ? 100 : 0);
    clock.advance(lifetime.freshMs - age - 1);
    expect(trace.holds).toBe(true);
    clock.advance(1);
    expect(trace.holds).toBe(false);
  });

  it("holds no longer than the shortest-lived of its reads", async () => {
    const request = await readPositions();
    clock.advance(lifetime.freshMs - 1);
    await request.read(positions, { category: "USDC-FUTURES" }, main);
    expect(request.trace.holds).toBe(true);
    clock.advance(1);
    expect(request.trace.holds).toBe(false);
  });

  it("does not hold once one of its reads was dropped, however fresh", async () => {
    const [mine, theirs] = [await readPositions(main), await readPositions(classic)];
    clock.advance(1);
    exchange.reader.drop("main", [positions.name]);
    expect([mine.trace.holds, theirs.trace.holds]).toEqual([false, true]);
    expect([mine.trace.isInvalidated, theirs.trace.isInvalidated]).toEqual([true, false]);
  });

  it("does not hold for another operation where an answer is never kept, or is for one taker", async () => {
    const request = await readPositions();
    await request.readAlone(positions, { category: "USDC-FUTURES" }, main);
    expect(request.trace.holds).toBe(false);
    const uncached = await readPositions();
    await uncached.read(serverTime, {});
    expect(uncached.trace.holds).toBe(false);
  });

  it("is overtaken by a drop also where it was never to be kept", async () => {
    const request = new RequestReads(exchange);
    upstream.on(positions.path, async () => {
      exchange.reader.drop("main", [positions.name]);
      return { data: { list: [] } };
    });
    await request.readAlone(positions, { category: "USDC-FUTURES" }, main);
    expect([request.trace.holds, request.trace.isInvalidated]).toEqual([false, true]);
  });

  it("does not hold where a read has failed", async () => {
    const request = await readPositions();
    upstream.on(positions.path, { code: "40009", msg: "no" });
    await expect(request.read(positions, { category: "USDC-FUTURES" }, main)).rejects.toThrow();
    expect(request.trace.holds).toBe(false);
  });

  it("does not hold where the operation shows what changes without notice", async () => {
    const { trace } = await readPositions();
    trace.markFleeting();
    expect(trace.holds).toBe(false);
  });

  it("holds only while an account's mode is what it was found to be", async () => {
    await new RequestReads(exchange).modeOf(main);
    const request = new RequestReads(exchange);
    await request.modeOf(main);
    expect(request.trace.holds).toBe(true);
    exchange.modes.forget(main);
    expect([request.trace.holds, request.trace.isInvalidated]).toEqual([false, true]);
  });

  it("does not hold past as many reads as are remembered", () => {
    const trace = new Trace();
    const standing = { holds: () => true, isDropped: () => false };
    for (let count = 0; count < 500; count++) trace.dependOn(standing);
    expect(trace.holds).toBe(true);
    trace.dependOn(standing);
    expect(trace.holds).toBe(false);
  });
});
