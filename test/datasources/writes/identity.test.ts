import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createExchange, type Exchange, type ExchangeAccount, RequestReads, Secret } from "../../../src/datasources/index.js";
import { cancelOrder } from "../../../src/datasources/writes/mutations/cancelOrder.js";
import { type PlaceOrderInput, placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { tcpProxy } from "../../support/tcpProxy.js";
import { ordersNamed, resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

const folder = mkdtempSync(join(tmpdir(), "identity-"));
afterAll(() => rmSync(folder, { recursive: true }));

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
let files = 0;
const opened: Exchange[] = [];
beforeAll(async () => {
  live = await startLiveExchange({}, { credentials: [NEXT] });
});
beforeEach(() => {
  journalPath = join(folder, `${files++}.sqlite`);
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
function gateway(accounts: readonly ExchangeAccount[], baseUrl = new URL(live.sandbox.url), path = journalPath): Exchange {
  const exchange = createExchange({
    ...{ baseUrl, accounts, demo: false, deadlineMs: 10_000, connections: 8, cacheEntries: 1_000 },
    ...{ random: () => 0.5, clock: live.clock, journalPath: path },
  });
  opened.push(exchange);
  return exchange;
}
const place = (exchange: Exchange, name: string, input: PlaceOrderInput) => {
  const account = exchange.account(name);
  if (account === undefined) throw new Error(`no account ${name}`);
  return live.during(placeOrder(new RequestReads(exchange), account, input));
};
async function stopped(exchange: Exchange): Promise<void> {
  await exchange.close();
  opened.splice(opened.indexOf(exchange), 1);
}
const sent = () => live.sandbox.calls.of("placeOrder").total + live.sandbox.calls.of("classicPlaceSpotOrder").total;

describe("what a key stands for", () => {
  it("is remembered however the exchange's address is written, and whatever way it is reached", async () => {
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

  it.each(["main", "classic"] as const)("is remembered of the account %s under another name, and of no other one", async (of) => {
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

  it("is known without the exchange, once it has been asked: a repeated key gets its outcome though nobody answers", async () => {
    const first = gateway([called("main", "main")]);
    const before = await place(first, "main", resting("kept"));
    await stopped(first);
    const unreachable = gateway([called("renamed", "main")], new URL("http://127.0.0.1:1"));
    expect(await place(unreachable, "renamed", resting("kept"))).toMatchObject({ outcome: "ACCEPTED", reply: before.reply });
  });

  it("is found out for another key of the same user, which then knows what was sent with the first", async () => {
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
    const second = gateway([called("classic", "classic")], undefined, join(folder, "another.sqlite"));
    const [account] = second.accounts;
    if (account === undefined) throw new Error("no account");
    const cancel = { category: "SPOT", symbol: "BTCUSDT", clientOid: "risky", idempotencyKey: "stop" } as const;
    const once = await live.during(cancelOrder(new RequestReads(second), account, cancel));
    expect(once.outcome).toBe("ACCEPTED");
    live.sandbox.faults.remove(silence);
    expect(await live.during(cancelOrder(new RequestReads(second), account, cancel))).toMatchObject({ reply: once.reply });
    expect(live.sandbox.calls.of("classicCancelSpotOrder").total).toBe(1);
  });

  it("that may not ask is its own: remembered under any name", async () => {
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
  it("is settled by the account of its user, whatever that is called now, and not by one that has its name", async () => {
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
