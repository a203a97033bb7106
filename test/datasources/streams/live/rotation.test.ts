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

  it("are not compared in a minute in which three were read anyway", () => {
    const [list] = compared([["orders", true]], 4, new Map([[2, 3]]));
    expect(list?.at.filter((time) => time > 2 * MINUTE_MS && time < 3 * MINUTE_MS)).toEqual([]);
  });
});
