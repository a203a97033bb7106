import { beforeEach, describe, expect, it } from "vitest";
import { type EventLog, KEPT_EVENTS, type LogEntry } from "../../../src/datasources/ports/eventLog.js";

/** What any adapter of the port has to do. */
export function eventLogContract(name: string, open: () => Promise<EventLog>): void {
  describe(name, () => {
    let log: EventLog;
    beforeEach(async () => {
      log = await open();
    });
    const entry = (id: string): LogEntry => ({ id, kind: "event", time: 1_000, event: { text: `${id} é`, amount: "0.10" } });
    const ids = async (topic = "t"): Promise<readonly string[]> => (await log.read(topic)).map(({ id }) => id);

    it("keeps entries in order, each once", async () => {
      expect(await log.read("t")).toEqual([]);
      const start: LogEntry = { id: "s", kind: "start", time: 1 };
      expect(await log.append("t", undefined, [start])).toBe(true);
      expect(await log.append("t", "s", [entry("a"), entry("b")])).toBe(true);
      expect(await log.append("t", "a", [entry("b"), entry("c")])).toBe(true);
      expect(await log.append("t", undefined, [])).toBe(true);
      expect(await log.read("t")).toEqual([start, entry("a"), entry("b"), entry("c")]);
      expect(await log.read("other")).toEqual([]);
    });

    it("takes nothing that follows what is not there", async () => {
      await log.append("t", undefined, [entry("a")]);
      expect(await log.append("t", "lost", [entry("c")])).toBe(false);
      expect(await ids()).toEqual(["a"]);
    });

    it("puts a break before what follows nothing that is there", async () => {
      await log.append("t", undefined, [entry("a")]);
      await log.append("t", undefined, [entry("a"), entry("b")]);
      await log.append("t", undefined, [entry("x"), entry("y")]);
      expect((await log.read("t")).map(({ id, kind }) => (kind === "break" ? kind : id))).toEqual(["a", "b", "break", "x", "y"]);
    });

    it("puts a break behind what comes later than what others have added", async () => {
      await log.append("t", undefined, [entry("a")]);
      await log.append("t", "a", [entry("b")]);
      await log.append("t", "a", [entry("b"), entry("c")]);
      await log.append("t", "b", [entry("late")]);
      expect((await log.read("t")).map(({ id, kind }) => (kind === "break" ? kind : id))).toEqual([
        "a",
        "b",
        "c",
        "late",
        "break",
      ]);
      await log.append("u", undefined, [entry("a"), entry("c")]);
      await log.append("u", undefined, [entry("a"), entry("b"), entry("c")]);
      expect((await log.read("u")).map(({ id, kind }) => (kind === "break" ? kind : id))).toEqual(["a", "c", "b", "break"]);
    });

    it("is bounded", async () => {
      const many = Array.from({ length: KEPT_EVENTS + 10 }, (_, at) => entry(`${at}`));
      await log.append("t", undefined, many.slice(0, 300));
      await log.append("t", "299", many.slice(300));
      expect(await ids()).toEqual(many.slice(10).map(({ id }) => id));
    });
  });
}
