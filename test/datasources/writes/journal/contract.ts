import { performance } from "node:perf_hooks";
import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../../src/datasources/index.js";
import type { JournalEntry, NewEntry } from "../../../../src/datasources/writes/journal/journalEntry.js";
import { KeyTaken, LEASE_MS, REMEMBERED_MS, type WriteJournal } from "../../../../src/datasources/writes/journal/writeJournal.js";
import { turn } from "../../../support/eventually.js";

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 5, 12);

export const entry = (key: string, more: Partial<NewEntry> = {}): NewEntry => ({
  user: "main",
  account: "desk",
  who: "token:desk",
  mutation: "placeOrder",
  endpoint: "placeOrder",
  key,
  digest: `digest of ${key}`,
  clientOid: key,
  values: { symbol: "BTCUSDT", qty: "0.5" },
  sentAt: 1_000,
  validUntil: 46_000,
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  ...more,
});

export const accepted = (line: JournalEntry): JournalEntry => ({
  ...line,
  state: "ACCEPTED",
  reply: { orderId: "7", clientOid: line.clientOid },
  settledAt: 2_000,
});

const keysOf = (entries: readonly JournalEntry[]): readonly string[] => entries.map(({ key }) => key);

/** The result of a call once the disk is available: while it is blocked, the call is refused and has to be repeated. */
async function onceAvailable<T>(call: () => T): Promise<Awaited<T>> {
  for (const until = performance.now() + 15_000; ; await turn()) {
    try {
      return await call();
    } catch (error) {
      const isOver = performance.now() > until || !(error instanceof Fault && error.extensions.code === "JOURNAL_UNAVAILABLE");
      if (isOver) throw error;
    }
  }
}

/** What opens a journal as another process would that shares it with those opened before. */
export type Opener = (clock: ManualClock) => WriteJournal;

/** The contract of every journal implementation. `fresh` returns an opener over new, unshared storage. */
export function journalContract(fresh: () => Opener): void {
  const one = () => fresh()(new ManualClock(START));
  const sharing = () => {
    const clock = new ManualClock(START);
    const open = fresh();
    return { clock, open: () => open(clock) };
  };

  describe("a key of the exchange", () => {
    it("is stored, and entries under its placeholder become its user's, unless that user has an entry of the same key", async () => {
      const journal = one();
      await journal.record(entry("a", { user: "key:digest" }));
      await journal.record(entry("b", { user: "key:digest", values: { of: "the stand-in" } }));
      await journal.record(entry("b"));
      expect(await journal.userOf("digest")).toBeUndefined();
      await journal.remember("digest", "main");
      expect(await journal.userOf("digest")).toBe("main");
      expect((await journal.find("main", "a"))?.key).toBe("a");
      expect((await journal.find("main", "b"))?.values).toEqual(entry("b").values);
      expect((await journal.find("key:digest", "b"))?.values).toEqual({ of: "the stand-in" });
    });

    it("is not stored without its user", async () => {
      const journal = one();
      await journal.remember("digest", "key:digest");
      expect(await journal.userOf("digest")).toBeUndefined();
    });
  });

  describe("an entry", () => {
    it("is found as it was recorded", async () => {
      const journal = one();
      await journal.ready();
      const line = await journal.record(entry("a"));
      expect(line).toEqual({ ...entry("a"), seq: line.seq, state: "SENT", reply: null, problem: null, settledAt: null });
      expect(await journal.find("main", "a")).toEqual(line);
      expect(await journal.find("main", "b")).toBeUndefined();
    });

    it("of an operation that is not recorded has no trace", async () => {
      const journal = one();
      await journal.record(entry("a", { traceparent: null }));
      expect((await journal.find("main", "a"))?.traceparent).toBeNull();
    });

    it("has its end, with the exchange's reply or its refusal", async () => {
      const journal = one();
      const first = accepted(await journal.record(entry("a")));
      const problem = { code: "INSUFFICIENT_BALANCE", message: "no", retryable: false, exchange: { code: "43012", msg: "no" } };
      const other: JournalEntry = { ...(await journal.record(entry("b"))), state: "REJECTED", problem, settledAt: 3_000 };
      await journal.settle(first);
      await journal.settle(other);
      expect([await journal.find("main", "a"), await journal.find("main", "b")]).toEqual([first, other]);
      expect(await journal.open()).toEqual([]);
    });

    it("never changes its end", async () => {
      const journal = one();
      const line = accepted(await journal.record(entry("a")));
      await journal.settle(line);
      await journal.settle({ ...line, state: "REJECTED", reply: null });
      expect(await journal.find("main", "a")).toEqual(line);
    });

    it("is open until its end is known, an unknown end among it", async () => {
      const journal = one();
      const [a, b, c] = [await journal.record(entry("a")), await journal.record(entry("b")), await journal.record(entry("c"))];
      await journal.settle(accepted(b));
      const unknown: JournalEntry = { ...c, state: "UNKNOWN", settledAt: 9 };
      await journal.settle(unknown);
      expect(await journal.open()).toEqual([a, unknown]);
      await journal.settle(accepted(c));
      expect(keysOf(await journal.open())).toEqual(["a"]);
    });

    it("takes its key once for each user, and again when its write never left", async () => {
      const journal = one();
      const first = await journal.record(entry("a"));
      await expect(journal.record(entry("a"))).rejects.toThrow(KeyTaken);
      await journal.record(entry("a", { user: "classic" }));
      await journal.settle({ ...first, state: "UNSENT", settledAt: 5 });
      expect(await journal.find("main", "a")).toBeUndefined();
      const second = await journal.record(entry("a"));
      expect(await journal.find("main", "a")).toEqual(second);
    });

    it("takes its key once of many that come at the same time, from two processes", async () => {
      const { open } = sharing();
      const journals = [open(), open()];
      const given = await Promise.allSettled(
        Array.from({ length: 20 }, (_, at) => onceAvailable(() => journals[at % 2]?.record(entry("a", { digest: `${at}` })))),
      );
      expect(given.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const one of given) if (one.status === "rejected") expect(one.reason).toBeInstanceOf(KeyTaken);
    });
  });

  describe("what is asked of it", () => {
    it("comes in pages, the newest first", async () => {
      const journal = one();
      const lines: JournalEntry[] = [];
      for (const key of ["a", "b", "c", "d"]) lines.push(await journal.record(entry(key)));
      await journal.record(entry("x", { user: "classic" }));
      expect(keysOf(await journal.page("main", undefined, 2))).toEqual(["d", "c"]);
      expect(keysOf(await journal.page("main", lines[2]?.seq, 2))).toEqual(["b", "a"]);
    });

    it("is alike around the same time: of the same user and endpoint", async () => {
      const journal = one();
      const line = await journal.record(entry("a", { sentAt: 10_000 }));
      await journal.record(entry("before", { sentAt: 9_000 }));
      await journal.record(entry("long before", { sentAt: 8_999 }));
      await journal.record(entry("elsewhere", { sentAt: 10_000, endpoint: "cancelOrder" }));
      await journal.record(entry("another's", { sentAt: 10_000, user: "classic" }));
      expect(keysOf(await journal.around(line, 1_000))).toEqual(["before"]);
      // A moment without a write has no number, and finds those of any number.
      expect(keysOf(await journal.around({ ...line, seq: undefined }, 1_000))).toEqual(
        expect.arrayContaining(["before", line.key]),
      );
    });

    it("may have taken effect after it: what is open, or was accepted later", async () => {
      const journal = one();
      await journal.settle(accepted(await journal.record(entry("accepted before", { sentAt: 1_500 }))));
      const late = await journal.record(entry("accepted late", { sentAt: 1_500 }));
      await journal.record(entry("expired", { validUntil: 1_999 }));
      const line = await journal.record(entry("a", { sentAt: 2_000 }));
      await journal.settle({ ...accepted(late), settledAt: 2_001 });
      await journal.settle(accepted(await journal.record(entry("accepted after", { sentAt: 2_500 }))));
      const rejected: JournalEntry = { ...(await journal.record(entry("refused"))), state: "REJECTED", settledAt: 2_600 };
      await journal.settle(rejected);
      await journal.record(entry("open", { sentAt: 3_000 }));
      expect(keysOf(await journal.since(line))).toEqual(["accepted late", "accepted after", "open"]);
    });

    it("is forgotten when it ended a week ago, and when open with the exchange's own memory", async () => {
      const journal = one();
      await journal.settle(accepted(await journal.record(entry("old and ended"))));
      await journal.record(entry("old and open"));
      await journal.settle(accepted(await journal.record(entry("young", { sentAt: 2_000 }))));
      const keys = async () => keysOf(await journal.page("main", undefined, 10));
      await journal.prune(1_000 + REMEMBERED_MS);
      expect(await keys()).toEqual(["young", "old and open", "old and ended"]);
      await journal.prune(1_001 + REMEMBERED_MS);
      expect(await keys()).toEqual(["young", "old and open"]);
      await journal.prune(1_001 + 90 * DAY_MS);
      expect(await keys()).toEqual([]);
      // What was forgotten holds its key no longer.
      await journal.record(entry("old and ended"));
    });
  });

  describe("of two processes", () => {
    it("the living one takes over what one has left open that has closed, and not what has ended", async () => {
      const { open } = sharing();
      const [former, living] = [open(), open()];
      await former.settle(accepted(await former.record(entry("ended"))));
      const line = await former.record(entry("open"));
      expect(await living.claim()).toEqual({ taken: [], held: [line] });
      await former.close();
      expect((await living.claim()).taken).toEqual([line]);
      expect((await living.claim()).taken).toEqual([]);
      await living.settle(accepted(line));
      expect((await living.find("main", "open"))?.state).toBe("ACCEPTED");
    });

    it("one has a right at a time: until it gives it up, or has not renewed it in time", async () => {
      const { clock, open } = sharing();
      const [one, other] = [open(), open()];
      expect([await one.hold("a", 2_000), await one.hold("a", 2_000), await other.hold("b", 2_000)]).toEqual([0, 0, 0]);
      const left = await other.hold("a", 2_000);
      expect(left > 0 && left <= 2_000).toBe(true);
      await other.giveUp("a");
      expect(await other.hold("a", 2_000)).toBeGreaterThan(0);
      await one.giveUp("a");
      expect([await other.hold("a", 2_000), (await one.hold("a", 2_000)) > 0]).toEqual([0, true]);
      clock.advance(2_001);
      expect([await one.hold("a", 2_000), (await other.hold("a", 2_000)) > 0]).toEqual([0, true]);
    });

    it("the living one takes over what one holds that has said nothing for the time of a lease", async () => {
      const { clock, open } = sharing();
      const [silent, living] = [open(), open()];
      const line = await silent.record(entry("open"));
      await living.claim();
      clock.advance(LEASE_MS - 1);
      expect((await living.claim()).taken).toEqual([]);
      clock.advance(2);
      expect((await living.claim()).taken).toEqual([line]);
    });

    it("neither takes over what the other holds that goes on saying that it lives", async () => {
      const { clock, open } = sharing();
      const [one, other] = [open(), open()];
      await one.record(entry("one's"));
      await other.record(entry("other's"));
      for (let count = 0; count < 5; count++) {
        clock.advance(LEASE_MS - 1);
        expect([(await one.claim()).taken, (await other.claim()).taken]).toEqual([[], []]);
      }
    });

    it("a paused owner settles nothing that was taken over, and continues with new entries", async () => {
      const { clock, open } = sharing();
      const [paused, living] = [open(), open()];
      const line = await paused.record(entry("taken"));
      await living.claim();
      clock.advance(LEASE_MS + 1);
      expect((await living.claim()).taken).toEqual([line]);
      await paused.settle({ ...line, state: "UNSENT", settledAt: 1 });
      expect(keysOf(await living.open())).toEqual(["taken"]);
      const next = await paused.record(entry("next"));
      await paused.settle({ ...line, state: "UNSENT", settledAt: 1 });
      await paused.settle(accepted(next));
      expect(keysOf(await living.open())).toEqual(["taken"]);
      expect((await living.claim()).taken).toEqual([]);
      await living.settle(accepted(line));
      expect(await living.open()).toEqual([]);
    });
  });

  it("takes nothing once it is closed", async () => {
    const journal = one();
    await journal.record(entry("a"));
    await journal.close();
    await journal.close();
    await expect(journal.record(entry("b"))).rejects.toThrow(Fault);
    await expect(journal.probe()).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
  });
}
