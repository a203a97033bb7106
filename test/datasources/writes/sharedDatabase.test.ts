import type { Sandbox } from "@exchange-graph/sandbox";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { RequestReads } from "../../../src/datasources/index.js";
import { cancelOrder } from "../../../src/datasources/writes/mutations/cancelOrder.js";
import { describeUnless } from "../../support/missing.js";
import { noPostgres, type Postgres, startPostgres } from "../../support/postgres.js";
import { type TcpProxy, tcpProxy } from "../../support/tcpProxy.js";
import { resting } from "./support/limitOrder.js";
import { openReplica, type Replica, startSharedSandbox } from "./support/replicas.js";

/** How often each key is given to every replica. */
const KEYS = Number.parseInt(process.env.SHARED_KEYS ?? "5", 10);

describeUnless(noPostgres(), "replicas on one database", () => {
  let postgres: Postgres;
  let sandbox: Sandbox;
  let proxy: TcpProxy;
  let replicas: readonly Replica[];
  beforeAll(async () => {
    [postgres, sandbox] = await Promise.all([startPostgres(), startSharedSandbox()]);
  });
  afterAll(async () => {
    await sandbox.close();
    await postgres.close();
  });
  beforeEach(async () => {
    const url = new URL(await postgres.create());
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

  it("wait for whoever has a write under way, and ask the exchange nothing about it", async () => {
    sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 400 }, times: 1 });
    const reads = () => sandbox.calls.of("orderInfo").total;
    const before = reads();
    const first = one().place(resting("slow"));
    await vi.waitFor(async () => expect(await two().exchange.writes.journal.open()).toHaveLength(1));
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
    const cancelled = await cancelOrder(new RequestReads(one().exchange), one().account, order);
    expect([cancelled.outcome, (cancelled.entry?.seq ?? 0) < 0]).toEqual(["ACCEPTED", true]);
    await expect(one().exchange.probe()).resolves.toBeUndefined();
    await expect(one().exchange.writes.journal.probe()).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    proxy.mend();
    await vi.waitFor(() => one().exchange.writes.journal.probe());
    expect((await one().place(resting("refused"))).outcome).toBe("ACCEPTED");
  });
});
