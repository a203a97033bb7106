import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { afterEach, describe, expect, it } from "vitest";
import { type ExchangeAccount, Secret } from "../../../src/datasources/index.js";
import { readEveryOpenOrder } from "../../../src/datasources/queries/openOrders.js";
import { placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

let live: LiveExchange;
afterEach(() => live.close());

const [MAIN, CLASSIC] = SANDBOX_CREDENTIALS;
if (MAIN === undefined || CLASSIC === undefined) throw new Error("the sandbox has no keys");
const NEXT = { ...MAIN, key: "sandbox-main-next", secret: "sandbox-main-next-secret", passphrase: "mainnext1" };
const named = (name: string, { key, secret, passphrase }: typeof MAIN): ExchangeAccount => ({
  name,
  credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
  isCopyTrader: false,
});
const account = (name: string): ExchangeAccount => {
  const found = live.exchange.account(name);
  if (found === undefined) throw new Error(`no account ${name}`);
  return found;
};
const start = async (accounts: readonly ExchangeAccount[]) => {
  live = await startLiveExchange({ accounts }, { credentials: [...SANDBOX_CREDENTIALS, NEXT] });
};
const open = async (name: string) =>
  (await live.during(readEveryOpenOrder(live.reads(), account(name)))).map((row) => ("clientOid" in row ? row.clientOid : row));
const violations = async (): Promise<unknown> => {
  const counted = (await (await fetch(`${live.sandbox.url}/sandbox/calls`)).json()) as { readonly violations: unknown };
  return counted.violations;
};

describe("two names of one user", () => {
  it.each([
    ["with one key", MAIN],
    ["with two keys", NEXT],
  ])("%s share its rate limits: sixty orders at once, and none is refused", async (_, key) => {
    await start([named("one", MAIN), named("two", key)]);
    const orders = Array.from({ length: 60 }, (_none, at) =>
      placeOrder(live.reads(), account(at % 2 === 0 ? "one" : "two"), resting(`order-${at}`)),
    );
    const outcomes = (await live.during(Promise.all(orders))).map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(["ACCEPTED"]));
    expect(await violations()).toEqual(0);
  });

  it("count together from before it is known that they are one", async () => {
    await start([named("one", MAIN), named("two", NEXT)]);
    const { scheduler, known, writes } = live.exchange;
    const rate = { limit: 10, windowMs: 1_000, per: "UID" } as const;
    const acquire = (name: string) =>
      scheduler.acquire("probe", known.idOf(account(name)), rate, "read", live.clock.now() + 60_000);
    const sent = await Promise.all(Array.from({ length: 12 }, (_none, at) => acquire(at % 2 === 0 ? "one" : "two")));
    const waiting = Array.from({ length: 6 }, () => acquire("one"));
    await live.during(Promise.all(["one", "two"].map((name) => writes.users.of(account(name)))));
    const shared = scheduler.buckets().filter(({ endpoint }) => endpoint === "probe");
    expect(shared).toMatchObject([{ counter: known.idOf(account("two")), left: 0 }]);
    for (const permit of sent) permit.settle();
    live.clock.advance(1_010);
    for (const permit of await Promise.all(waiting)) permit.settle();
    expect(scheduler.buckets().filter(({ endpoint }) => endpoint === "probe")).toMatchObject([{ left: 4 }]);
  });

  it("see each other's writes at once", async () => {
    await start([named("one", MAIN), named("two", NEXT)]);
    await live.during(Promise.all(["one", "two"].map((name) => live.exchange.writes.users.of(account(name)))));
    expect([await open("one"), await open("two")]).toEqual([[], []]);
    await live.during(placeOrder(live.reads(), account("two"), resting("mine")));
    expect([await open("one"), await open("two")]).toEqual([["mine"], ["mine"]]);
  });
});

describe("a write whose answer was lost", () => {
  const lose = async () => {
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "lost-reply" }, times: 1 });
    live.sandbox.faults.add({ endpoint: "orderInfo", fault: { kind: "reset" } });
    const { entry } = await live.during(placeOrder(live.reads(), account("one"), resting("lost")));
    live.sandbox.faults.clear();
    expect(entry?.state).toBe("UNKNOWN");
    return entry;
  };
  const settled = async () => (await live.exchange.writes.journal.page(UID.main, undefined, 1))[0]?.state;

  it("is looked up for its user after that was renamed", async () => {
    await start([named("one", MAIN)]);
    await lose();
    live.exchange.directory.replace([named("renamed", MAIN)]);
    await live.pass(60_000);
    expect(await settled()).toBe("ACCEPTED");
  });

  it("is not taken for refused because another user, who has its name by now, knows nothing of it", async () => {
    await start([named("one", MAIN), named("two", CLASSIC)]);
    await live.during(Promise.all(["one", "two"].map((name) => live.exchange.writes.users.of(account(name)))));
    await lose();
    live.exchange.directory.replace([named("one", CLASSIC), named("two", MAIN)]);
    await live.pass(60_000);
    expect(await settled()).toBe("ACCEPTED");
  });
});
