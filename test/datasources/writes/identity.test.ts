import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DataSource, type ExchangeAccount, Secret } from "../../../src/datasources/index.js";
import { type LimitBook, NO_LIMITS } from "../../../src/datasources/writes/limits/tradingLimits.js";
import { cancelOrder } from "../../../src/datasources/writes/mutations/cancelOrder.js";
import { type PlaceOrderInput, placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { readJournal } from "../../../src/datasources/writes/readJournal.js";
import { accountIn } from "../../support/exchangeOver.js";
import { tcpProxy } from "../../support/tcpProxy.js";
import { temporaryFiles } from "../../support/temporaryFiles.js";
import { writesOn } from "../../support/writesOn.js";
import { ordersNamed, resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

const newFile = temporaryFiles();

const [MAIN] = SANDBOX_CREDENTIALS;
if (MAIN === undefined) throw new Error("the sandbox has no keys");
/** Another key of the main account's user. */
const NEXT = { ...MAIN, key: "sandbox-main-next", secret: "sandbox-main-next-secret", passphrase: "mainnext1" };
const nextKey: ExchangeAccount = {
  name: "next",
  credentials: { apiKey: new Secret(NEXT.key), apiSecret: new Secret(NEXT.secret), passphrase: new Secret(NEXT.passphrase) },
  isCopyTrader: false,
};

let live: LiveExchange;
let journalPath: string;
const opened: DataSource[] = [];
beforeAll(async () => {
  live = await startLiveExchange({}, { credentials: [NEXT] });
});
beforeEach(() => {
  journalPath = newFile();
  live.sandbox.calls.clear();
});
afterEach(async () => {
  live.sandbox.faults.clear();
  for (const exchange of opened.splice(0)) await exchange.close();
  await live.pass(1_000);
});
afterAll(() => live.close());

const called = (name: string, of: "main" | "classic"): ExchangeAccount => {
  const { credentials, isCopyTrader } = live.account(of);
  return { name, credentials, isCopyTrader };
};

/** A gateway over the journal, which calls the exchange and its accounts as it likes. */
function gateway(
  accounts: readonly ExchangeAccount[],
  baseUrl = new URL(live.sandbox.url),
  path = journalPath,
  limits: LimitBook = NO_LIMITS,
): DataSource {
  const exchange = live.another({ accounts, baseUrl, journalPath: path, limits });
  opened.push(exchange);
  return exchange;
}
const place = (exchange: DataSource, name: string, input: PlaceOrderInput) =>
  live.during(placeOrder(writesOn(exchange), accountIn(exchange, name), input));
async function stopped(exchange: DataSource): Promise<void> {
  await exchange.close();
  opened.splice(opened.indexOf(exchange), 1);
}
const sent = () => live.sandbox.calls.of("placeOrder").total + live.sandbox.calls.of("classicPlaceSpotOrder").total;

describe("the user of a key", () => {
  it("is known once the mode of a unified account was read, by the same call", async () => {
    const exchange = gateway([called("main", "main")]);
    const main = accountIn(exchange, "main");
    expect(exchange.users.cachedUser(main)).toBeUndefined();
    expect(await live.during(exchange.modes.of(main))).toBe("UNIFIED");
    await expect.poll(() => exchange.users.cachedUser(main)).toBe(UID.main);
    expect(live.sandbox.calls.of("accountSettings").total).toBe(1);
  });

  it("is stored for every form of the exchange's address, and every route to it", async () => {
    const first = gateway([called("main", "main")]);
    const { reply } = await place(first, "main", resting("once"));
    await stopped(first);
    const proxy = await tcpProxy(live.sandbox.url);
    const { url } = live.sandbox;
    for (const written of [`${url}//`, url.replace("127.0.0.1", "LOCALHOST"), `http://${proxy.host}`]) {
      const next = gateway([called("main", "main")], new URL(written));
      expect(await place(next, "main", resting("once"))).toMatchObject({ outcome: "ACCEPTED", reply });
      await stopped(next);
    }
    await proxy.close();
    expect(sent()).toBe(1);
  });

  it.each(["main", "classic"] as const)("is stored for the account %s under another name, and for no other one", async (of) => {
    const other = of === "main" ? "classic" : "main";
    const first = gateway([called("before", of), called("beside", other)]);
    await place(first, "before", resting(`renamed-${of}`));
    await stopped(first);
    // Each has the name now that the other one had.
    const second = gateway([called("before", other), called("beside", of)]);
    expect((await place(second, "beside", resting(`renamed-${of}`))).outcome).toBe("ACCEPTED");
    expect(sent()).toBe(1);
    expect((await place(second, "before", resting(`renamed-${of}`))).outcome).toBe("ACCEPTED");
    expect(
      [ordersNamed(live, `renamed-${of}`, "main"), ordersNamed(live, `renamed-${of}`, "classic")].map(({ length }) => length),
    ).toEqual([1, 1]);
  });

  it("is one thing for two accounts of one user, at the same time as well", async () => {
    const exchange = gateway([called("one", "main"), called("other", "main")]);
    const results = await Promise.all(["one", "other", "one", "other"].map((name) => place(exchange, name, resting("twice"))));
    expect(new Set(results.map(({ reply }) => reply?.orderId)).size).toBe(1);
    expect(sent()).toBe(1);
  });
});

describe("whose a key of the exchange is", () => {
  const asked = () => live.sandbox.calls.of("classicAccount").total;

  it("is asked once, and not again after a restart", async () => {
    const first = gateway([called("classic", "classic")]);
    await Promise.all(["a1", "b1", "c1"].map((name) => place(first, "classic", resting(name))));
    await stopped(first);
    await place(gateway([called("renamed", "classic")]), "renamed", resting("d1"));
    expect(asked()).toBe(1);
  });

  it("is known without the exchange once it has been read: a repeated key gets its outcome without an answer", async () => {
    const first = gateway([called("main", "main")]);
    const before = await place(first, "main", resting("kept"));
    await stopped(first);
    const unreachable = gateway([called("renamed", "main")], new URL("http://127.0.0.1:1"));
    expect(await place(unreachable, "renamed", resting("kept"))).toMatchObject({ outcome: "ACCEPTED", reply: before.reply });
  });

  it("is read when the key is checked, so that the journal can be read without the exchange", async () => {
    const exchange = gateway([called("main", "main"), called("classic", "classic")]);
    await exchange.checkKeys();
    for (const account of exchange.accounts) await expect.poll(() => exchange.users.cachedUser(account)).toBeDefined();
    live.sandbox.faults.add({ endpoint: "classicAccount", fault: { kind: "reset" } });
    live.sandbox.faults.add({ endpoint: "accountSettings", fault: { kind: "reset" } });
    for (const account of exchange.accounts)
      expect(await readJournal(writesOn(exchange), account, { first: 1 })).toMatchObject({ rows: [] });
  });

  it("is read for another key of the same user, which then has the writes of the first", async () => {
    const first = gateway([called("main", "main")]);
    await place(first, "main", resting("rotated"));
    await stopped(first);
    expect((await place(gateway([nextKey]), "next", resting("rotated"))).outcome).toBe("ACCEPTED");
    expect(sent()).toBe(1);
  });

  it("holds up what may not leave twice as long as the exchange cannot be asked", async () => {
    const silence = live.sandbox.faults.add({ endpoint: "classicAccount", fault: { kind: "reset" } });
    const exchange = gateway([called("classic", "classic")]);
    await expect(place(exchange, "classic", resting("early"))).rejects.toThrow("the connection broke");
    expect(sent()).toBe(0);
    live.sandbox.faults.remove(silence);
    expect((await place(exchange, "classic", resting("early"))).outcome).toBe("ACCEPTED");
  });

  it("does not hold up a cancel, which is found in the journal once it is known", async () => {
    const first = gateway([called("classic", "classic")]);
    await place(first, "classic", resting("risky"));
    const silence = live.sandbox.faults.add({ endpoint: "classicAccount", fault: { kind: "reset" } });
    const second = gateway([called("classic", "classic")], undefined, newFile("another.sqlite"));
    const account = accountIn(second, "classic");
    const cancel = { category: "SPOT", symbol: "BTCUSDT", clientOid: "risky", idempotencyKey: "stop" } as const;
    const once = await live.during(cancelOrder(writesOn(second), account, cancel));
    expect(once.outcome).toBe("ACCEPTED");
    live.sandbox.faults.remove(silence);
    expect(await live.during(cancelOrder(writesOn(second), account, cancel))).toMatchObject({ reply: once.reply });
    expect(live.sandbox.calls.of("classicCancelSpotOrder").total).toBe(1);
  });

  it("without read permission is its own user: stored under any name", async () => {
    const fault = { kind: "answer", status: 400, code: "40014", msg: "Incorrect permissions" } as const;
    live.sandbox.faults.add({ endpoint: "classicAccount", fault });
    const first = gateway([called("classic", "classic")]);
    await place(first, "classic", resting("narrow"));
    await stopped(first);
    expect((await place(gateway([called("renamed", "classic")]), "renamed", resting("narrow"))).outcome).toBe("ACCEPTED");
    expect(sent()).toBe(1);
    live.sandbox.faults.clear();
    const allowed = gateway([called("renamed", "classic")]);
    expect((await place(allowed, "renamed", resting("narrow"))).outcome).toBe("ACCEPTED");
    expect(sent()).toBe(1);
    expect((await allowed.writes.journal.find(UID.classic, "narrow"))?.state).toBe("ACCEPTED");
  });
});

describe("what a process has left open", () => {
  it("is settled by the account of its user under any name, and not by one that has its name", async () => {
    const first = gateway([called("before", "main"), called("beside", "classic")]);
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "lost-reply" }, times: 1 });
    const silence = live.sandbox.faults.add({ endpoint: "orderInfo", fault: { kind: "reset" } });
    expect((await place(first, "before", resting("open"))).outcome).toBe("UNKNOWN");
    await stopped(first);
    live.sandbox.faults.remove(silence);
    const second = gateway([called("before", "classic"), called("beside", "main")]);
    await second.writes.writer.resume();
    await live.pass(3_000);
    expect((await second.writes.journal.find(UID.main, "open"))?.state).toBe("ACCEPTED");
  });

  it("waits for an account whose user is found out later", async () => {
    const first = gateway([called("main", "main")]);
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "lost-reply" }, times: 1 });
    live.sandbox.faults.add({ endpoint: "orderInfo", fault: { kind: "reset" } });
    await place(first, "main", resting("later"));
    await stopped(first);
    live.sandbox.faults.clear();
    live.sandbox.faults.add({ endpoint: "accountSettings", fault: { kind: "reset" }, times: 3 });
    const second = gateway([nextKey]);
    await second.writes.writer.resume();
    await live.pass(8_000);
    expect((await second.writes.journal.find(UID.main, "later"))?.state).toBe("ACCEPTED");
  });
});

describe("a halt", () => {
  const HALT = { since: 1_000, by: "operator", reason: null };
  const halt = (exchange: DataSource, name: string) =>
    exchange.writes.halts.halt({ ...HALT, account: exchange.account(name) ?? null });
  const outcome = async (exchange: DataSource, name: string, order: string) => {
    const { problems, outcome } = await place(exchange, name, resting(order));
    return problems[0]?.code ?? outcome;
  };

  it.each(["main", "classic"] as const)("of %s holds under another name, under another key, and of no other user", async (of) => {
    const other = of === "main" ? "classic" : "main";
    const first = gateway([called("before", of), called("beside", other)]);
    await place(first, "before", resting(`first-${of}`));
    await halt(first, "before");
    expect(await outcome(first, "before", `second-${of}`)).toBe("TRADING_HALTED");
    await stopped(first);
    const swapped = gateway([called("before", other), called("beside", of)]);
    expect(await outcome(swapped, "beside", `third-${of}`)).toBe("TRADING_HALTED");
    expect(await outcome(swapped, "before", `fourth-${of}`)).toBe("ACCEPTED");
    await stopped(swapped);
    if (of === "classic") return;
    const rotated = gateway([nextKey]);
    expect(await outcome(rotated, "next", "fifth")).toBe("TRADING_HALTED");
    await rotated.writes.halts.resume(rotated.account("next") ?? null);
    expect([await outcome(rotated, "next", "fifth"), rotated.writes.halts.all]).toEqual(["ACCEPTED", []]);
  });

  it("of an account holds when it is renamed while the gateway runs", async () => {
    const exchange = gateway([called("before", "main")]);
    await halt(exchange, "before");
    exchange.directory.replace([called("after", "main")]);
    expect(await outcome(exchange, "after", "renamed-live")).toBe("TRADING_HALTED");
  });

  it("holds though the exchange cannot be asked whose the account is, and is that user's once it can", async () => {
    const silence = live.sandbox.faults.add({ endpoint: "classicAccount", fault: { kind: "reset" } });
    const first = gateway([called("classic", "classic")]);
    expect(await halt(first, "classic")).toBe(true);
    await expect(live.during(first.users.of(first.account("classic") ?? nextKey))).rejects.toThrow("the connection broke");
    await stopped(first);
    const second = gateway([called("renamed", "classic")]);
    expect(second.writes.halts.of(second.account("renamed") ?? nextKey)).toMatchObject({ account: "classic" });
    live.sandbox.faults.remove(silence);
    expect(await outcome(second, "renamed", "asked")).toBe("TRADING_HALTED");
    expect(second.writes.halts.all).toMatchObject([{ user: UID.classic, account: "classic" }]);
  });
});

describe("what is used of limits", () => {
  const limits = { accounts: new Map([["*", { day: { coins: new Map([["BTC", "0.002"]]) } }]]), clients: new Map() };

  it("is the user's: another name begins with it, and two names of one user share it", async () => {
    const first = gateway([called("one", "main"), called("two", "main")], undefined, undefined, limits);
    expect((await place(first, "one", resting("used-1"))).outcome).toBe("ACCEPTED");
    expect((await place(first, "two", resting("used-2"))).outcome).toBe("ACCEPTED");
    const over = { code: "LIMIT_EXCEEDED", message: expect.stringContaining("0.002 are used, and this adds 0.001") };
    expect((await place(first, "one", resting("used-3"))).problems).toMatchObject([over]);
    await stopped(first);
    const second = gateway([called("three", "main"), called("one", "classic")], undefined, undefined, limits);
    expect((await place(second, "three", resting("used-3"))).problems).toMatchObject([over]);
    expect((await place(second, "one", resting("used-4"))).outcome).toBe("ACCEPTED");
  });
});
