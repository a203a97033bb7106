import { beforeEach, describe, expect, it } from "vitest";
import type { LeadRequest, RelayEntry, RelayStore } from "../../src/relay/relayStore.js";

/** What any adapter of the port has to do. `pass` lets so much of the engine's time go by. */
export function relayContract(
  name: string,
  open: () => Promise<{ readonly stores: readonly [RelayStore, RelayStore]; readonly pass: (ms: number) => Promise<void> }>,
): void {
  describe(name, () => {
    let a: RelayStore;
    let b: RelayStore;
    let pass: (ms: number) => Promise<void>;
    beforeEach(async () => {
      const opened = await open();
      [a, b] = opened.stores;
      ({ pass } = opened);
    });
    const wish = (more: Partial<LeadRequest> = {}): LeadRequest => ({
      fence: undefined,
      mayLead: true,
      leaseMs: 200,
      topics: ["t"],
      wantMs: 10_000,
      ...more,
    });
    const entries = (fence: number, from: number, to: number): RelayEntry[] =>
      Array.from({ length: to - from + 1 }, (_, at) => ({ fence, seq: from + at, text: `{"n":"${from + at} é"}` }));
    const publish = async (fence: number, from: number, to: number) => {
      for (const entry of entries(fence, from, to)) expect(await a.publish("g", "t", entry)).toBe(true);
    };
    const heardBy = (store: RelayStore): RelayEntry[] => {
      const heard: RelayEntry[] = [];
      store.listen("g", "t", (entry) => heard.push(entry));
      return heard;
    };

    it("gives a lease to one, keeps it for that one, and says to the other how long it lasts", async () => {
      const first = await a.lead("g", wish());
      expect(first).toMatchObject({ isLeader: true });
      const second = await b.lead("g", wish());
      expect(second).toMatchObject({ isLeader: false, fence: first.fence });
      expect(second.leftMs).toBeGreaterThan(0);
      expect(await a.lead("g", wish({ fence: first.fence }))).toMatchObject({
        isLeader: true,
        fence: first.fence,
        wanted: ["t"],
      });
    });

    it("gives a lease that has run out to another, under a higher number", async () => {
      const { fence } = await a.lead("g", wish({ leaseMs: 20 }));
      await pass(40);
      const next = await b.lead("g", wish());
      expect(next.isLeader).toBe(true);
      expect(next.fence).toBeGreaterThan(fence);
      expect(await a.lead("g", wish({ fence }))).toMatchObject({ isLeader: false, fence: next.fence });
      expect(await a.publish("g", "t", { fence, seq: 1, text: "late" })).toBe(false);
    });

    it("leaves an expired lease to its owner as long as no other replica has taken it", async () => {
      const { fence } = await a.lead("g", wish({ leaseMs: 20 }));
      await pass(40);
      await publish(fence, 1, 1);
      expect(await a.lead("g", wish({ fence, leaseMs: 20 }))).toMatchObject({ isLeader: true, fence });
      await pass(40);
      expect(await b.lead("g", wish())).toMatchObject({ isLeader: true });
      expect(await a.publish("g", "t", { fence, seq: 2, text: "late" })).toBe(false);
    });

    it("gives a replica that has lost its fence another lease", async () => {
      const { fence } = await a.lead("g", wish());
      const again = await a.lead("g", wish());
      expect(again.isLeader).toBe(true);
      expect(again.fence).toBeGreaterThan(fence);
    });

    it("gives no lease to a replica that does not want it", async () => {
      expect(await a.lead("g", wish({ mayLead: false }))).toMatchObject({ isLeader: false, leftMs: 0 });
    });

    it("gives a lease that was given up to another at once, and says so", async () => {
      const { fence } = await a.lead("g", wish());
      const notices: string[] = [];
      b.listenToGroup("g", (notice) => notices.push(notice));
      await b.lead("g", wish());
      await a.release("g", fence);
      await expect.poll(() => notices).toEqual(["released"]);
      expect(await b.lead("g", wish())).toMatchObject({ isLeader: true });
    });

    it("keeps a lease that was given up for its successor", async () => {
      const { fence } = await a.lead("g", wish());
      const notices: string[] = [];
      b.listenToGroup("g", (notice) => notices.push(notice));
      await b.lead("g", wish());
      await a.release("g", fence, { replica: b.replica, leaseMs: 10_000 });
      await expect.poll(() => notices).toEqual(["released"]);
      expect(await a.publish("g", "t", { fence, seq: 1, text: "late" })).toBe(false);
      expect(await a.lead("g", wish())).toMatchObject({ isLeader: false });
      const next = await b.lead("g", wish());
      expect(next.isLeader).toBe(true);
      expect(next.fence).toBeGreaterThan(fence);
    });

    it("takes entries in order alone, and shows them in order", async () => {
      const { fence } = await a.lead("g", wish());
      const heard = heardBy(b);
      await b.lead("g", wish());
      await publish(fence, 1, 3);
      for (const seq of [3, 5]) expect(await a.publish("g", "t", { fence, seq, text: "out of order" })).toBe(false);
      await expect.poll(() => heard).toEqual(entries(fence, 1, 3));
      expect(await b.since("g", "t", 1)).toEqual(entries(fence, 2, 3));
      expect((await b.lead("g", wish())).heads.get("t")).toMatchObject({ fence, seq: 3 });
    });

    it("gives a joining replica the snapshot, and the entries after it", async () => {
      const { fence } = await a.lead("g", wish());
      expect(await b.join("g", "t")).toEqual({ head: undefined, kept: undefined, entries: [] });
      await publish(fence, 1, 3);
      await a.keep("g", "t", fence, { seq: 2, text: "state" });
      const joined = await b.join("g", "t");
      expect(joined).toMatchObject({ head: { fence, seq: 3 }, kept: { seq: 2, text: "state" } });
      expect(joined.entries.filter(({ seq }) => seq > 2)).toEqual(entries(fence, 3, 3));
    });

    it("starts a new log under another lease", async () => {
      const { fence } = await a.lead("g", wish());
      await publish(fence, 1, 2);
      await a.keep("g", "t", fence, { seq: 2, text: "state" });
      const { fence: next } = await a.lead("g", wish());
      await publish(next, 1, 1);
      expect(await b.join("g", "t")).toMatchObject({
        head: { fence: next, seq: 1 },
        kept: undefined,
        entries: entries(next, 1, 1),
      });
      await a.keep("g", "t", fence, { seq: 2, text: "of a lease that was" });
      expect((await b.join("g", "t")).kept).toBeUndefined();
    });

    it("keeps so much of a log that a reader who is a little behind catches up", async () => {
      const { fence } = await a.lead("g", wish({ leaseMs: 60_000 }));
      await publish(fence, 1, 600);
      const missed = await b.since("g", "t", 300);
      expect(missed).toEqual(entries(fence, 301, 600));
    });

    it("hears no more what it does not want to hear", async () => {
      const { fence } = await a.lead("g", wish());
      const heard: RelayEntry[] = [];
      const stop = b.listen("g", "t", (entry) => heard.push(entry));
      await b.lead("g", wish());
      stop();
      const others = heardBy(a);
      await publish(fence, 1, 1);
      await expect.poll(() => others).toHaveLength(1);
      expect(heard).toEqual([]);
    });
  });
}
