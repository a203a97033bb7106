import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SANDBOX_CREDENTIALS, startSandbox } from "@exchange-graph/sandbox";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Transport } from "../../../src/datasources/calls/client/transport.js";
import type { ExchangeAccount, RequestWrites } from "../../../src/datasources/index.js";
import { setLeverage } from "../../../src/datasources/writes/mutations/accountSettings.js";
import { cancelOrder } from "../../../src/datasources/writes/mutations/cancelOrder.js";
import { modifyOrder } from "../../../src/datasources/writes/mutations/modifyOrder.js";
import { type PlaceOrderInput, placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { placeTpslOrder } from "../../../src/datasources/writes/mutations/placeTpslOrder.js";
import { inNode } from "../../support/shortLived.js";
import { writesOn } from "../../support/writesOn.js";
import { fastClock } from "./support/fastClock.js";
import { sendFirst } from "./support/firstCall.js";
import { ordersNamed, place, resting } from "./support/limitOrder.js";
import { type AccountName, type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";
import { repeatingLine } from "./support/repeatingLine.js";

let live: LiveExchange;
beforeEach(async () => {
  live = await startLiveExchange();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await live.close();
});

const entryOf = async (key: string) =>
  (await live.exchange.writes.journal.page(UID.main, undefined, 50)).find((entry) => entry.key === key);
const sent = () => live.sandbox.calls.latest().filter(({ endpoint }) => endpoint === "placeOrder").length;

describe("a write", () => {
  it("is signed for the moment that its journal entry carries, however long the journal took", async () => {
    const { journal } = live.exchange.writes;
    const record = journal.record.bind(journal);
    vi.spyOn(journal, "record").mockImplementation(async (entry) => {
      const recorded = await record(entry);
      live.clock.advance(3_000);
      return recorded;
    });
    const send = vi.spyOn(Transport.prototype, "send");
    expect((await live.during(place(live, resting("slow-disk")))).outcome).toBe("ACCEPTED");
    const order = send.mock.calls.map(([call]) => call).find(({ target }) => target.endsWith("place-order"));
    const headers = order?.headers ?? [];
    const timestamp = headers[headers.indexOf("ACCESS-TIMESTAMP") + 1] ?? "";
    expect(timestamp).toBe(String((await entryOf("slow-disk"))?.sentAt));
    expect(live.clock.now() - Number.parseInt(timestamp, 10)).toBeGreaterThanOrEqual(3_000);
  });

  it("whose deadline has passed before it could leave is not sent, and its key is free", async () => {
    const { journal } = live.exchange.writes;
    const record = journal.record.bind(journal);
    vi.spyOn(journal, "record").mockImplementationOnce(async (entry) => {
      const recorded = await record(entry);
      live.clock.advance(10_000);
      return recorded;
    });
    const refused = live.during(place(live, resting("stopped")));
    await expect(refused).rejects.toThrow("place order: the deadline passed before it could be sent; nothing was sent");
    expect([sent(), (await entryOf("stopped"))?.state]).toEqual([0, "UNSENT"]);
    expect((await live.during(place(live, resting("stopped")))).outcome).toBe("ACCEPTED");
  });

  it.each([
    ["after its effect", "after", "ACCEPTED", 1],
    ["before it", "before", "REJECTED", 0],
  ] as const)("whose timestamp is refused %s is looked up and not sent again", async (words, when, state, orders) => {
    const fault = { kind: "answer", status: 400, code: "40008", msg: "Request timestamp expired", when } as const;
    live.sandbox.faults.add({ endpoint: "placeOrder", fault, times: 1 });
    const name = words.replaceAll(" ", "-");
    await live.during(place(live, resting(name)));
    await live.pass(40_000);
    expect([(await entryOf(name))?.state, ordersNamed(live, name).length, sent()]).toEqual([state, orders, 1]);
    if (state === "REJECTED") expect((await entryOf(name))?.problem?.exchange?.code).toBe("40008");
  });

  it("that the line carries a second time half a minute later is one order", async () => {
    const halfAMinute = () => new Promise<void>((over) => live.clock.after(31_000, over));
    const line = await repeatingLine(new URL(live.sandbox.url), halfAMinute);
    const exchange = live.another({ baseUrl: line.url, deadlineMs: 90_000 });
    const account = live.account("main");
    const market = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "market", quoteQty: "100" } as const;
    const { outcome } = await live.during(placeOrder(writesOn(exchange), account, { ...market, clientOid: "echo" }));
    expect([outcome, ordersNamed(live, "echo").map(({ status }) => status)]).toEqual(["ACCEPTED", ["filled"]]);
    await exchange.close();
    await line.close();
  });

  it("is signed by the exchange's clock, though it is the first call of all and the machine's clock is off", async () => {
    const clock = { ...live.clock, now: () => live.clock.now() - 45_000, after: live.clock.after.bind(live.clock) };
    const exchange = live.another({ clock });
    const { outcome, entry } = await live.during(sendFirst(exchange, live.account("main")));
    expect(outcome).toBe("ACCEPTED");
    expect(Math.abs((entry?.sentAt ?? 0) - live.clock.now())).toBeLessThan(1_000);
    await exchange.close();
  });
});

describe("a line that carries everything twice", () => {
  const SPOT = { category: "SPOT", symbol: "BTCUSDT" } as const;
  const FUTURES = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
  const named = { clientOid: "meant" };
  const open = (account: AccountName, more: Partial<PlaceOrderInput> = {}) =>
    live.during(place(live, resting("meant", more), account));
  const long = { ...FUTURES, orderType: "market", price: null, qty: "0.01" } as const;
  const leave = async (account: AccountName): Promise<void> => {
    await open(account, { ...long, clientOid: "long" });
    const tpsl = { ...FUTURES, ...named, planType: "pos_profit", posSide: "long", triggerPrice: "200000" } as const;
    expect((await live.during(placeTpslOrder(live.writes(), live.account(account), tpsl))).outcome).toBe("ACCEPTED");
  };

  /** What there is, and what is done to it over the line. */
  const ROWS: readonly (readonly [
    string,
    AccountName,
    () => Promise<unknown>,
    (account: ExchangeAccount, writes: RequestWrites) => Promise<{ readonly outcome: unknown }>,
  ])[] = [
    ["a unified cancel", "main", () => open("main"), (account, writes) => cancelOrder(writes, account, { ...SPOT, ...named })],
    [
      "a Classic spot cancel",
      "classic",
      () => open("classic"),
      (account, writes) => cancelOrder(writes, account, { ...SPOT, ...named }),
    ],
    [
      "a Classic futures cancel",
      "classic",
      () => open("classic", { ...FUTURES, qty: "0.01" }),
      (account, writes) => cancelOrder(writes, account, { ...FUTURES, ...named }),
    ],
    [
      "a unified cancel of a take-profit",
      "main",
      () => leave("main"),
      (account, writes) => cancelOrder(writes, account, { ...FUTURES, ...named, kind: "PLAN_ORDER" }),
    ],
    [
      "a Classic cancel of a take-profit",
      "classic",
      () => leave("classic"),
      (account, writes) => cancelOrder(writes, account, { ...FUTURES, ...named, kind: "PLAN_ORDER" }),
    ],
    [
      "a unified change",
      "main",
      () => open("main"),
      (account, writes) => modifyOrder(writes, account, { ...SPOT, ...named, qty: "0.001", price: "59000" }),
    ],
    [
      "a Classic spot change",
      "classic",
      () => open("classic"),
      (account, writes) => modifyOrder(writes, account, { ...SPOT, ...named, qty: "0.001", price: "59000" }),
    ],
    [
      "a Classic futures change",
      "classic",
      () => open("classic", { ...FUTURES, qty: "0.01" }),
      (account, writes) => modifyOrder(writes, account, { ...FUTURES, ...named, qty: "0.01", price: "59000" }),
    ],
    [
      "a Classic setting",
      "classic",
      async () => undefined,
      (account, writes) => setLeverage(writes, account, { ...FUTURES, leverage: "7" }),
    ],
  ];
  it.each(ROWS)("does not make %s a refusal: it took effect the first time", async (_, account, prepare, write) => {
    await prepare();
    const line = await repeatingLine(new URL(live.sandbox.url), async () => undefined);
    const exchange = live.another({ baseUrl: line.url });
    const result = await live.during(write(live.account(account), writesOn(exchange)));
    expect(result).toMatchObject({ outcome: "ACCEPTED", problems: [] });
    await exchange.close();
    await line.close();
  });

  it("leaves a refusal of the exchange's own what it is", async () => {
    await open("main", { ...long, clientOid: "meant" });
    const cancel = { ...FUTURES, ...named };
    const notFound = { outcome: "REJECTED", problems: [{ code: "ORDER_NOT_FOUND", exchange: { code: "25204" } }] };
    expect(await live.during(cancelOrder(live.writes(), live.account("main"), cancel))).toMatchObject(notFound);
    const unknown = { ...FUTURES, orderId: "1391230000000009999" };
    expect(await live.during(cancelOrder(live.writes(), live.account("main"), unknown))).toMatchObject(notFound);
  });
});

const BUILT = existsSync(join(import.meta.dirname, "../../../dist/src/datasources/writes/writer.js"));

describe("a process that is stopped between its journal and the exchange", () => {
  it.skipIf(!BUILT)("sends nothing any more when it goes on", async () => {
    const time = { from: Date.UTC(2026, 0, 5, 12), since: Date.now(), factor: 20 };
    const sandbox = await startSandbox({ clock: fastClock(time), seed: "stopped", hasPast: false });
    const [credential] = SANDBOX_CREDENTIALS;
    const argument = JSON.stringify({ url: sandbox.url, credential, time });
    const [program, ...words] = inNode(join(import.meta.dirname, "support/stoppedWriter.mjs"), argument);
    const child = spawn(program, words, {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("stopping");
    // 36 seconds of its clock.
    await new Promise((resolve) => setTimeout(resolve, 1_800));
    child.kill("SIGCONT");
    expect((await lines.next()).value).toContain("nothing was sent");
    await once(child, "exit");
    expect(sandbox.calls.of("placeOrder").total).toBe(0);
    await sandbox.close();
  });
});
