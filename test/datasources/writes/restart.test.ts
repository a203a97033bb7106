import { ManualClock } from "@exchange-graph/contract/clock";
import { placeOrder } from "@exchange-graph/contract/orderWrites";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Fault } from "../../../src/datasources/index.js";
import type { Users } from "../../../src/datasources/reads/index.js";
import type { JournalEntry, NewEntry } from "../../../src/datasources/writes/journal/journalEntry.js";
import { SqliteJournal } from "../../../src/datasources/writes/journal/sqlite/sqliteJournal.js";
import { cancelOrder } from "../../../src/datasources/writes/mutations/cancelOrder.js";
import { placeTpslOrder } from "../../../src/datasources/writes/mutations/placeTpslOrder.js";
import { Recovery } from "../../../src/datasources/writes/recovery.js";
import { settled } from "../../support/eventually.js";
import { accountNamed } from "../../support/exchangeOver.js";
import { ownInstrumentation } from "../../support/searchedTelemetry.js";
import { temporaryFiles } from "../../support/temporaryFiles.js";
import { ordersNamed, place, resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

const newFile = temporaryFiles();

let live: LiveExchange;
let path: string;
beforeEach(async () => {
  path = newFile();
  live = await startLiveExchange({ journalPath: path });
});
afterEach(() => live.close());

const VALUES = {
  category: "SPOT",
  symbol: "BTCUSDT",
  side: "buy",
  orderType: "limit",
  qty: "0.001",
  price: "60000",
  clientOid: "alive",
} as const;

/** An entry of a process that was killed after it wrote it down. */
async function leftBehind(clientOid: string, more: Partial<NewEntry> = {}): Promise<JournalEntry> {
  const journal = new SqliteJournal({ path, realm: "live", clock: live.clock });
  const sentAt = live.clock.now();
  const entry = await journal.record({
    user: UID.main,
    account: "main",
    who: null,
    mutation: "placeOrder",
    endpoint: "placeOrder",
    key: clientOid,
    digest: "of the process before",
    clientOid,
    values: { ...resting(clientOid) },
    sentAt,
    validUntil: sentAt + 45_000,
    traceparent: null,
    ...more,
  });
  await journal.close();
  return entry;
}

const stateOf = async (key: string) => (await live.exchange.writes.journal.find(UID.main, key))?.state;

it.each([
  ["settled", Promise.resolve(), 1],
  ["being looked up", new Promise(() => undefined), 2],
] as const)(
  "a write of an ended process that is %s leaves no timer behind when its new owner stops",
  async (_, outcome, timers) => {
    const clock = new ManualClock(1_767_225_600_000);
    const account = accountNamed("main");
    const recovery = new Recovery({
      ...{ clock, accounts: { all: [account] }, isProvable: () => true, follow: () => outcome },
      journal: { claim: async () => ({ taken: [{ user: UID.main } as JournalEntry], held: [] }) },
      users: {
        ...{ recall: async () => undefined, cachedUser: () => UID.main, known: { namesOf: () => [UID.main] } },
      } as unknown as Users,
      instrumentation: ownInstrumentation(),
    });
    await recovery.start();
    await settled();
    // One is for the next claim.
    expect(clock.pending).toBe(timers);
    recovery.stop();
    expect(clock.pending).toBe(0);
  },
);

describe("after a restart", () => {
  it("a write that had taken effect is accepted before the account writes again", async () => {
    await leftBehind("alive");
    await live.during(live.exchange.client.call(placeOrder, VALUES, live.account("main"), live.clock.now() + 5_000));
    await live.restart();
    const next = await live.during(place(live, resting("next")));
    expect([next.outcome, await stateOf("alive")]).toEqual(["ACCEPTED", "ACCEPTED"]);
    expect(live.sandbox.calls.latest().map(({ endpoint }) => endpoint)).toEqual(
      expect.arrayContaining(["orderInfo", "placeOrder"]),
    );
  });

  it("a write without trace holds its account up until it cannot come any more, and no other account", async () => {
    await leftBehind("dead");
    await live.restart();
    const began = live.clock.now();
    await expect(live.during(place(live, resting("impatient")))).rejects.toThrow(
      "earlier writes of main are still being settled; nothing was sent",
    );
    expect((await live.during(place(live, resting("elsewhere"), "classic"))).outcome).toBe("ACCEPTED");
    await live.pass(began + 47_000 - live.clock.now());
    expect(await stateOf("dead")).toBe("REJECTED");
    expect((await live.during(place(live, resting("impatient")))).outcome).toBe("ACCEPTED");
    expect(ordersNamed(live, "dead")).toEqual([]);
  });

  it("what takes risk away waits for no other write: a cancel, a close, a stop-loss", async () => {
    await live.during(place(live, resting("unwanted")));
    const long = { category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "market", qty: "0.02" } as const;
    await live.during(place(live, { ...long, clientOid: "position" }));
    await leftBehind("dead");
    await live.restart();
    const began = live.clock.now();
    const main = live.account("main");
    const stop = { category: "USDT-FUTURES", symbol: "BTCUSDT", planType: "pos_loss", posSide: "long" } as const;
    const results = await live.during(
      Promise.all([
        cancelOrder(live.writes(), main, { category: "SPOT", clientOid: "unwanted" }),
        place(live, { ...long, side: "sell", qty: "0.01", reduceOnly: true, clientOid: "close" }),
        placeTpslOrder(live.writes(), main, { ...stop, triggerPrice: "50000" }),
      ]),
    );
    expect(results.map(({ outcome, problems }) => [outcome, problems])).toEqual(results.map(() => ["ACCEPTED", []]));
    expect(live.clock.now() - began).toBeLessThan(2_000);
    expect(await stateOf("dead")).toBe("SENT");
  });

  it("a repeated key finds what the process before has done", async () => {
    const first = await live.during(place(live, resting("before")));
    await live.restart();
    expect(await live.during(place(live, resting("before")))).toEqual({ ...first, isReplay: true });
    expect(live.sandbox.calls.of("placeOrder").total).toBe(1);
  });

  it("a write that nothing can prove stays unknown and delays no other", async () => {
    await leftBehind("added", {
      mutation: "adjustPositionMargin",
      endpoint: "classicSetMargin",
      clientOid: null,
      values: { symbol: "BTCUSDT", productType: "USDT-FUTURES", marginCoin: "USDT", holdSide: "long", amount: "1" },
    });
    await live.restart();
    expect((await live.during(place(live, resting("next")))).outcome).toBe("ACCEPTED");
    expect(await stateOf("added")).toBe("UNKNOWN");
    expect(live.sandbox.calls.of("classicSetMargin").total).toBe(0);
  });

  it("a write of the mode that the account had before its upgrade stays unknown once it has expired, and delays no other", async () => {
    live.sandbox.faults.add({ endpoint: "classicPlaceSpotOrder", fault: { kind: "reset" }, times: 1 });
    expect((await live.during(place(live, resting("classic"), "classic"))).outcome).toBe("UNKNOWN");
    live.sandbox.world.modes.upgrade(UID.classic);
    await live.pass(100_000);
    const lookUps = live.sandbox.calls.of("classicSpotOrderInfo").total;
    await live.pass(60_000);
    expect(live.sandbox.calls.of("classicSpotOrderInfo").total).toBe(lookUps);
    await live.restart();
    expect((await live.during(place(live, resting("unified"), "classic"))).outcome).toBe("ACCEPTED");
    expect((await live.during(place(live, resting("classic"), "classic"))).outcome).toBe("UNKNOWN");
  });

  it("the writes of another exchange in the same file are left alone", async () => {
    await leftBehind("foreign");
    const elsewhere = new SqliteJournal({ path, realm: "demo", clock: live.clock });
    await elsewhere.record({
      ...{
        user: UID.main,
        account: "main",
        who: null,
        mutation: "placeOrder",
        endpoint: "placeOrder",
        key: "theirs",
        digest: "",
        clientOid: "theirs",
      },
      ...{ values: {}, sentAt: 0, validUntil: 0, traceparent: null },
    });
    await elsewhere.close();
    await live.restart();
    await live.exchange.writes.writer.resume();
    await live.pass(50_000);
    const again = new SqliteJournal({ path, realm: "demo", clock: live.clock });
    expect([await stateOf("foreign"), (await again.find(UID.main, "theirs"))?.state]).toEqual(["REJECTED", "SENT"]);
    await again.close();
  });

  it("says of a refusal for open writes that it may be tried again", async () => {
    await leftBehind("dead");
    await live.restart();
    const error: unknown = await live.during(place(live, resting("impatient")).catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(Fault);
    expect(error instanceof Fault && error.extensions).toMatchObject({ code: "EXCHANGE_UNAVAILABLE", retryable: true });
  });
});
