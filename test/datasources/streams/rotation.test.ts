import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { type ComparedList, Rotation } from "../../../src/datasources/streams/rotation.js";

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
  isTrading: boolean | ((minute: number) => boolean) = false,
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
    for (let second = 0; second < 60; second++) {
      if (second % 30 === 0) rotation.read("main", others.get(minute) ?? 0);
      if (typeof isTrading === "boolean" ? isTrading : isTrading(minute)) rotation.traded("main");
      clock.advance(1_000);
    }
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
    ["quiet", 1, 10, 24],
    ["quiet", 2, 7, 32],
    ["quiet", 2, 19, 32],
    ["quiet", 3, 9, 41],
    ["quiet", 4, 18, 60],
    ["quiet", 5, 15, 100],
    ["quiet", 8, 14, 100],
    ["trading", 2, 7, 16],
    ["trading", 4, 18, 20],
    ["trading", 8, 14, 60],
    ["trading", 12, 9, 60],
  ] as const)(
    "wait no longer than documented in a %s account: %i important ones, and %i others %i s for each",
    (kind, important, others, seconds) => {
      const names = (count: number, isOpen: boolean) =>
        Array.from({ length: count }, (_, at) => [`${isOpen} ${at}`, isOpen] as const);
      const isTrading = kind === "trading";
      const known = compared([...names(important, true), ...names(others, false)], 120, undefined, isTrading);
      // In the first round all lists have the same age.
      const settled = known.map((list) => ({ ...list, at: list.at.filter((time) => time >= 40 * MINUTE_MS) }));
      const longest = (isOpen: boolean) => Math.max(...settled.filter((list) => list.isOpen === isOpen).map(longestWait)) / 1_000;
      const beyond = isTrading ? Math.max(0, important - 8) * 15 : Math.max(0, important - 4) * 25;
      expect(longest(true)).toBeLessThanOrEqual(120 + beyond);
      expect(longest(false)).toBeLessThanOrEqual(others * seconds);
      expect(longest(false)).toBeGreaterThan(others * seconds * 0.8);
    },
  );

  it("are compared by five calls a minute while the account trades, and by three from a minute later", () => {
    const known = compared(
      [
        ["orders", true],
        ["plans", false],
      ],
      20,
      undefined,
      (minute) => minute < 10,
    );
    const perMinute = Array.from(
      { length: 20 },
      (_, minute) => known.flatMap(({ at }) => at.slice(1)).filter((time) => Math.floor(time / MINUTE_MS) === minute).length,
    );
    expect(perMinute.slice(2, 10)).toEqual(Array.from({ length: 8 }, () => 5));
    expect(perMinute.slice(12)).toEqual(Array.from({ length: 8 }, () => 3));
  });

  it("are not compared by more than six calls a minute together with what trades imply", () => {
    const perTrade = new Map(Array.from({ length: 20 }, (_, minute) => [minute, 2]));
    const known = compared(
      [
        ["orders", true],
        ["plans", false],
      ],
      20,
      perTrade,
      true,
    );
    const own = known.flatMap(({ at }) => at.slice(1)).filter((time) => time >= 2 * MINUTE_MS).length;
    expect(own).toBeGreaterThanOrEqual(18);
    expect(own).toBeLessThanOrEqual(18 * (6 - 2 * 2));
  });

  it("have a turn every five minutes although readings of other lists use up all turns", () => {
    const busy = new Map(Array.from({ length: 100 }, (_, minute) => [minute, 6]));
    const names = ["a", "b", "c", "d"].map((name) => [name, false] as const);
    for (const list of compared(names, 100, busy)) {
      expect(longestWait(list)).toBeLessThanOrEqual(names.length * 5 * MINUTE_MS + MINUTE_MS);
      expect([5, 6]).toContain(list.at.length);
    }
  });

  it("are not compared in a minute in which three were read anyway", () => {
    const [list] = compared([["orders", true]], 4, new Map([[2, 3]]));
    expect(list?.at.filter((time) => time > 2 * MINUTE_MS && time < 3 * MINUTE_MS)).toEqual([]);
  });
});
