import { beforeEach, describe, expect, it } from "vitest";
import { type EventLog, KEPT_EVENTS, KEPT_MS, type LogEntry } from "../../../../src/datasources/streams/resumption/eventLog.js";

/** What any adapter of the port has to do. `pass` lets time pass; without it nothing is tested that takes long. */
export function eventLogContract(name: string, open: () => Promise<EventLog>, pass?: (ms: number) => void): void {
  describe(name, () => {
    let log: EventLog;
    beforeEach(async () => {
      log = await open();
    });
    const entry = (id: string): LogEntry => ({ id, kind: "event", time: 1_000, event: { text: `${id} é`, amount: "0.10" } });
    const ids = async (topic = "t"): Promise<readonly string[]> => (await log.read(topic)).map(({ id }) => id);

    const added = { isAdded: true, isWriter: true };
    const append = (topic: string, after: string | undefined, entries: readonly LogEntry[]) =>
      log.append(topic, after, entries, "writer");

    it("keeps entries in order, each once", async () => {
      expect(await log.read("t")).toEqual([]);
      const start: LogEntry = { id: "s", kind: "start", time: 1 };
      expect(await append("t", undefined, [start])).toEqual(added);
      expect(await append("t", "s", [entry("a"), entry("b")])).toEqual(added);
      expect(await append("t", "a", [entry("b"), entry("c")])).toEqual(added);
      expect(await append("t", undefined, [])).toEqual(added);
      expect(await log.read("t")).toEqual([start, entry("a"), entry("b"), entry("c")]);
      expect(await log.read("other")).toEqual([]);
    });

    it("takes nothing that follows what is not there", async () => {
      await append("t", undefined, [entry("a")]);
      expect(await append("t", "lost", [entry("c")])).toEqual({ isAdded: false, isWriter: true });
      expect(await ids()).toEqual(["a"]);
    });

    it("puts a break before what follows nothing that is there", async () => {
      await append("t", undefined, [entry("a")]);
      await append("t", undefined, [entry("a"), entry("b")]);
      await append("t", undefined, [entry("x"), entry("y")]);
      expect((await log.read("t")).map(({ id, kind }) => (kind === "break" ? kind : id))).toEqual(["a", "b", "break", "x", "y"]);
    });

    it("puts a break behind what comes later than what others have added", async () => {
      await append("t", undefined, [entry("a")]);
      await append("t", "a", [entry("b")]);
      await append("t", "a", [entry("b"), entry("c")]);
      await append("t", "b", [entry("late")]);
      expect((await log.read("t")).map(({ id, kind }) => (kind === "break" ? kind : id))).toEqual([
        "a",
        "b",
        "c",
        "late",
        "break",
      ]);
      await append("u", undefined, [entry("a"), entry("c")]);
      await append("u", undefined, [entry("a"), entry("b"), entry("c")]);
      expect((await log.read("u")).map(({ id, kind }) => (kind === "break" ? kind : id))).toEqual(["a", "c", "b", "break"]);
    });

    it("adds no break if one is already there, whether from another writer or its own", async () => {
      const mark = (id: string): LogEntry => ({ id, kind: "break", time: 1 });
      const kinds = async (topic: string) => (await log.read(topic)).map(({ id, kind }) => `${kind} ${id}`);
      await append("t", undefined, [entry("a")]);
      await append("t", "a", [mark("m")]);
      await append("t", "a", [entry("b")]);
      await append("t", "b", [entry("c")]);
      expect(await kinds("t")).toEqual(["event a", "break m", "event b", "event c"]);
      await append("u", undefined, [entry("a")]);
      await append("u", "a", [entry("b")]);
      await append("u", "a", [mark("m"), entry("c")]);
      await append("u", "c", [entry("d")]);
      expect(await kinds("u")).toEqual(["event a", "event b", "break m", "event c", "event d"]);
    });

    it("adds nothing that comes before what it has", async () => {
      await append("t", undefined, [entry("b"), entry("c")]);
      await append("t", undefined, [entry("a"), entry("b"), entry("c"), entry("d")]);
      expect(await ids()).toEqual(["b", "c", "d"]);
      await append("t", undefined, [entry("a"), entry("b")]);
      expect(await ids()).toEqual(["b", "c", "d"]);
    });

    describe.skipIf(pass === undefined)("with time", () => {
      const later = (ms: number) => pass?.(ms);
      const timed = (id: string, time: number): LogEntry => ({ ...entry(id), time });
      /** Extends the life of the log, and drops what is old. */
      const touched = async (): Promise<readonly string[]> => {
        await append("t", undefined, []);
        return ids();
      };

      it("keeps an entry until the one after it is old, and a topic until nothing was added for so long", async () => {
        await append("t", undefined, [timed("a", 1)]);
        for (let step = 0; step < 3; step++) {
          later(KEPT_MS - 1_000);
          expect(await touched()).toEqual(["a"]);
        }
        await append("t", "a", [timed("b", 2)]);
        later(KEPT_MS - 1_000);
        await append("t", "b", [timed("c", 3)]);
        expect(await ids()).toEqual(["a", "b", "c"]);
        later(2_000);
        expect(await touched()).toEqual(["b", "c"]);
        later(KEPT_MS + 1_000);
        expect(await ids()).toEqual([]);
      });

      it("drops entries of one time together", async () => {
        await append("t", undefined, [timed("a", 1), timed("b", 2), timed("c", 2)]);
        later(KEPT_MS - 1_000);
        expect(await touched()).toEqual(["a", "b", "c"]);
        later(2_000);
        expect(await touched()).toEqual(["b", "c"]);
        await append("t", "c", [timed("d", 2), timed("e", 3)]);
        later(KEPT_MS - 1_000);
        expect(await touched()).toEqual(["b", "c", "d", "e"]);
        later(2_000);
        expect(await touched()).toEqual(["e"]);
      });
    });

    it("is bounded", async () => {
      const many = Array.from({ length: KEPT_EVENTS + 10 }, (_, at) => entry(`${at}`));
      await append("t", undefined, many.slice(0, 300));
      await append("t", "299", many.slice(300));
      expect(await ids()).toEqual(many.slice(10).map(({ id }) => id));
    });
  });
}
