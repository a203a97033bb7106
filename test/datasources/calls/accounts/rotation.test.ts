import type { StreamedOrder } from "@exchange-graph/contract/channels/order";
import { ManualClock } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import type { Fill } from "@exchange-graph/contract/fill";
import { loanDebts } from "@exchange-graph/contract/loan";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ExchangeAccount } from "../../../../src/datasources/calls/accounts/exchangeAccount.js";
import type { Fault } from "../../../../src/datasources/errors/fault.js";
import { type DataSource, RequestReads } from "../../../../src/datasources/index.js";
import { createStreams } from "../../../../src/datasources/streams/index.js";
import { MemoryEventLog } from "../../../../src/datasources/streams/resumption/memoryEventLog.js";
import type { AccountHoldings } from "../../../../src/datasources/streams/state/holdings.js";
import type { KeyRefusal } from "../../../../src/instrumentation/events.js";
import { listen } from "../../../../src/instrumentation/instrumentation.js";
import { eventually, passing } from "../../../support/eventually.js";
import { accountIn, accountNamed, exchangeOver, sandboxAccount } from "../../../support/exchangeOver.js";
import { gate } from "../../../support/gate.js";
import { type ScriptedExchange, scriptedExchange } from "../../../support/scriptedExchange.js";
import { ownInstrumentation } from "../../../support/searchedTelemetry.js";
import { startedForEach } from "../../../support/started.js";
import { Heard, type StreamedSandbox, streamedSandbox } from "../../streams/support/streamedSandbox.js";
import { ordersNamed, place, resting } from "../../writes/support/limitOrder.js";
import { startLiveExchange, UID } from "../../writes/support/liveExchange.js";

const DEBTS = { data: { debtInfos: [], loanInfos: [] } };
/** The same account with other words of its key. */
const rekeyed = ({ name }: ExchangeAccount, key: string, secret: string, passphrase: string): ExchangeAccount =>
  sandboxAccount(name, { key, secret, passphrase });

describe("calls while a key is replaced", () => {
  let upstream: ScriptedExchange;
  let exchange: DataSource;
  let clock: ManualClock;
  let said: (KeyRefusal | string)[];
  beforeEach(async () => {
    upstream = await scriptedExchange();
    upstream.on(loanDebts.path, DEBTS);
    clock = new ManualClock(0);
    said = [];
    const instrumentation = ownInstrumentation();
    listen(instrumentation, instrumentation.keyRefused, (refusal) => said.push(refusal));
    listen(instrumentation, instrumentation.keyAccepted, (account) => said.push(`${account} again`));
    exchange = exchangeOver(upstream.url, { clock, instrumentation, deadlineMs: 60_000 });
  });
  afterEach(async () => {
    await exchange.close();
    await upstream.close();
  });

  const account = (name: string): ExchangeAccount => accountIn(exchange, name);
  const debts = (of: ExchangeAccount) => exchange.reader.read(exchange.reader.prepare(loanDebts, {}, of), { alone: true });
  const keys = () => upstream.callsOf(loanDebts.path).map(({ headers }) => headers["access-key"]);

  it("leave with the key of the moment in which they leave, however long they waited", async () => {
    const { limit } = loanDebts.rate;
    const main = account("main");
    const reads = Array.from({ length: limit + 3 }, () => debts(main));
    await eventually(() => keys().length === limit);
    exchange.directory.replace([rekeyed(main, "next-key", "s", "p"), accountNamed("classic")]);
    await passing(clock, 20, Promise.all(reads));
    expect(keys()).toEqual([...Array.from({ length: limit }, () => "main-key"), "next-key", "next-key", "next-key"]);
  });

  it("do not leave for an account that is gone, and are answered from no memory of it", async () => {
    const { limit } = loanDebts.rate;
    const classic = account("classic");
    const reads = Array.from({ length: limit + 1 }, () => debts(classic));
    await eventually(() => keys().length === limit);
    exchange.directory.replace([accountNamed("main")]);
    const outcomes = await passing(clock, 20, Promise.allSettled(reads));
    expect(outcomes.filter(({ status }) => status === "rejected")).toMatchObject([{ reason: { code: "FORBIDDEN" } }]);
    expect(keys()).toHaveLength(limit);
    expect(exchange.account("classic")).toBeUndefined();
  });

  it("find nothing in the cache that was read with the key before", async () => {
    const cached = () => new RequestReads(exchange).read(loanDebts, {}, account("main"));
    await cached();
    await cached();
    expect(keys()).toEqual(["main-key"]);
    exchange.directory.replace([rekeyed(account("main"), "next-key", "s", "p"), accountNamed("classic")]);
    await cached();
    expect(keys()).toEqual(["main-key", "next-key"]);
  });

  it("find the user of the new key, if the answer for the key before comes after the replacement", async () => {
    const settings = "/api/v3/account/settings";
    const userOf = (key: unknown) => ({ data: { uid: key === "main-key" ? "1" : "2", accountMode: "unified" } });
    upstream.on(settings, ({ headers }) => userOf(headers["access-key"]));
    const main = account("main");
    const former = { ...main, credentials: main.credentials };
    await exchange.modes.of(main);
    clock.advance(60_000);
    const answer = gate();
    upstream.on(settings, async ({ headers }) => {
      if (headers["access-key"] === "main-key") await answer.opened;
      return userOf(headers["access-key"]);
    });
    const asked = exchange.users.of(main);
    await eventually(() => upstream.callsOf(settings).length === 2);
    exchange.directory.replace([rekeyed(main, "next-key", "s", "p"), accountNamed("classic")]);
    answer.open();
    expect(await asked).toBe("2");
    expect(exchange.knownUsers.cachedUser(main)).toBe("2");
    expect(exchange.knownUsers.cachedUser(former)).not.toBe("2");
    expect(await exchange.writes.journal.userOf(exchange.knownUsers.keyOf(former))).not.toBe("2");
  });

  it("leave no mode of the user before behind, if its answer comes after the replacement", async () => {
    const settings = "/api/v3/account/settings";
    const answer = gate();
    upstream.on(settings, async ({ headers }) => {
      if (headers["access-key"] === "next-key") return { code: "40084", msg: "classic" };
      await answer.opened;
      return { data: { uid: "1", accountMode: "unified" } };
    });
    const main = account("main");
    const asked = exchange.modes.of(main);
    await eventually(() => upstream.callsOf(settings).length === 1);
    exchange.directory.replace([rekeyed(main, "next-key", "s", "p"), accountNamed("classic")]);
    answer.open();
    await asked;
    expect(await exchange.modes.of(main)).toBe("CLASSIC");
  });

  it("report the account whose key is refused, but no key that has been replaced meanwhile", async () => {
    const wrong = { code: "40012", msg: "apikey/password is incorrect" };
    upstream.on(loanDebts.path, wrong);
    await expect(debts(account("classic"))).rejects.toThrow("40012");
    const refusal = { account: "classic", code: "40012", reason: "apikey/password is incorrect" };
    expect(exchange.keys.refused).toEqual([refusal]);
    const answer = gate();
    upstream.on(loanDebts.path, async () => {
      await answer.opened;
      return wrong;
    });
    const late = debts(account("classic"));
    await eventually(() => keys().length === 2);
    exchange.directory.replace([accountNamed("main"), rekeyed(account("classic"), "next-key", "s", "p")]);
    answer.open();
    await expect(late).rejects.toThrow("40012");
    expect(exchange.keys.refused).toEqual([]);
    expect(said).toEqual([refusal]);
  });

  it("are made to find out about keys of which nothing is known, and not too often about those that are refused", async () => {
    const path = "/api/v3/account/settings";
    upstream.on(path, ({ headers }) =>
      headers["access-key"] === "main-key" ? { code: "40084", msg: "classic" } : { code: "40012", msg: "wrong" },
    );
    await exchange.checkKeys();
    expect(exchange.keys.refused.map((refused) => refused.account)).toEqual(["classic"]);
    await exchange.checkKeys();
    expect(upstream.callsOf(path)).toHaveLength(2);
    upstream.on(path, { code: "40084", msg: "classic" });
    clock.advance(10_000);
    await exchange.checkKeys();
    expect(upstream.callsOf(path)).toHaveLength(3);
    expect(exchange.keys.refused).toEqual([]);
    expect(said).toEqual([{ account: "classic", code: "40012", reason: "wrong" }, "classic again"]);
  });
});

describe("writes while accounts are replaced", () => {
  const live = startedForEach(() => startLiveExchange());

  it("of an account that is removed at the last moment are not sent, and the journal says so", async () => {
    const { journal } = live.exchange.writes;
    const write = journal.record.bind(journal);
    vi.spyOn(journal, "record").mockImplementationOnce(async (entry) => {
      const written = await write(entry);
      live.exchange.directory.replace(live.exchange.accounts.filter(({ name }) => name !== "classic"));
      return written;
    });
    const result = await live.during(place(live, resting("mine"), "classic"));
    expect(result).toMatchObject({ outcome: "REJECTED", problems: [{ code: "FORBIDDEN" }] });
    expect(ordersNamed(live, "mine", "classic")).toEqual([]);
    expect(await journal.page(UID.classic, undefined, 10)).toMatchObject([{ state: "UNSENT", problem: { code: "FORBIDDEN" } }]);
  });
});

describe("private streams while a key is replaced", () => {
  const [MAIN, CLASSIC] = SANDBOX_CREDENTIALS;
  if (MAIN === undefined || CLASSIC === undefined) throw new Error("the sandbox has no keys");
  const NEXT = { ...MAIN, key: "sandbox-main-next", secret: "sandbox-main-next-secret", passphrase: "mainnext1" };
  let world: StreamedSandbox;
  let heard: Heard<AccountHoldings>;
  beforeEach(async () => {
    world = await streamedSandbox("v3", {}, undefined, [...SANDBOX_CREDENTIALS, NEXT]);
    heard = new Heard();
    world.streams.accounts.listen("accountUpdates", world.account("main"), heard);
    await world.until(() => heard.events.length > 0);
  });
  afterEach(() => world.close());

  const connections = () => world.streams.gauges().connections.filter(({ access }) => access === "private");
  const classic = () => world.account("classic");

  it("are logged in with the new one before they leave the old connection, and nothing is interrupted", async () => {
    const next = rekeyed(world.account("main"), NEXT.key, NEXT.secret, NEXT.passphrase);
    const reveal = vi.spyOn(next.credentials.passphrase, "reveal");
    let isReplaced = false;
    void world.exchange.replaceAccounts([next, classic()], 3_000).then(() => {
      isReplaced = true;
    });
    await world.until(() => connections().length === 2);
    expect(isReplaced).toBe(true);
    await world.until(() => connections().length === 1);
    expect(reveal).toHaveBeenCalled();
    expect(heard.events.every(({ stale }) => !stale)).toBe(true);
    expect(heard.fault).toBeUndefined();
    await world.pass(60_000, 500);
    expect(connections()).toMatchObject([{ state: "READY", account: "main" }]);
  });

  it("are stale at once, and end, when the exchange refuses the new one: it may be any user's", async () => {
    world.exchange.directory.replace([rekeyed(world.account("main"), "wrong", "wrong", "wrong"), classic()]);
    expect(heard.last.stale).toBe(true);
    expect(connections()).toEqual([]);
    await world.until(() => heard.fault !== undefined);
    expect(heard.fault?.message).toContain("40037");
  });

  it.each([
    ["key", "main"],
    ["key and another name", "renamed"],
  ])("of fills resume at a replica that has another %s of the same user, and miss nothing", async (_, name) => {
    const eventLog = new MemoryEventLog(world.clock);
    const replicas = [["main", MAIN] as const, [name, NEXT] as const].map(([called, key]) => {
      const main = rekeyed(accountNamed(called), key.key, key.secret, key.passphrase);
      const exchange = exchangeOver(new URL(world.sandbox.url), { clock: world.clock, accounts: [main], deadlineMs: 30_000 });
      const wsUrl = new URL(world.sandbox.wsUrl);
      const streams = createStreams({ exchange, wsUrl, clock: world.clock, random: () => 0.5, eventLog });
      return {
        listen(after: string | null) {
          const fills = new Heard<readonly Fill[]>();
          const failed = (fault: Fault) => fills.failed(fault);
          streams.accounts.listen("fills", main, { next: (event) => fills.next(event), failed, after });
          return fills;
        },
        async close() {
          await streams.close();
          await exchange.close();
        },
      };
    });
    const [first, second] = replicas;
    if (first === undefined || second === undefined) throw new Error("there are two replicas");
    const before = first.listen(null);
    await world.until(() => before.events.length > 0);
    await first.close();
    const order = { uid: MAIN.uid, category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "market" } as const;
    world.sandbox.world.orders.place({ ...order, amount: exact("20") });
    await world.pass(1_000);
    const after = second.listen(before.last.position ?? null);
    await world.until(() => after.events.length > 0);
    expect(after.last).toMatchObject({ stale: false, resumed: { isWhole: true } });
    expect(after.last.value.length).toBeGreaterThan(0);
    await second.close();
  });

  it("of fills under two names of one user at once miss nothing when either is resumed", async () => {
    const accounts = [["one", MAIN] as const, ["two", NEXT] as const].map(([called, key]) =>
      rekeyed(accountNamed(called), key.key, key.secret, key.passphrase),
    );
    const exchange = exchangeOver(new URL(world.sandbox.url), { clock: world.clock, accounts, deadlineMs: 30_000 });
    const streams = createStreams({ exchange, wsUrl: new URL(world.sandbox.wsUrl), clock: world.clock, random: () => 0.5 });
    const listen = (at: 0 | 1, after: string | null) => {
      const fills = new Heard<readonly Fill[]>();
      const [one, two] = accounts;
      if (one === undefined || two === undefined) throw new Error("there are two accounts");
      const failed = (fault: Fault) => fills.failed(fault);
      const leave = streams.accounts.listen("fills", at === 0 ? one : two, { next: (event) => fills.next(event), failed, after });
      return { fills, leave };
    };
    const buy = async () => {
      const order = { uid: MAIN.uid, category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "market" } as const;
      world.sandbox.world.orders.place({ ...order, amount: exact("20") });
      await world.pass(500);
    };
    const ids = ({ fills }: ReturnType<typeof listen>) => fills.events.flatMap(({ value }) => value.map(({ execId }) => execId));
    const [one, two] = [listen(0, null), listen(1, null)];
    await world.until(() => one.fills.events.length > 0 && two.fills.events.length > 0);
    await buy();
    await buy();
    one.leave();
    await world.pass(6_000, 500);
    await buy();
    const [back, other] = [listen(0, one.fills.last.position ?? null), listen(1, one.fills.last.position ?? null)];
    await world.until(() => back.fills.events.length > 0 && other.fills.events.length > 0);
    await buy();
    for (const resumed of [back, other]) {
      expect(resumed.fills.events[0]).toMatchObject({ stale: false, resumed: { isWhole: true } });
      expect([...ids(one), ...ids(resumed)].toSorted()).toEqual(ids(two).toSorted());
    }
    expect(new Set(ids(two)).size).toBe(ids(two).length);
    await streams.close();
    await exchange.close();
  });

  it("end at once when their account is removed, their connections included, and begin again when it is back", async () => {
    world.exchange.directory.replace([classic()]);
    expect(heard.fault?.message).toBe("main is no longer an account of this gateway");
    expect(connections()).toEqual([]);
    world.exchange.directory.replace([classic(), rekeyed(accountNamed("main"), NEXT.key, NEXT.secret, NEXT.passphrase)]);
    const again = new Heard<AccountHoldings>();
    world.streams.accounts.listen("accountUpdates", world.account("main"), again);
    await world.until(() => again.events.length > 0);
    expect(again.fault).toBeUndefined();
  });
});

describe("streams of two accounts whose keys are swapped", () => {
  let world: StreamedSandbox;
  afterEach(() => world.close());

  it("are stale from the swap on until they are the new user's, and carry nothing of the former one", async () => {
    world = await streamedSandbox();
    const names = ["main", "classic"] as const;
    const [main, other] = names.map((name) => ({ ...world.account(name), credentials: world.account(name).credentials }));
    if (main === undefined || other === undefined) throw new Error("there are no accounts");
    const heard = new Map(
      names.map((name) => [name, { orders: new Heard<readonly StreamedOrder[]>(), fills: new Heard<readonly Fill[]>() }]),
    );
    for (const [name, { orders, fills }] of heard) {
      world.streams.accounts.listen("orders", world.account(name), orders);
      world.streams.accounts.listen("fills", world.account(name), {
        next: (event) => fills.next(event),
        failed: (fault) => fills.failed(fault),
        after: null,
      });
    }
    const trade = (uid: string) => {
      const order = { uid, category: "SPOT", symbol: "BTCUSDT", side: "buy" } as const;
      world.sandbox.world.orders.place({ ...order, orderType: "market", amount: exact("20") });
      world.sandbox.world.orders.place({ ...order, orderType: "limit", price: exact("60000"), quantity: exact("0.001") });
    };
    await world.until(() =>
      [...heard.values()].every(({ orders, fills }) => orders.events.length > 0 && fills.events.length > 0),
    );
    trade(UID.main);
    await world.until(() => heard.get("main")?.fills.events.some(({ value }) => value.length > 0) === true);
    const before = heard.get("main");
    const [since, fillsSince] = [before?.orders.events.length ?? 0, before?.fills.events.length ?? 0];
    world.exchange.directory.replace([
      { ...main, credentials: other.credentials },
      { ...other, credentials: main.credentials },
    ]);
    expect(before?.orders.last.stale).toBe(true);
    expect(before?.fills.last.stale).toBe(true);
    trade(UID.main);
    await world.until(() => [...heard.values()].every(({ orders, fills }) => !orders.last.stale && !fills.last.stale));
    trade(UID.main);
    await world.pass(2_000);
    expect(before?.orders.events.slice(since).flatMap(({ value }) => value)).toEqual([]);
    expect(before?.fills.events.slice(fillsSince).flatMap(({ value }) => value)).toEqual([]);
    const now = heard.get("classic");
    expect(now?.orders.last.value.length ?? 0).toBeGreaterThan(0);
    expect(now?.fills.last.value.length ?? 0).toBeGreaterThan(0);
  });
});
