import { describe, expect, it } from "vitest";
import { GroupSync } from "../../../../../src/datasources/writes/journal/sqlite/groupSync.js";

/** A disk whose syncs end when the test says so. */
function slowDisk() {
  const running: { end: () => void; fail: (error: Error) => void }[] = [];
  let syncs = 0;
  return {
    get syncs() {
      return syncs;
    },
    sync: () => {
      syncs++;
      return new Promise<void>((resolve, reject) => running.push({ end: resolve, fail: reject }));
    },
    end: () => running.shift()?.end(),
    fail: (error: Error) => running.shift()?.fail(error),
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a shared sync", () => {
  it("serves all requests that arrived while the previous one was running", async () => {
    const disk = slowDisk();
    const group = new GroupSync(disk.sync);
    const first = group.flush();
    await turn();
    const others = [group.flush(), group.flush(), group.flush()];
    await turn();
    expect(disk.syncs).toBe(1);
    disk.end();
    await first;
    await turn();
    expect(disk.syncs).toBe(2);
    disk.end();
    await Promise.all(others);
  });

  it("never counts a sync that had begun before the asking", async () => {
    const disk = slowDisk();
    const group = new GroupSync(disk.sync);
    const first = group.flush();
    await turn();
    let isDurable = false;
    const second = group.flush().then(() => {
      isDurable = true;
    });
    disk.end();
    await first;
    await turn();
    expect(isDurable).toBe(false);
    disk.end();
    await second;
  });

  it("reports a failure to the callers of that sync, and continues", async () => {
    const disk = slowDisk();
    const group = new GroupSync(disk.sync);
    const [failing, alike] = [group.flush(), group.flush()];
    await turn();
    const next = group.flush();
    disk.fail(new Error("the disk is full"));
    await expect(failing).rejects.toThrow("the disk is full");
    await expect(alike).rejects.toThrow("the disk is full");
    await turn();
    disk.end();
    await next;
  });
});
