import { describe, expect, it } from "vitest";
import { PRIORITIES, type Priority, WaitingLine } from "../../../../src/datasources/calls/scheduler/waitingLine.js";

const drain = (line: WaitingLine<string>): string[] => Array.from({ length: line.size }, () => line.next() ?? "nobody");

describe("a waiting line", () => {
  it("serves the most urgent first, and equals in the order of their coming", () => {
    const line = new WaitingLine<string>();
    for (const priority of [...PRIORITIES].reverse()) for (const turn of [1, 2]) line.add(priority, "a", `${priority} ${turn}`);
    expect(drain(line)).toEqual([
      "cancel 1",
      "cancel 2",
      "write 1",
      "write 2",
      "read 1",
      "read 2",
      "refresh 1",
      "refresh 2",
      "background 1",
      "background 2",
    ]);
  });

  it.each<[Priority, number]>([
    ["write", 4],
    ["read", 8],
    ["refresh", 16],
  ])("lets at most its patience pass a waiting %s", (priority, patience) => {
    const line = new WaitingLine<string>();
    line.add(priority, "a", "patient");
    for (let turn = 0; turn < 40; turn++) line.add("cancel", "a", `cancel ${turn}`);
    expect(drain(line).indexOf("patient")).toBe(patience);
  });

  it("lets everything else pass what is in the background", () => {
    const line = new WaitingLine<string>();
    line.add("background", "a", "background");
    for (let turn = 0; turn < 100; turn++) line.add("refresh", "a", `refresh ${turn}`);
    expect(drain(line).indexOf("background")).toBe(100);
  });

  it("starves no class but the background while every class keeps coming", () => {
    const line = new WaitingLine<string>();
    const served: Record<string, number> = {};
    for (let turn = 0; turn < 1_000; turn++) {
      for (const priority of PRIORITIES) line.add(priority, "a", `${priority} ${turn}`);
      const [priority = ""] = (line.next() ?? "").split(" ");
      served[priority] = (served[priority] ?? 0) + 1;
    }
    expect(served.refresh).toBeGreaterThanOrEqual(Math.floor(1_000 / 18));
    expect(served.read).toBeGreaterThanOrEqual(Math.floor(1_000 / 10));
    expect(served.write).toBeGreaterThanOrEqual(Math.floor(1_000 / 6));
    expect(served.cancel).toBeGreaterThan(served.write ?? 0);
  });

  it("serves the clients of a class in turn, and no client's reads take the place of a cancel", () => {
    const line = new WaitingLine<string>();
    for (let turn = 1; line.hasRoomFor("read", "greedy"); turn++) line.add("read", "greedy", `greedy ${turn}`);
    expect(line.hasRoomFor("read", "victim")).toBe(true);
    expect(line.hasRoomFor("cancel", "greedy")).toBe(true);
    expect(line.ahead("read", "victim")).toBe(1);
    line.add("read", "victim", "victim 1");
    line.add("cancel", "victim", "cancel");
    expect([line.next(), line.next(), line.next(), line.next()]).toEqual(["cancel", "greedy 1", "victim 1", "greedy 2"]);
  });

  it("takes out who gives up, once", () => {
    const line = new WaitingLine<string>();
    const one = line.add("read", "a", "one");
    expect(line.remove("read", one)).toBe(true);
    expect(line.remove("read", one)).toBe(false);
    expect(line.next()).toBeUndefined();
    expect(line.size).toBe(0);
  });
});
