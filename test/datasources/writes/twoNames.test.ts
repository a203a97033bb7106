import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { afterEach, describe, expect, it } from "vitest";
import { Fault } from "../../../src/datasources/errors/fault.js";
import type { ExchangeAccount, ExchangeSettings } from "../../../src/datasources/index.js";
import { readEveryOpenOrder } from "../../../src/datasources/reads/queries/openOrders.js";
import { cancelOrder } from "../../../src/datasources/writes/mutations/cancelOrder.js";
import { placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { accountIn, sandboxAccount as named } from "../../support/exchangeOver.js";
import { temporaryFiles } from "../../support/temporaryFiles.js";
import { resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

const newFile = temporaryFiles();
let live: LiveExchange;
afterEach(() => live.close());

const [MAIN, CLASSIC] = SANDBOX_CREDENTIALS;
if (MAIN === undefined || CLASSIC === undefined) throw new Error("the sandbox has no keys");
const NEXT = { ...MAIN, key: "sandbox-main-next", secret: "sandbox-main-next-secret", passphrase: "mainnext1" };
const CLASSIC_NEXT = { ...CLASSIC, key: "sandbox-classic-next", secret: "sandbox-classic-next-secret", passphrase: "classic1" };
const account = (name: string): ExchangeAccount => accountIn(live.exchange, name);
const start = async (accounts: readonly ExchangeAccount[], settings: Partial<ExchangeSettings> = {}) => {
  const credentials = [...SANDBOX_CREDENTIALS, NEXT, CLASSIC_NEXT];
  live = await startLiveExchange({ accounts, ...settings }, { credentials });
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
      placeOrder(live.writes(), account(at % 2 === 0 ? "one" : "two"), resting(`order-${at}`)),
    );
    const outcomes = (await live.during(Promise.all(orders))).map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(["ACCEPTED"]));
    expect(await violations()).toEqual(0);
  });

  it("count together from before it is known that they are one", async () => {
    await start([named("one", MAIN), named("two", NEXT)]);
    const { scheduler, knownUsers: known, users } = live.exchange;
    const rate = { limit: 10, windowMs: 1_000, per: "UID" } as const;
    const acquire = (name: string) =>
      scheduler.acquire("probe", known.idOf(account(name)), rate, "read", live.clock.now() + 60_000);
    const sent = await Promise.all(Array.from({ length: 12 }, (_none, at) => acquire(at % 2 === 0 ? "one" : "two")));
    const waiting = Array.from({ length: 6 }, () => acquire("one"));
    await live.during(Promise.all(["one", "two"].map((name) => users.of(account(name)))));
    const shared = scheduler.buckets().filter(({ endpoint }) => endpoint === "probe");
    expect(shared).toMatchObject([{ counter: known.idOf(account("two")), left: 0 }]);
    for (const permit of sent) permit.settle();
    live.clock.advance(1_010);
    for (const permit of await Promise.all(waiting)) permit.settle();
    expect(scheduler.buckets().filter(({ endpoint }) => endpoint === "probe")).toMatchObject([{ left: 4 }]);
  });

  it("exceed no limit of a Classic user while it is asked whose keys they are", async () => {
    await start([named("one", CLASSIC), named("two", CLASSIC_NEXT)]);
    const { writes, knownUsers: known } = live.exchange;
    const orders = (["one", "two"] as const).map((name) => placeOrder(live.writes(), account(name), resting(`first-${name}`)));
    await live.during(live.exchange.checkKeys());
    const outcomes = (await live.during(Promise.all(orders))).map(({ outcome }) => outcome);
    await live.during(Promise.all(["one", "two"].map((name) => writes.users.of(account(name)))));
    expect(outcomes).toEqual(["ACCEPTED", "ACCEPTED"]);
    expect(["one", "two"].map((name) => known.cachedUser(account(name)))).toEqual([UID.classic, UID.classic]);
    expect(live.sandbox.calls.of("classicAccount")).toMatchObject({ total: 2, limited: 0 });
    expect(await violations()).toEqual(0);
  });

  it("are both halted by a halt of one that is removed before its user was known", async () => {
    await start([named("one", MAIN), named("two", NEXT)]);
    const unanswered = live.sandbox.faults.add({ endpoint: "accountSettings", fault: { kind: "reset" } });
    const { halts } = live.exchange.writes;
    await halts.halt({ account: account("two"), since: live.clock.now(), by: null, reason: null });
    await live.pass(2_000);
    expect(live.exchange.knownUsers.cachedUser(account("two"))).toBeUndefined();
    live.sandbox.faults.remove(unanswered);
    await live.during(live.exchange.replaceAccounts([named("one", MAIN)], 3_000));
    const { outcome, problems } = await live.during(placeOrder(live.writes(), account("one"), resting("after")));
    expect([outcome, problems.map(({ code }) => code)]).toEqual(["REJECTED", ["TRADING_HALTED"]]);
  });

  it("see each other's writes at once", async () => {
    await start([named("one", MAIN), named("two", NEXT)]);
    await live.during(Promise.all(["one", "two"].map((name) => live.exchange.users.of(account(name)))));
    expect([await open("one"), await open("two")]).toEqual([[], []]);
    await live.during(placeOrder(live.writes(), account("two"), resting("mine")));
    expect([await open("one"), await open("two")]).toEqual([["mine"], ["mine"]]);
  });
});

describe("a write whose answer was lost", () => {
  const lose = async () => {
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "lost-reply" }, times: 1 });
    live.sandbox.faults.add({ endpoint: "orderInfo", fault: { kind: "reset" } });
    const { entry } = await live.during(placeOrder(live.writes(), account("one"), resting("lost")));
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
    await live.during(Promise.all(["one", "two"].map((name) => live.exchange.users.of(account(name)))));
    await lose();
    live.exchange.directory.replace([named("one", CLASSIC), named("two", MAIN)]);
    await live.pass(60_000);
    expect(await settled()).toBe("ACCEPTED");
  });
});

describe.each([
  ["unified", MAIN, NEXT, CLASSIC, "accountSettings"],
  ["Classic", CLASSIC, CLASSIC_NEXT, MAIN, "classicAccount"],
] as const)("while it is not known whose a halted %s account is", (_, key, otherKey, strangersKey, identifying) => {
  const HALT = { since: 1_000, by: "operator", reason: null };
  const accounts = [named("one", key), named("two", otherKey), named("stranger", strangersKey)];
  const users = () => live.exchange.users;
  const halts = () => live.exchange.writes.halts;
  const halt = (name: string) => halts().halt({ ...HALT, account: account(name) });
  const learn = (...names: readonly string[]) => live.during(Promise.all(names.map((name) => users().of(account(name)))));
  const place = async (name: string, clientOid: string): Promise<string | null> => {
    try {
      const { problems, outcome } = await placeOrder(live.writes(), account(name), resting(clientOid));
      return problems[0]?.code ?? outcome;
    } catch (error) {
      if (error instanceof Fault) return error.code;
      throw error;
    }
  };
  const silent = () => live.sandbox.faults.add({ endpoint: identifying, fault: { kind: "reset" } });
  const slow = () => live.sandbox.faults.add({ endpoint: identifying, fault: { kind: "latency", delayMs: 3_000 }, times: 1 });
  const sent = () => live.sandbox.calls.of("placeOrder").total + live.sandbox.calls.of("classicPlaceSpotOrder").total;
  /** `two` and `stranger` have traded, so their users are known. */
  const traded = async (settings?: Partial<ExchangeSettings>) => {
    await start(accounts, settings);
    await learn("two", "stranger");
    expect([await live.during(place("two", "first")), await live.during(place("stranger", "second"))]).toEqual([
      "ACCEPTED",
      "ACCEPTED",
    ]);
    return sent();
  };

  it("an order of its user under another name waits for the answer and is refused, and a stranger's waits and is sent", async () => {
    const before = await traded();
    slow();
    await halt("one");
    const waiting = Promise.all([place("two", "late"), place("stranger", "other")]);
    await live.pass(1_000);
    expect(sent()).toBe(before);
    expect(await live.during(waiting)).toEqual(["TRADING_HALTED", "ACCEPTED"]);
    expect(halts().all).toMatchObject([{ user: key.uid, account: "one" }]);
  });

  it("its user's orders that wait for rate budget, or whose entry is being recorded, do not leave under another name", async () => {
    await traded();
    await live.pass(1_000);
    const record = live.exchange.writes.journal.record.bind(live.exchange.writes.journal);
    let isHalted = false;
    live.exchange.writes.journal.record = async (...given) => {
      const entry = await record(...given);
      if (entry.key === "order-3") {
        slow();
        await halt("one");
        isHalted = true;
      }
      return entry;
    };
    const results = await live.during(Promise.all(Array.from({ length: 30 }, (_none, at) => place("two", `order-${at}`))));
    const halted = results.filter((code) => code === "TRADING_HALTED");
    expect([isHalted, results[3], results[29]]).toEqual([true, "TRADING_HALTED", "TRADING_HALTED"]);
    expect(results.filter((code) => code === "ACCEPTED").length + halted.length).toBe(results.length);
  });

  it("orders of every name are refused as long as the exchange cannot be asked, cancels are sent, and each order asks again", async () => {
    const before = await traded();
    silent();
    await halt("one");
    const refused = Promise.all([place("two", "late"), place("stranger", "other")]);
    expect(await live.during(refused)).toEqual(["EXCHANGE_UNAVAILABLE", "EXCHANGE_UNAVAILABLE"]);
    expect(sent()).toBe(before);
    const order = { category: "SPOT", symbol: "BTCUSDT", clientOid: "first" } as const;
    expect((await live.during(cancelOrder(live.writes(), account("two"), order))).outcome).toBe("ACCEPTED");
    live.sandbox.faults.clear();
    await live.pass(30_000);
    const again = Promise.all([place("two", "late"), place("stranger", "other")]);
    expect(await live.during(again)).toEqual(["TRADING_HALTED", "ACCEPTED"]);
  });

  it("a halt that is resumed by its name stops nobody", async () => {
    await traded();
    silent();
    await halt("one");
    await live.during(halts().resume(account("one")));
    expect(await live.during(Promise.all([place("two", "late"), place("stranger", "other")]))).toEqual(["ACCEPTED", "ACCEPTED"]);
  });

  it("a stored halt binds its user's other name after a restart", async () => {
    // Only then is the journal closed, which may write until then.
    await traded({ journalPath: newFile() });
    silent();
    await halt("one");
    await live.pass(2_000);
    await live.restart();
    const before = sent();
    expect(await live.during(place("two", "late"))).toBe("EXCHANGE_UNAVAILABLE");
    expect(sent()).toBe(before);
    live.sandbox.faults.clear();
    await live.pass(30_000);
    expect(await live.during(place("two", "late"))).toBe("TRADING_HALTED");
  });

  it("a halt of another replica binds every name at once where the user is known", async () => {
    await traded();
    await learn("one");
    halts().takeOver([{ ...HALT, user: users().known.standInOf(account("one")), account: "one" }]);
    expect([halts().of(account("two"))?.account, halts().of(account("stranger"))]).toEqual(["one", undefined]);
    expect(await live.during(place("two", "late"))).toBe("TRADING_HALTED");
  });

  it("the halt stays with the key when another user's key gets its name", async () => {
    await start([named("one", key), named("stranger", strangersKey)]);
    await learn("stranger");
    const silence = silent();
    await halt("one");
    await live.pass(2_000);
    live.exchange.directory.replace([named("one", strangersKey), named("two", otherKey), named("renamed", key)]);
    expect(await live.during(place("one", "early"))).toBe("EXCHANGE_UNAVAILABLE");
    live.sandbox.faults.remove(silence);
    await live.pass(30_000);
    expect(await live.during(Promise.all(["one", "two", "renamed"].map((name) => place(name, `as-${name}`))))).toEqual([
      ...["ACCEPTED", "TRADING_HALTED", "TRADING_HALTED"],
    ]);
  });
});
