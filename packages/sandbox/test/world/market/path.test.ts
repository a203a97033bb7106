import { DAY_MS } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { UNDERLYINGS } from "../../../src/world/catalogue/underlyings.js";
import { type Bar, joined } from "../../../src/world/market/bar.js";
import { PricePath, TICKS_PER_MINUTE } from "../../../src/world/market/path.js";

const START = Date.UTC(2026, 0, 1);
const DAY = START / DAY_MS;
const pathOf = (name: string, seed = "test") => {
  const underlying = UNDERLYINGS.get(name);
  if (underlying === undefined) throw new RangeError(name);
  return new PricePath(seed, name, underlying);
};
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);
const whole = (bars: readonly Bar[]) => bars.reduce(joined);

describe("a price path", () => {
  it.each([...UNDERLYINGS.keys()])("of %s joins its hours to days and its minutes to hours exactly", (name) => {
    const path = pathOf(name);
    for (const day of range(DAY, 20)) {
      expect(whole(range(day * 24, 24).map((hour) => path.hour(hour)))).toEqual(path.day(day));
    }
    for (const hour of range(DAY * 24, 30)) {
      expect(whole(range(hour * 60, 60).map((minute) => path.minute(minute)))).toEqual(path.hour(hour));
    }
  });

  it.each([...UNDERLYINGS.keys()])("of %s trades within each minute's bar, hits its ends and closes on it", (name) => {
    const path = pathOf(name);
    for (const minute of range(DAY * 1440, 30)) {
      const bar = path.minute(minute);
      const moments = range(minute * TICKS_PER_MINUTE, TICKS_PER_MINUTE).map((tick) => path.tick(tick));
      const prices = moments.map(({ price }) => price);
      expect(Math.max(bar.open, ...prices)).toBe(bar.high);
      expect(Math.min(bar.open, ...prices)).toBe(bar.low);
      expect(prices.at(-1)).toBe(bar.close);
      expect(moments.reduce((sum, { activity }) => sum + activity, 0)).toBe(bar.activity);
      expect(moments.every(({ activity }) => activity >= 0)).toBe(true);
    }
  });

  it("names the close of a minute without its bar", () => {
    const path = pathOf("ETH");
    for (const minute of range(DAY * 1440 - 90, 200)) expect(path.closeOf(minute)).toBe(path.minute(minute).close);
  });

  it("opens each bar where the one before it closed", () => {
    const path = pathOf("BTC");
    for (const day of range(DAY, 10)) expect(path.day(day + 1).open).toBe(path.day(day).close);
    for (const minute of range(DAY * 1440, 100)) expect(path.minute(minute + 1).open).toBe(path.minute(minute).close);
  });

  it("gives the same price regardless of earlier reads", () => {
    const straight = pathOf("ETH");
    const wandering = pathOf("ETH");
    for (const day of range(DAY - 1000, 900)) wandering.hour(day * 24);
    const tick = DAY * 1440 * TICKS_PER_MINUTE + 12_345;
    expect(wandering.tick(tick)).toEqual(straight.tick(tick));
  });

  it("differs by seed and by name", () => {
    const prices = (path: PricePath) => range(DAY, 5).map((day) => path.day(day).close);
    expect(prices(pathOf("BTC"))).not.toEqual(prices(pathOf("BTC", "other")));
    expect(prices(pathOf("BTC")).map((price) => price / 6_425_000)).not.toEqual(
      prices(pathOf("ETH")).map((price) => price / 342_000),
    );
  });

  it("moves by some percent a day and stays positive for years", () => {
    const path = pathOf("BTC");
    const days = range(DAY - 1500, 3000).map((day) => path.day(day));
    expect(Math.min(...days.map(({ low }) => low))).toBeGreaterThan(0);
    const moves = days.map(({ open, close }) => Math.abs(close / open - 1));
    const mean = moves.reduce((sum, move) => sum + move, 0) / moves.length;
    expect(mean).toBeGreaterThan(0.003);
    expect(mean).toBeLessThan(0.05);
  });
});
