import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type DataSource, Fault } from "../../../src/datasources/index.js";
import { SqliteJournal } from "../../../src/datasources/writes/journal/sqlite/sqliteJournal.js";
import { KeyTaken } from "../../../src/datasources/writes/journal/writeJournal.js";
import { setHoldMode, setMarginMode } from "../../../src/datasources/writes/mutations/accountSettings.js";
import { type PlaceOrderInput, placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { temporaryFiles } from "../../support/temporaryFiles.js";
import { writesOn } from "../../support/writesOn.js";
import { ordersNamed, place, resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

const newFile = temporaryFiles();

let live: LiveExchange;
let other: DataSource;
let journalPath: string;
beforeEach(async () => {
  journalPath = newFile();
  live = await startLiveExchange({ journalPath });
  other = live.another();
});
afterEach(async () => {
  await other.close();
  await live.close();
});

const placeThere = (input: PlaceOrderInput) => placeOrder(writesOn(other), live.account("main"), input);
const outcomesOf = (input: PlaceOrderInput, otherInput = input) =>
  live.during(Promise.all([place(live, input), placeThere(otherInput), place(live, input), placeThere(otherInput)]));

describe("two gateways on one journal", () => {
  it("send a key once that both are given at the same time, and give equal answers", async () => {
    const results = await outcomesOf(resting("both"));
    expect(results.map(({ outcome, reply }) => [outcome, reply])).toEqual(
      Array.from({ length: 4 }, () => ["ACCEPTED", { orderId: ordersNamed(live, "both")[0]?.orderId, clientOid: "both" }]),
    );
    expect(results.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(live.sandbox.calls.of("placeOrder").total).toBe(1);
  });

  it("send one of two inputs that come under one key at the same time, and refuse the other", async () => {
    const results = await outcomesOf(resting("either"), resting("either", { qty: "0.002" }));
    const said = results.map(({ outcome, problems }) => problems[0]?.code ?? outcome);
    expect(said.toSorted()).toEqual(["ACCEPTED", "ACCEPTED", "IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_KEY_REUSED"]);
    expect(live.sandbox.calls.of("placeOrder").total).toBe(1);
  });

  it("send a close once, also if one of them did not know whose account it is before it planned it", async () => {
    const long = { category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "market", qty: "0.02" } as const;
    await live.during(place(live, { ...long, clientOid: "position" }));
    const close = { ...long, side: "sell", qty: "0.01", reduceOnly: true, clientOid: "close" } as const;
    const first = await live.during(place(live, close));
    const unreadable = new Fault("EXCHANGE_UNAVAILABLE", "the account could not be read");
    vi.spyOn(other.writes.users, "of").mockRejectedValue(unreadable);
    const again = await live.during(placeThere(close));
    expect(again).toMatchObject({ outcome: "ACCEPTED", reply: first.reply, isReplay: true });
    expect(ordersNamed(live, "close")).toHaveLength(1);
    expect(live.sandbox.calls.of("placeOrder").total).toBe(2);
  });

  it("refuse a key only while it is known that the other has not sent it", async () => {
    await live.during(place(live, resting("halted")));
    const find = vi.spyOn(other.writes.journal, "find").mockResolvedValueOnce(undefined);
    find.mockRejectedValue(new Fault("JOURNAL_UNAVAILABLE", "it is closed"));
    await other.writes.halts.halt({ account: live.account("main"), since: 1, by: null, reason: null });
    await expect(live.during(placeThere(resting("halted")))).rejects.toThrow("it is closed");
    find.mockRestore();
    expect(await live.during(placeThere(resting("halted")))).toMatchObject({ outcome: "ACCEPTED", isReplay: true });
    expect((await live.during(placeThere(resting("new")))).problems).toMatchObject([{ code: "TRADING_HALTED" }]);
  });

  describe("of a halted account in hedge mode", () => {
    const close = {
      category: "USDT-FUTURES",
      symbol: "XRPUSDT",
      side: "sell",
      posSide: "long",
      orderType: "market",
      qty: "100",
    } as const;
    const setMode = (holdMode: "one_way_mode" | "hedge_mode") =>
      setHoldMode(live.writes(), live.account("main"), { holdMode, category: null });
    const opened = () => [...live.sandbox.world.state.positions.open(UID.main)].filter(({ symbol }) => symbol === "XRPUSDT");
    /** Waits until the one write has been sent. */
    const sent = async (): Promise<void> => {
      while ((await live.exchange.writes.journal.open()).length === 0) await live.pass(2);
      await live.pass(100);
    };
    beforeEach(async () => {
      await live.during(setMode("hedge_mode"));
      await live.during(placeThere({ ...close, dryRun: true }));
      await other.writes.halts.halt({ account: live.account("main"), since: 1, by: null, reason: null });
    });

    it("change the position mode once no close of the other is under way", async () => {
      live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 3_000 } });
      const closing = placeThere({ ...close, clientOid: "late" });
      await sent();
      const changing = live.during(setMode("one_way_mode"));
      expect((await live.during(closing)).outcome).toBe("REJECTED");
      expect([
        (await changing).outcome,
        live.sandbox.world.state.accounts.of(UID.main).holdMode("USDT-FUTURES"),
        opened(),
      ]).toEqual(["ACCEPTED", "one_way_mode", []]);
    });

    it("close nothing while the other changes the position mode", async () => {
      live.sandbox.faults.add({ endpoint: "setHoldMode", fault: { kind: "latency", delayMs: 3_000 } });
      const changing = setMode("one_way_mode");
      await sent();
      await expect(live.during(placeThere({ ...close, clientOid: "meanwhile" }))).rejects.toThrow(
        "the position mode is being changed; nothing was sent",
      );
      expect((await live.during(changing)).outcome).toBe("ACCEPTED");
      expect(ordersNamed(live, "meanwhile")).toEqual([]);
    });

    it("close while the other changes the mode of other positions, or the margin mode", async () => {
      const [classic, opens] = [
        live.account("classic"),
        { posSide: "long", category: "USDT-FUTURES", symbol: "XRPUSDT" } as const,
      ];
      const there = (input: PlaceOrderInput) => live.during(placeOrder(writesOn(other), classic, input));
      live.sandbox.world.state.accounts.of(UID.classic).setHoldMode("hedge_mode");
      const order = { ...opens, orderType: "market", qty: "100" } as const;
      expect((await there({ ...order, side: "buy", clientOid: "long" })).outcome).toBe("ACCEPTED");
      await other.writes.halts.halt({ account: classic, since: 1, by: null, reason: null });
      const changes = [
        ["classicSetHoldMode", () => setHoldMode(live.writes(), classic, { holdMode: "one_way_mode", category: "COIN-FUTURES" })],
        [
          "classicSetMarginMode",
          () => setMarginMode(live.writes(), classic, { category: "USDT-FUTURES", symbol: "BTCUSDT", marginMode: "isolated" }),
        ],
      ] as const;
      for (const [endpoint, change] of changes) {
        live.sandbox.faults.add({ endpoint, fault: { kind: "latency", delayMs: 3_000 } });
        const changing = change();
        await sent();
        const { outcome } = await there({ ...order, qty: "50", side: "sell", clientOid: endpoint });
        expect([endpoint, outcome, (await live.exchange.writes.journal.open()).length]).toEqual([endpoint, "ACCEPTED", 1]);
        await live.during(changing);
      }
      expect([...live.sandbox.world.state.positions.open(UID.classic)].some(({ symbol }) => symbol === "XRPUSDT")).toBe(false);
    });
  });

  it("begin again, three times at most, where the key was taken by one that has given it up meanwhile", async () => {
    const record = vi.spyOn(other.writes.journal, "record");
    const taken = () => Promise.reject(new KeyTaken("there is an entry of the key"));
    record.mockImplementationOnce(taken).mockImplementationOnce(taken);
    expect((await live.during(placeThere(resting("given-up")))).outcome).toBe("ACCEPTED");
    expect(live.sandbox.calls.of("placeOrder").total).toBe(1);
    record.mockReset().mockImplementation(taken);
    await expect(live.during(placeThere(resting("never-free")))).rejects.toThrow(KeyTaken);
    expect(record).toHaveBeenCalledTimes(3);
    expect(live.sandbox.calls.of("placeOrder").total).toBe(1);
  });

  it("settle what a third one has left open that has died, by themselves, and not what one has that lives", async () => {
    const third = () => new SqliteJournal({ path: journalPath, realm: "live", clock: live.clock });
    const sentAt = live.clock.now();
    const line = (key: string) => ({
      ...{
        user: UID.main,
        account: "main",
        who: null,
        mutation: "placeOrder",
        endpoint: "placeOrder",
        key,
        digest: "",
        clientOid: key,
      },
      ...{ values: { ...resting(key) }, sentAt, validUntil: sentAt + 45_000, traceparent: null },
    });
    const [dead, living] = [third(), third()];
    await dead.record(line("dead"));
    await living.record(line("living"));
    await live.exchange.writes.writer.resume();
    await other.writes.writer.resume();
    for (let waited = 0; waited < 50_000; waited += 2_000) {
      await living.claim();
      await live.pass(2_000);
    }
    const stateOf = async (key: string) => (await live.exchange.writes.journal.find(UID.main, key))?.state;
    expect([await stateOf("dead"), await stateOf("living")]).toEqual(["REJECTED", "SENT"]);
    await dead.close();
    await living.close();
  });
});
