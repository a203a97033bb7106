import { DAY_MS, ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import type { Halt } from "../../../../src/datasources/writes/halts/haltStore.js";
import { KeyTaken, LEASE_MS } from "../../../../src/datasources/writes/journal/writeJournal.js";
import { entry, journalContract } from "../../../../test/datasources/writes/journal/contract.js";
import type { Database } from "../../src/database/database.js";
import { HALT_LOCK, SharedHalts } from "../../src/halts/sharedHalts.js";
import { PostgresJournal } from "../../src/journal/postgresJournal.js";
import { journalOver } from "../journal/support.js";

const START = 1_767_225_600_000;

/** A database server as these tests need it. */
export interface TestedServer {
  /** Opens a process's connections; closed with the test. */
  open(name: string): Promise<Database>;
  /** Sets the server's clock. */
  setClock(database: Database, now: number): Promise<void>;
}

/** What the product relies on of PostgreSQL, for the real one and for the simulation's. `fresh`: a server with an empty database. */
export function databaseContract(fresh: (clock: ManualClock) => TestedServer): void {
  journalContract(() => {
    let server: TestedServer | undefined;
    return (clock) => {
      server ??= fresh(clock);
      const { open, setClock } = server;
      return journalOver(open, clock, {}, (database) => setClock(database, clock.now())).journal;
    };
  });

  describe("two processes with one database", () => {
    const two = async () => {
      const clock = new ManualClock(START);
      const { open, setClock } = fresh(clock);
      const [a, b] = [await open("a"), await open("b")];
      await setClock(a, START);
      const journals = [a, b].map((database, at) => {
        return new PostgresJournal({ database, realm: "live", owner: `${at}`, clock });
      }) as [PostgresJournal, PostgresJournal];
      return { clock, a, b, journals, setClock };
    };
    const halt = (user: string): Halt => ({ user, account: user, since: START, by: null, reason: null });
    const halted = (user: string) => (halts: readonly Halt[]) => [...halts, halt(user)];
    const ended = (user: string) => (halts: readonly Halt[]) => halts.filter((one) => one.user !== user);
    const haltsOf = (database: Database) => {
      const halts = new SharedHalts(database);
      let latest: readonly Halt[] = [];
      halts.follow({
        takeOver: (stored) => {
          latest = stored;
        },
        retry: () => undefined,
      });
      return { halts, stored: () => latest };
    };

    it("see what a transaction has changed when it is committed, and nothing of one that fails", async () => {
      const { a, b } = await two();
      const [{ halts }, other] = [haltsOf(a), haltsOf(b)];
      const failed = a.transaction(async (transaction) => {
        await transaction.query("UPDATE exchange_graph.format SET halts = halts + 1");
        await other.halts.catchUp(1);
        throw new Error("given up");
      });
      await expect(failed).rejects.toThrow();
      await other.halts.catchUp(1);
      expect(other.stored()).toEqual([]);
      await halts.change(halted("u"));
      await halts.change(halted("v"));
      await halts.change(ended("u"));
      await other.halts.catchUp(3);
      expect(other.stored()).toEqual([halt("v")]);
    });

    it("are told of changed halts", async () => {
      const { a, b } = await two();
      const [{ halts }, other] = [haltsOf(a), haltsOf(b)];
      await halts.change(halted("u"));
      await expect.poll(() => other.stored(), { timeout: 10_000 }).toEqual([halt("u")]);
      // It listens by now.
      await halts.change(ended("u"));
      await expect.poll(() => other.stored(), { timeout: 10_000 }).toEqual([]);
    });

    it("record nothing while a halt is being stored, and then with its version", async () => {
      const { a, b } = await two();
      const versions: number[] = [];
      const journal = new PostgresJournal({
        ...{ database: b, realm: "live", owner: "b", clock: new ManualClock(START) },
        onHalts: async (version) => void versions.push(version),
      });
      let recorded: Promise<unknown> | undefined;
      await a.transaction(async (transaction) => {
        await transaction.query("SELECT pg_advisory_xact_lock($1)", [HALT_LOCK]);
        recorded = journal.record(entry("a"));
        await transaction.query("UPDATE exchange_graph.format SET halts = halts + 1");
        await transaction.query("SELECT 1");
        expect(versions).toEqual([]);
      });
      await recorded;
      expect(versions).toEqual([1]);
    });

    it("take over different entries at the same time", async () => {
      const { clock, a, journals, setClock } = await two();
      const [one, other] = journals;
      const gone = new PostgresJournal({ database: a, realm: "live", owner: "gone", clock });
      for (let at = 0; at < 20; at++) await gone.record(entry(`key ${at}`));
      clock.advance(LEASE_MS + 1);
      await setClock(a, clock.now());
      const taken = (await Promise.all([one.claim(), other.claim()])).flatMap((claim) => claim.taken.map(({ key }) => key));
      expect(taken).toHaveLength(20);
      expect(new Set(taken).size).toBe(20);
    });

    it("leave a key to the first, and use no more of a day than its limit", async () => {
      const { journals } = await two();
      const since = Math.floor(START / DAY_MS);
      const limit = { kind: "account", unit: "", most: "100", since, path: "accounts.main.day.value", argument: "qty" } as const;
      const charge = { coin: "BTC", qty: "0.01", value: "40", stays: true, isNew: true };
      const record = (key: string, at: number) => journals[at % 2]?.record(entry(key, { charge, sentAt: START }), [limit]);
      const same = await Promise.allSettled(Array.from({ length: 4 }, (_, at) => record("same", at)));
      expect(same.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const one of same) if (one.status === "rejected") expect(one.reason).toBeInstanceOf(KeyTaken);
      const others = await Promise.allSettled(Array.from({ length: 4 }, (_, at) => record(`key ${at}`, at)));
      expect(others.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const one of others)
        if (one.status === "rejected") expect(one.reason).toMatchObject({ name: "DayLimitBroken", used: "80", adds: "40" });
    });

    it("use no more of a day's limit, although a clock is falsely a day ahead", async () => {
      const { journals } = await two();
      const today = Math.floor(START / DAY_MS);
      const limit = {
        kind: "account",
        unit: "",
        most: "500",
        since: today,
        path: "accounts.main.day.value",
        argument: "qty",
      } as const;
      const order = (key: string, value: string, sentAt: number) =>
        entry(key, {
          sentAt,
          validUntil: sentAt + 45_000,
          charge: { coin: "BTC", qty: "0.01", value, stays: true, isNew: true },
        });
      const [right, jumped] = journals;
      await right.record(order("before", "450", START), [limit]);
      const orders = Array.from({ length: 12 }, (_, at) =>
        at % 2 === 0
          ? right.record(order(`${at}`, "10", START), [limit])
          : jumped.record(order(`${at}`, "10", START + DAY_MS), [limit]),
      );
      const refused = (await Promise.allSettled(orders)).filter(({ status }) => status === "rejected");
      expect(refused).toHaveLength(7);
      for (const one of refused) expect(one).toMatchObject({ reason: { name: "DayLimitBroken", used: "500", adds: "10" } });
      // From tomorrow on only tomorrow counts.
      await jumped.record(order("tomorrow", "400", START + DAY_MS), [{ ...limit, since: today + 1 }]);
    });
  });
}
