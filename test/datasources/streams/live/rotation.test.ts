import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { type ComparedList, Rotation } from "../../../../src/datasources/streams/live/rotation.js";

interface Compared {
  readonly name: string;
  readonly isOpen: boolean;
  readonly at: number[];
}

const MINUTE_MS = 60_000;

/** Lists that are compared for some minutes; `others`: readings for other reasons, by their minute. */
function compared(
  lists: readonly (readonly [string, boolean])[],
  minutes: number,
  others: ReadonlyMap<number, number> = new Map(),
) {
  const clock = new ManualClock(0);
  const known = lists.map(([name, isOpen]): Compared => ({ name, isOpen, at: [0] }));
  const listsOf = (): readonly ComparedList[] =>
    known.map(({ isOpen, at }) => ({
      isOpen,
      isRead: false,
      comparedAt: at.at(-1),
      compare() {
        at.push(clock.now());
        rotation.read("main", 1);
      },
    }));
  const rotation = new Rotation({ clock, exchangeNow: () => clock.now(), listsOf });
  rotation.read("main", known.length);
  for (let minute = 0; minute < minutes; minute++) {
    rotation.read("main", others.get(minute) ?? 0);
    for (let second = 0; second < 60; second++) clock.advance(1_000);
  }
  rotation.close();
  return known;
}

const longestWait = ({ at }: Compared): number => Math.max(...at.slice(1).map((time, index) => time - (at[index] ?? 0)));

describe("the lists of an account", () => {
  it("are compared within three calls a minute, those with something open at least every two minutes", () => {
    const open = ["balances", "orders", "USDT plans", "COIN plans"].map((name) => [name, true] as const);
    const empty = ["a", "b", "c", "d"].map((name) => [name, false] as const);
    const known = compared([...open, ...empty], 30);
    for (const list of known.filter(({ isOpen }) => isOpen)) expect(longestWait(list)).toBeLessThanOrEqual(2 * MINUTE_MS);
    for (const list of known) expect(longestWait(list)).toBeLessThanOrEqual(8 * MINUTE_MS);
    const all = known.flatMap(({ at }) => at.slice(1)).sort((one, other) => one - other);
    for (const [index, time] of all.entries())
      expect((all[index + 3] ?? Number.POSITIVE_INFINITY) - time).toBeGreaterThanOrEqual(MINUTE_MS);
  });

  it.each([
    [1, 10, 45],
    [2, 7, 45],
    [2, 19, 45],
    [3, 9, 80],
    [4, 18, 80],
    [8, 14, 80],
  ])("wait no longer than documented: %i important ones, and %i others %i s for each", (important, others, seconds) => {
    const names = (count: number, isOpen: boolean) =>
      Array.from({ length: count }, (_, at) => [`${isOpen} ${at}`, isOpen] as const);
    const known = compared([...names(important, true), ...names(others, false)], 120);
    // In the first round all lists have the same age.
    const settled = known.map((list) => ({ ...list, at: list.at.filter((time) => time >= 40 * MINUTE_MS) }));
    const longest = (isOpen: boolean) => Math.max(...settled.filter((list) => list.isOpen === isOpen).map(longestWait)) / 1_000;
    expect(longest(true)).toBeLessThanOrEqual(120 + Math.max(0, important - 4) * 30);
    expect(longest(false)).toBeLessThanOrEqual(others * seconds);
    expect(longest(false)).toBeGreaterThan(others * seconds * 0.6);
  });

  it("are not compared in a minute in which three were read anyway", () => {
    const [list] = compared([["orders", true]], 4, new Map([[2, 3]]));
    expect(list?.at.filter((time) => time > 2 * MINUTE_MS && time < 3 * MINUTE_MS)).toEqual([]);
  });
});
