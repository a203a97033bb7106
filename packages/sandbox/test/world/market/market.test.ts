import { ManualClock } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import { Catalogue } from "../../../src/world/catalogue.js";
import { INTERVALS } from "../../../src/world/market/candles.js";
import { depthChange, type PrintedLevel } from "../../../src/world/market/depth.js";
import { timeOf } from "../../../src/world/market/listing.js";
import { Markets } from "../../../src/world/market/markets.js";
import { WorldTime } from "../../../src/world/worldTime.js";

const START = Date.UTC(2026, 0, 15, 10, 30);

const worldOf = (seed = "test") => {
  const clock = new ManualClock(START);
  return { clock, markets: new Markets(seed, new Catalogue(START), new WorldTime(clock, START)) };
};
const interval = (name: string) => {
  const found = INTERVALS.get(name);
  if (found === undefined) throw new RangeError(name);
  return found;
};

describe("every market", () => {
  const { markets } = worldOf();

  it.each(markets.all.map((market) => [market.listing.name, market] as const))(
    "%s quotes an uncrossed book on its grid",
    (_, market) => {
      const { grid } = market.listing;
      for (const tick of [markets.tick, markets.tick + 1, markets.tick + 77]) {
        const parts = [1, 5, 50].map((levels) => ({ levels, part: market.depth(tick, levels) }));
        const { asks, bids } = market.depth(tick);
        for (const { levels, part } of parts)
          expect([part.asks, part.bids]).toEqual([asks.slice(0, levels), bids.slice(0, levels)]);
        expect(asks.length).toBeGreaterThan(100);
        expect(bids.length).toBeGreaterThan(100);
        const prices = (levels: readonly PrintedLevel[]) => levels.map(([price]) => exact(price));
        const sorted = [...prices(bids)].reverse().concat(prices(asks));
        expect(sorted.every((price, at) => grid.isPrice(price) && (at === 0 || price.gt(sorted[at - 1] ?? price)))).toBe(true);
        expect([...asks, ...bids].every(([, size]) => grid.isQuantity(exact(size)) && exact(size).gt("0"))).toBe(true);
      }
    },
  );

  it.each(markets.all.map((market) => [market.listing.name, market] as const))(
    "%s has a ticker that agrees with its candles and trades",
    (_, market) => {
      const tick = markets.tick;
      const ticker = market.ticker(tick);
      const [minute] = market.candles(interval("1m"), { from: START, to: START + 1, now: timeOf(tick) });
      expect(minute?.close.eq(ticker.last)).toBe(true);
      expect(ticker.high24h.gte(ticker.last) && ticker.low24h.lte(ticker.last) && ticker.low24h.gt("0")).toBe(true);
      const trades = market.trades(tick, 100);
      expect(trades.length).toBe(100);
      for (const [at, trade] of trades.entries()) {
        expect(trade.price.lte(ticker.high24h) && trade.price.gte(ticker.low24h)).toBe(true);
        expect(market.listing.grid.isQuantity(trade.quantity) && trade.quantity.gt("0")).toBe(true);
        if (at > 0) expect(trade.at).toBeLessThanOrEqual(trades[at - 1]?.at ?? 0);
      }
    },
  );
});

describe("candles", () => {
  const { markets } = worldOf();
  const market = markets.of("USDT-FUTURES", "BTCUSDT");
  const from = Date.UTC(2026, 0, 14);

  it("of a longer interval are the sum of the shorter ones, volume and turnover included", () => {
    const window = { from, to: from + 86_400_000, now: START };
    const whole = (name: string) => {
      const rows = market.candles(interval(name), window);
      return {
        open: rows.at(0)?.open,
        close: rows.at(-1)?.close,
        high: rows.reduce((best, { high }) => (high.gt(best) ? high : best), exact("0")),
        volume: plain(rows.reduce((sum, { volume }) => sum.plus(volume), exact("0"))),
        turnover: plain(rows.reduce((sum, { turnover }) => sum.plus(turnover), exact("0"))),
      };
    };
    const day = whole("1Dutc");
    for (const name of ["1m", "3m", "5m", "15m", "30m", "1H", "2H", "4H", "6Hutc", "12Hutc"]) expect(whole(name)).toEqual(day);
  });

  it.each([
    ["6H", Date.UTC(2026, 0, 14, 4)],
    ["1D", Date.UTC(2026, 0, 14, 16)],
    ["1Dutc", Date.UTC(2026, 0, 15)],
    ["1W", Date.UTC(2026, 0, 18, 16)],
    ["1Wutc", Date.UTC(2026, 0, 19)],
    ["1M", Date.UTC(2026, 0, 31, 16)],
    ["1Mutc", Date.UTC(2026, 1, 1)],
  ])("of %s begin on their own grid", (name, expected) => {
    const [first] = market.candles(interval(name), { from: from + 1, to: from + 40 * 86_400_000, now: from + 40 * 86_400_000 });
    expect(new Date(first?.start ?? 0).toISOString()).toBe(new Date(expected).toISOString());
  });

  it("do not reach beyond the present, and the running one grows with it", () => {
    const rows = (now: number) => market.candles(interval("1H"), { from: START - 3_600_000, to: START + 86_400_000, now });
    expect(rows(START).length).toBe(1);
    const [early] = rows(START);
    const [late] = rows(START + 600_000);
    expect(late?.volume.gt(early?.volume ?? late.volume)).toBe(true);
    expect(late?.open.eq(early?.open ?? 0)).toBe(true);
  });

  it("include what users traded", () => {
    const other = worldOf().markets.of("SPOT", "BTCUSDT");
    const read = () => other.candles(interval("1m"), { from: START, to: START + 1, now: START + 59_000 })[0];
    const before = read();
    other.prints.add({ execId: "2", execLinkId: "1", at: START + 10_000, price: exact("1"), quantity: exact("2"), side: "buy" });
    const after = read();
    expect(after?.low.eq("1")).toBe(true);
    expect(plain(after?.volume.minus(before?.volume ?? "0") ?? exact("0"))).toBe("2");
    expect(other.trades(markets.tick + 100, 100).some(({ execId }) => execId === "2")).toBe(true);
  });
});

describe("a book over time", () => {
  it("is rebuilt exactly from its first state and its changes, with seq growing", () => {
    const { markets } = worldOf();
    const market = markets.of("SPOT", "ETHUSDT");
    let known = market.depth(markets.tick);
    const asks = new Map(known.asks);
    const bids = new Map(known.bids);
    for (let tick = markets.tick + 1; tick < markets.tick + 300; tick++) {
      if (tick % 7 === 0) {
        market.house.take("buy", market.house.best("buy", tick), tick, 5);
        market.touch(tick);
      }
      const next = market.depth(tick);
      const change = depthChange(known, next);
      if (change === undefined) continue;
      expect(change.previousSeq).toBe(known.seq);
      expect(change.seq > known.seq).toBe(true);
      for (const [side, changes] of [
        [asks, change.asks],
        [bids, change.bids],
      ] as const) {
        for (const [price, size] of changes) {
          if (exact(size).eq("0")) side.delete(price);
          else side.set(price, size);
        }
      }
      // As text, which compares faster than two hundred levels do.
      expect(JSON.stringify([...asks].sort())).toBe(JSON.stringify([...next.asks].sort()));
      expect(JSON.stringify([...bids].sort())).toBe(JSON.stringify([...next.bids].sort()));
      known = next;
    }
  });

  it("loses the quantity taken from it until the level is generated again", () => {
    const { markets } = worldOf();
    const { house } = markets.of("SPOT", "BTCUSDT");
    const tick = markets.tick;
    const level = house.best("buy", tick);
    const before = house.left("buy", level, tick);
    house.take("buy", level, tick, before);
    expect(house.left("buy", level, tick)).toBe(0);
    expect([...house.levels("buy", tick)].some(({ steps }) => steps === level)).toBe(false);
    expect(house.left("buy", level, tick + 64)).toBeGreaterThan(0);
  });

  it("depends on the seed and the tick alone", () => {
    const text = (seed: string) => JSON.stringify(worldOf(seed).markets.of("SPOT", "BTCUSDT").depth(8_836_128_000).asks);
    expect(text("a")).toBe(text("a"));
    expect(text("a")).not.toBe(text("b"));
  });
});
