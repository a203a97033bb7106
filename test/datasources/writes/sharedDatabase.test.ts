import { isRead } from "@exchange-graph/contract/rows";
import type { Sandbox } from "@exchange-graph/sandbox";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { RequestReads } from "../../../src/datasources/index.js";
import { readOpenOrders } from "../../../src/datasources/reads/index.js";
import type { LimitBook, TradingLimits } from "../../../src/datasources/writes/limits/tradingLimits.js";
import { cancelOpenOrders } from "../../../src/datasources/writes/mutations/cancelOpen.js";
import { cancelOrder } from "../../../src/datasources/writes/mutations/cancelOrder.js";
import { describeUnless } from "../../support/missing.js";
import { noPostgres, type Postgres, startPostgres } from "../../support/postgres.js";
import { type TcpProxy, tcpProxy } from "../../support/tcpProxy.js";
import { writesOn } from "../../support/writesOn.js";
import { resting } from "./support/limitOrder.js";
import { UID } from "./support/liveExchange.js";
import { openReplica, type Replica, startSharedSandbox } from "./support/replicas.js";

/** How often each key is given to every replica. */
const KEYS = Number.parseInt(process.env.SHARED_KEYS ?? "2", 10);
/** From so many on lines fail in the ways that take their deadlines to be noticed. */
const LONG = 50;
const LEFT_OUT = KEYS < LONG ? `it takes half a minute: SHARED_KEYS=${LONG} has it done` : undefined;

describeUnless(noPostgres(), "replicas on one database", () => {
  let postgres: Postgres;
  let sandbox: Sandbox;
  let proxy: TcpProxy;
  let url: URL;
  let replicas: readonly Replica[];
  beforeAll(async () => {
    [postgres, sandbox] = await Promise.all([startPostgres(), startSharedSandbox()]);
  });
  afterAll(async () => {
    await sandbox.close();
    await postgres.close();
  });
  beforeEach(async () => {
    url = new URL(await postgres.create());
    proxy = await tcpProxy(`tcp://127.0.0.1:${postgres.port}`);
    url.host = proxy.host;
    replicas = await Promise.all([1, 2, 3].map(() => openReplica(url.href, sandbox.url)));
  });
  afterEach(async () => {
    sandbox.faults.clear();
    await Promise.all(replicas.map((replica) => replica.close()));
    await proxy.close();
  });
  const nth = (at: number): Replica => {
    const replica = replicas[at];
    if (replica === undefined) throw new Error(`no replica ${at}`);
    return replica;
  };
  const [one, two] = [() => nth(0), () => nth(1)];
  const sent = () => sandbox.calls.of("placeOrder").total;

  it(`send a key once that all are given at the same time, ${KEYS} times, and give the first outcome`, async () => {
    for (let round = 0; round < KEYS; round++) {
      const before = sent();
      const given = await Promise.all(
        [...replicas, ...replicas].map((replica) => replica.place(resting(`all-${process.pid}-${round}`))),
      );
      expect(sent() - before).toBe(1);
      expect(given.map(({ outcome }) => outcome)).toEqual(given.map(() => "ACCEPTED"));
      expect(new Set(given.map(({ reply }) => JSON.stringify(reply))).size).toBe(1);
      expect(given.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    }
  });

  it("show an order that another has sent once they have confirmed it under its key", async () => {
    const open = async () => {
      const { rows } = await readOpenOrders(
        new RequestReads(two().exchange),
        two().account,
        { category: "SPOT" },
        { first: 100 },
      );
      return rows.flatMap(({ row }) => (isRead(row) ? [row.clientOid] : []));
    };
    const clientOid = `shown-${process.pid}`;
    expect(await open()).not.toContain(clientOid);
    await one().place(resting(clientOid));
    expect(await two().place(resting(clientOid))).toMatchObject({ outcome: "ACCEPTED", isReplay: true });
    expect(await open()).toContain(clientOid);
  });

  it("wait for the process that has a write under way, without calls to the exchange", async () => {
    // Longer than it takes to be seen, shorter than the two seconds after which the other process asks itself.
    sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 1_000 }, times: 1 });
    const reads = () => sandbox.calls.of("orderInfo").total;
    const before = reads();
    const first = one().place(resting("slow"));
    await vi.waitFor(async () => expect(await two().exchange.writes.journal.open()).toHaveLength(1), {
      timeout: 20_000,
      interval: 20,
    });
    const second = await two().place(resting("slow"));
    expect([second.outcome, second.isReplay, second.reply]).toEqual(["ACCEPTED", true, (await first).reply]);
    expect(reads()).toBe(before);
  });

  it("refuse another input under a key that one of them has sent", async () => {
    await one().place(resting("mine"));
    const refused = await two().place(resting("mine", { qty: "0.002" }));
    expect(refused.problems.map(({ code }) => code)).toEqual(["IDEMPOTENCY_KEY_REUSED"]);
  });

  it("without it refuse what may add risk before anything leaves, go on reading and cancelling, and go on once it is back", async () => {
    await one().place(resting("rests"));
    proxy.breakDown();
    const before = sent();
    await expect(one().place(resting("refused"))).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    expect(sent()).toBe(before);
    const order = { category: "SPOT", symbol: "BTCUSDT", clientOid: "rests" } as const;
    const cancelled = await cancelOrder(writesOn(one().exchange), one().account, order);
    expect([cancelled.outcome, (cancelled.entry?.seq ?? 0) < 0]).toEqual(["ACCEPTED", true]);
    await expect(one().exchange.probe()).resolves.toBeUndefined();
    await expect(one().exchange.writes.journal.probe()).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    proxy.mend();
    await vi.waitFor(() => one().exchange.writes.journal.probe());
    expect((await one().place(resting("refused"))).outcome).toBe("ACCEPTED");
  });

  it.for([
    ["is slow", () => proxy.delay(100), "leaves"],
    ["is cut", () => proxy.cut(), "may leave"],
    ["carries nothing", () => proxy.freeze(), "stays"],
    ["loses its answers", () => proxy.deafen(), "stays"],
  ] as const)(
    "send an order at most once where the line to it %s, and go on reading",
    { timeout: 60_000 },
    async ([name, fault, may], { skip }) => {
      if (may === "stays" && LEFT_OUT !== undefined) skip(LEFT_OUT);
      const input = resting(`line-${name.replaceAll(" ", "-")}`);
      await one().place(resting("before"));
      const before = sent();
      fault();
      const first = await one()
        .place(input)
        .catch((error: unknown) => error);
      if (may === "leaves") expect(first).toMatchObject({ outcome: "ACCEPTED" });
      if (may === "stays") expect([first, sent()]).toEqual([expect.objectContaining({ code: "JOURNAL_UNAVAILABLE" }), before]);
      await expect(one().exchange.probe()).resolves.toBeUndefined();
      proxy.mend();
      // A client whose answer was that nothing has left sends the same again, here or elsewhere.
      for (const replica of [one(), two()])
        await vi.waitFor(async () => expect((await replica.place(input)).outcome).toBe("ACCEPTED"), 30_000);
      expect(sent()).toBe(before + 1);
    },
  );

  it.each([
    ["is cut", (line: TcpProxy) => line.cut()],
    ["carries nothing", (line: TcpProxy) => line.freeze()],
    ["loses its answers", (line: TcpProxy) => line.deafen()],
  ] as const)(
    "send an order once where the line of one of them to the exchange %s before the answer, and say the same of it at last",
    { timeout: 60_000 },
    async (name, fault) => {
      const line = await tcpProxy(sandbox.url);
      const apart = await openReplica(url.href, `http://${line.host}`, { deadlineMs: 1_000 });
      const input = resting(`apart-${name.replaceAll(" ", "-")}`);
      const before = sent();
      sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 300 }, times: 1 });
      const first = apart.place(input);
      // The exchange has it, and has not looked at it yet.
      await vi.waitFor(() => expect(sandbox.faults.rules).toEqual([]));
      fault(line);
      expect(["ACCEPTED", "UNKNOWN"]).toContain((await first).outcome);
      // The others go on meanwhile, and send nothing under its key.
      expect((await one().place(resting(`beside-${name.replaceAll(" ", "-")}`))).outcome).toBe("ACCEPTED");
      const second = two().place(input);
      line.mend();
      const third = await vi.waitFor(async () => {
        const said = await apart.place(input);
        expect(said.outcome).toBe("ACCEPTED");
        return said;
      }, 30_000);
      await second;
      expect(await two().place(input)).toMatchObject({ outcome: "ACCEPTED", isReplay: true, reply: third.reply });
      expect(sent()).toBe(before + 2);
      await apart.close();
      await line.close();
    },
  );

  describe("when trading is halted on one", () => {
    const halt = (replica: Replica) =>
      replica.exchange.writes.halts.halt({ account: null, since: Date.now(), by: "token:risk", reason: "enough" });
    const codesOf = async (replica: Replica, key: string) => (await replica.place(resting(key))).problems.map(({ code }) => code);

    it("send nothing from the moment on at which it is stored, even before they are notified, until it is ended", async () => {
      for (let round = 0; round < 3; round++) {
        expect(await halt(one())).toBe(true);
        const before = sent();
        expect(await Promise.all(replicas.map((replica) => codesOf(replica, `halted-${round}`)))).toEqual(
          replicas.map(() => ["TRADING_HALTED"]),
        );
        expect(sent()).toBe(before);
        expect(two().exchange.writes.halts.all.map(({ reason }) => reason)).toEqual(["enough"]);
        expect(await two().exchange.writes.halts.resume(null)).toBe(true);
        await vi.waitFor(() => expect(replicas.flatMap(({ exchange }) => exchange.writes.halts.all)).toEqual([]));
        expect((await one().place(resting(`halted-${round}`))).outcome).toBe("ACCEPTED");
      }
    });

    it("cancel what another has on its way when it is asked to cancel what is open", async () => {
      sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 300 }, times: 1 });
      const onItsWay = two().place(resting("on-its-way"));
      // Before it has been sent, a halt would refuse it.
      await vi.waitFor(() => expect(sandbox.faults.rules).toEqual([]));
      await halt(one());
      await cancelOpenOrders(writesOn(one().exchange), one().account);
      expect((await onItsWay).outcome).toBe("ACCEPTED");
      const { orders } = sandbox.world.state;
      expect([...orders.open(UID.main)].filter(({ clientOid }) => clientOid === "on-its-way")).toEqual([]);
      await one().exchange.writes.halts.resume(null);
    });

    it("is reported as not stored without the database, and is stored once that is back", async () => {
      proxy.breakDown();
      expect(await halt(one())).toBe(false);
      expect(one().exchange.writes.halts.all).toHaveLength(1);
      proxy.mend();
      await vi.waitFor(() => expect(two().exchange.writes.halts.all).toHaveLength(1), { timeout: 10_000 });
      await one().exchange.writes.halts.resume(null);
    });

    it("stays halted if the end cannot be stored, now and once the database is back", async () => {
      expect(await halt(two())).toBe(true);
      await vi.waitFor(() => expect(one().exchange.writes.halts.all).toHaveLength(1));
      proxy.breakDown();
      const refused = one().exchange.writes.halts.resume(null);
      await expect(refused).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
      expect(one().exchange.writes.halts.all).toHaveLength(1);
      proxy.mend();
      // Its reconnection stores what it could not store before.
      await vi.waitFor(() => one().place(resting("still-halted")), { timeout: 10_000 });
      expect(await codesOf(one(), "still-halted")).toEqual(["TRADING_HALTED"]);
      expect(await codesOf(two(), "still-halted")).toEqual(["TRADING_HALTED"]);
      expect(await one().exchange.writes.halts.resume(null)).toBe(true);
      await vi.waitFor(() => expect(two().exchange.writes.halts.all).toEqual([]));
    });
  });

  it("keep limits of the day together, to the last order", async () => {
    const limits = limitBook({ day: { coins: new Map([["BTC", "0.005"]]) } });
    const limited = await Promise.all([1, 2].map(() => openReplica(url.href, sandbox.url, { limits })));
    const before = sent();
    const given = await Promise.all(
      Array.from({ length: 12 }, (_, at) => limited[at % 2]?.place(resting(`day-${at}`))).map((placed) => placed),
    );
    expect(given.filter((result) => result?.outcome === "ACCEPTED")).toHaveLength(5);
    expect(sent() - before).toBe(5);
    const refusals = given.flatMap((result) => result?.problems ?? []);
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(["LIMIT_EXCEEDED"]));
    expect(refusals[0]?.message).toContain("must keep within 0.005 BTC on one day (UTC) (accounts.*.day.coins.BTC): 0.00");
    // What had no effect gives its room back.
    sandbox.faults.add({
      endpoint: "placeOrder",
      fault: { kind: "answer", status: 400, code: "25202", msg: "no", when: "before" },
      times: 1,
    });
    const more = await openReplica(url.href, sandbox.url, { limits: limitBook({ day: { coins: new Map([["BTC", "0.006"]]) } }) });
    expect((await more.place(resting("day-refused"))).outcome).toBe("REJECTED");
    await vi.waitFor(async () => expect((await more.place(resting("day-last"))).outcome).toBe("ACCEPTED"));
    expect((await more.place(resting("day-over"))).problems.map(({ code }) => code)).toEqual(["LIMIT_EXCEEDED"]);
    await Promise.all([more, ...limited].map((replica) => replica.close()));
  });
});

const limitBook = (all: TradingLimits): LimitBook => ({ accounts: new Map([["*", all]]), clients: new Map() });
