import { describe, expect, it } from "vitest";
import { partOf, Seen } from "../../src/redis/seen.js";

describe("replicas that were seen", () => {
  const seen = (...beats: readonly (readonly [at: number, count: number, place: number])[]) => {
    const all = new Seen();
    for (const [at, count, place] of beats) all.add({ count, place }, at);
    return all;
  };

  it("have places as soon as all of them know each other", () => {
    const all = seen([0, 3, 1], [400, 3, 1]);
    expect(all.replicasAt(4_999)).toEqual({ count: 3, place: undefined });
    expect(all.replicasAt(5_000)).toEqual({ count: 3, place: 1 });
  });

  it.each([
    ["one more came", [10_000, 4, 1], { count: 4, place: undefined }],
    ["one that comes before this one came in another one's place", [10_000, 3, 2], { count: 3, place: undefined }],
    ["one has left, whose share may still be used", [10_000, 2, 1], { count: 3, place: undefined }],
  ] as const)("have none for a while where %s", (_, beat, known) => {
    expect(seen([0, 3, 1], beat).replicasAt(14_000)).toEqual(known);
  });

  it("are none before anything was heard", () => {
    expect(new Seen().replicasAt(0)).toBeUndefined();
  });

  it.each([20, 10, 2, 1, 3, 100])("use all of a limit of %i among them, and no more", (limit) => {
    const all = [0, 1, 2].map((place) => partOf(limit, { count: 3, place }));
    expect(all.reduce((sum, part) => sum + part, 0)).toBe(limit);
    expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(1);
    expect(partOf(limit, { count: 3, place: undefined })).toBe(Math.floor(limit / 3));
  });
});
