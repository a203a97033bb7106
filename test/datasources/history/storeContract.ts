import { type Clock, DAY_MS } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import { type HistoryStore, SERIES } from "../../../src/datasources/history/historyStore.js";

/** What every store of the history keeps. `open` opens the same store once more: as another process, or of another exchange. */
export function historyStoreContract(open: (clock: Clock, realm?: string) => Promise<HistoryStore>, clock: () => Clock): void {
  const ALL = { after: 0, to: Number.MAX_SAFE_INTEGER, limit: 100 };
  const AT = Date.UTC(2026, 0, 5);

  it("returns what was written, of one user, in the order of time, and replaces what has the same time", async () => {
    const store = await open(clock());
    const point = (user: string, at: number, body: string) => ({ user, resolution: "MINUTE" as const, at, body });
    await store.write({ points: [point("a", AT + 2, '"2"'), point("a", AT + 1, '"1"'), point("b", AT + 1, '"other"')] });
    await store.write({ points: [point("a", AT + 2, '"two"'), { ...point("a", AT + 5, '"day"'), resolution: "DAY" }] });
    const bodies = async (span: object) =>
      (await store.points("a", "MINUTE", { ...ALL, ...span })).map(({ at, body }) => [at - AT, body]);
    expect(await bodies({})).toEqual([
      [1, '"1"'],
      [2, '"two"'],
    ]);
    expect(await bodies({ after: AT + 1 })).toEqual([[2, '"two"']]);
    expect(await bodies({ to: AT + 1 })).toEqual([[1, '"1"']]);
    expect(await bodies({ limit: 1 })).toEqual([[1, '"1"']]);
    expect(await store.lastPoint("a", "MINUTE", AT + 9)).toMatchObject({ at: AT + 2, user: "a", resolution: "MINUTE" });
    expect(await store.lastPoint("a", "MINUTE", AT)).toBeUndefined();
    expect(await (await open(clock(), "another exchange")).points("a", "MINUTE", ALL)).toEqual([]);
    await store.close();
  });

  it("pages through records of one time without losing or repeating one, and remembers notes", async () => {
    const store = await open(clock());
    const record = (id: string, at: number) => ({
      user: "c",
      id,
      at,
      body: JSON.stringify({ id, amount: "-0.000000000000000001" }),
    });
    await store.write({
      records: [record("B 2", AT), record("B 10", AT), record("a", AT + 1)],
      notes: [{ user: "c", name: "n", body: "1" }],
    });
    await store.write({ records: [record("a", AT + 1)], notes: [{ user: "c", name: "n", body: "2" }] });
    expect((await store.records("c", { ...ALL, limit: 1 })).map(({ id }) => id)).toEqual(["B 10"]);
    expect((await store.records("c", { ...ALL, after: AT }, "B 10")).map(({ id }) => id)).toEqual(["B 2", "a"]);
    expect((await store.records("c", { ...ALL, after: AT })).map(({ body }) => body)).toEqual([record("a", AT + 1).body]);
    expect([await store.note("c", "n"), await store.note("c", "other")]).toEqual(["2", undefined]);
    await store.close();
  });

  it("is held by one process at a time, until it gives it up", async () => {
    const [one, two] = [await open(clock()), await open(clock())];
    expect(await one.hold("one", DAY_MS)).toBe(true);
    expect([await two.hold("two", DAY_MS), await one.hold("one", DAY_MS)]).toEqual([false, true]);
    await two.release("two");
    expect(await two.hold("two", DAY_MS)).toBe(false);
    await one.release("one");
    expect(await two.hold("two", 0)).toBe(true);
    await Promise.all([one.close(), two.close()]);
  });

  it("deletes what is older than its kind is kept", async () => {
    const store = await open(clock());
    const points = SERIES.map((resolution) => ({ user: "d", resolution, at: AT, body: "{}" }));
    await store.write({ points, records: [{ user: "d", at: AT, id: "1", body: "{}" }] });
    await store.prune({ MINUTE: AT, HOUR: AT - 1, DAY: AT - 1, RECONCILED: AT - 1, RECORD: AT });
    expect(await store.points("d", "MINUTE", ALL)).toEqual([]);
    expect(await store.records("d", ALL)).toEqual([]);
    for (const kept of ["HOUR", "DAY", "RECONCILED"] as const)
      expect((await store.points("d", kept, ALL)).map(({ resolution }) => resolution)).toEqual([kept]);
    await store.close();
  });
}
