import { describe, expect, it } from "vitest";
import { byId, IdSequence } from "../../src/world/ids.js";
import { bits, randomOf, rootOf, scaled } from "../../src/world/random.js";

describe("seeded chance", () => {
  it("repeats under one seed and differs under another", () => {
    const draw = (seed: string) => {
      const random = randomOf(seed);
      return Array.from({ length: 20 }, () => random.between(0, 999));
    };
    expect(draw("a")).toEqual(draw("a"));
    expect(draw("a")).not.toEqual(draw("b"));
  });

  it("stays within its bounds and reaches both", () => {
    const random = randomOf("bounds");
    const drawn = new Set(Array.from({ length: 500 }, () => random.between(3, 7)));
    expect([...drawn].sort()).toEqual([3, 4, 5, 6, 7]);
    expect(scaled(0xffff_ffff, 10)).toBe(9);
    expect(scaled(0, 10)).toBe(0);
  });

  it("spreads evenly over neighbouring questions, large ones included", () => {
    const root = rootOf("spread");
    const counts = new Array<number>(10).fill(0);
    for (let at = 0; at < 10_000; at++) {
      const slot = scaled(bits(root, 8_836_128_000 + at), 10);
      counts[slot] = (counts[slot] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
    expect(bits(root, 2 ** 33)).not.toBe(bits(root, 2 ** 34));
  });
});

describe("ids", () => {
  it("are 19 digits, grow even within a millisecond, and sort by time", () => {
    let now = 1_767_225_600_000;
    const ids = new IdSequence(() => now);
    const first = [ids.next(), ids.next()];
    now += 1;
    const all = [ids.past(now - 5_000), ...first, ids.next()];
    expect(all.every((id) => /^\d{19}$/.test(id))).toBe(true);
    expect([...all].sort(byId)).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
  });

  it("never go back when the clock does", () => {
    let now = 1_767_225_600_000;
    const ids = new IdSequence(() => now);
    const before = ids.next();
    now -= 60_000;
    expect(byId(before, ids.next())).toBe(-1);
  });
});
