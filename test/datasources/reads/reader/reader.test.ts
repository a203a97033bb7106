import { ManualClock, systemClock } from "@exchange-graph/contract/clock";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import { subAccountFuturesAssets } from "@exchange-graph/contract/futuresAccount";
import { loanDebts } from "@exchange-graph/contract/loan";
import { discountRates } from "@exchange-graph/contract/market";
import { positionHistory } from "@exchange-graph/contract/positionHistory";
import { describe, expect, it } from "vitest";
import { everyRow } from "../../../../packages/contract/test/support/everyRow.js";
import { MemoryRateBudgets } from "../../../../src/datasources/calls/scheduler/rateBudgetStore.js";
import { GATEWAY, LIVE_STATE, type Requester } from "../../../../src/datasources/calls/scheduler/requester.js";
import { Fault, RequestReads } from "../../../../src/datasources/index.js";
import type { CacheEntry, Decode } from "../../../../src/datasources/reads/cache/cacheStore.js";
import { MemoryCache } from "../../../../src/datasources/reads/cache/memoryCache.js";
import type { Trace } from "../../../../src/datasources/reads/reader/trace.js";
import { MemoryOrderRates } from "../../../../src/datasources/writes/limits/orderRates.js";
import { listen } from "../../../../src/instrumentation/instrumentation.js";
import { passing, turn } from "../../../support/eventually.js";
import { accountIn, accountNamed, exchangeOver } from "../../../support/exchangeOver.js";
import { usedHeap } from "../../../support/heap.js";
import { scriptedExchange } from "../../../support/scriptedExchange.js";
import { ownInstrumentation } from "../../../support/searchedTelemetry.js";
import { startedForEach } from "../../../support/started.js";

const DEBTS = "/api/v2/earn/loan/debts";
const RATES = "/api/v2/mix/market/discount-rate";
const owed = (amount: string) => ({ loanInfos: [{ coin: "BTC", amount, amountUsdt: "1" }], pledgeInfos: [] });
const shown = (amount: string) => ({ loans: [{ coin: "BTC", amount, amountUsdt: "1" }], pledges: [] });

describe("reading", () => {
  const upstream = startedForEach(scriptedExchange);
  const exchange = startedForEach(async () => exchangeOver(upstream.url, { deadlineMs: 2_000 }));
  const named = (name: string) => accountIn(exchange, name);
  const debtsOf = (name: string, reads = new RequestReads(exchange)) => reads.read(loanDebts, {}, named(name));

  it("makes one call for equal reads in flight, and reports to each reader the source of its answer", async () => {
    upstream.on(DEBTS, { data: owed("1") });
    const requests = Array.from({ length: 20 }, () => new RequestReads(exchange));
    await Promise.all(requests.map((reads) => debtsOf("main", reads)));
    expect(upstream.callsOf(DEBTS)).toHaveLength(1);
    const sources = requests.map(({ trace }) => trace.reads[0]?.source).sort();
    expect(sources).toEqual(["REST", ...Array.from({ length: 19 }, () => "SHARED")]);
  });

  it("never gives one account the answer of another, in flight or from the cache", async () => {
    upstream.on(DEBTS, ({ headers }) => ({ data: owed(headers["access-key"] === "main-key" ? "1" : "2") }));
    for (let round = 0; round < 3; round++) {
      const [main, classic] = await Promise.all([debtsOf("main"), debtsOf("classic")]);
      expect([everyRow(main.loans)[0]?.amount, everyRow(classic.loans)[0]?.amount]).toEqual(["1", "2"]);
    }
    expect(upstream.callsOf(DEBTS)).toHaveLength(2);
  });

  it("answers from the cache while an answer is fresh", async () => {
    upstream.on(RATES, { data: [] });
    await new RequestReads(exchange).read(discountRates, {});
    const second = new RequestReads(exchange);
    await second.read(discountRates, {});
    expect(upstream.callsOf(RATES)).toHaveLength(1);
    expect(second.trace.reads).toMatchObject([{ endpoint: "discountRates", source: "CACHE", account: undefined }]);
    expect(second.trace.upstreamCalls).toBe(0);
  });

  it("answers with what other replicas' store has confirmed of memory", async () => {
    upstream.on(DEBTS, { data: owed("1") });
    class Confirming extends MemoryCache {
      override get(): undefined {
        return undefined;
      }
      override find(topic: string, key: string): Promise<CacheEntry> | undefined {
        const mine = this.peek(topic, key);
        return mine && Promise.resolve(mine);
      }
    }
    const shared = exchangeOver(upstream.url, {
      stores: (bounds) => ({
        cache: new Confirming(systemClock, bounds),
        rateBudgets: new MemoryRateBudgets(),
        orderRates: new MemoryOrderRates(() => systemClock.now()),
      }),
    });
    for (let time = 0; time < 2; time++) {
      const debts = await new RequestReads(shared).read(loanDebts, {}, named("main"));
      expect(everyRow(debts.loans)[0]?.amount).toBe("1");
    }
    expect(upstream.callsOf(DEBTS)).toHaveLength(1);
    await shared.close();
  });

  it("keeps nothing of a request with the answer of another replica that it has found", async () => {
    const text = JSON.stringify({ code: "00000", msg: "success", requestTime: 1, data: owed("1") });
    const finding = (memory: MemoryCache) =>
      Object.assign(memory, {
        find: async (topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<CacheEntry> => {
          const entry = { ...decode(text), requestedAt: systemClock.now(), version: memory.version(topic) };
          memory.set(topic, key, { ...entry, body: Buffer.from(text), decode }, lifetime);
          return entry;
        },
      });
    const shared = exchangeOver(upstream.url, {
      stores: (bounds) => ({
        cache: finding(new MemoryCache(systemClock, bounds)),
        rateBudgets: new MemoryRateBudgets(),
        orderRates: new MemoryOrderRates(() => systemClock.now()),
      }),
    });
    const found = async (): Promise<readonly [WeakRef<Requester>, WeakRef<Trace>]> => {
      const requester = { ...GATEWAY };
      const reads = new RequestReads(shared, { requester });
      await debtsOf("main", reads);
      return [new WeakRef(requester), new WeakRef(reads.trace)];
    };
    const ofRequest = await found();
    await usedHeap();
    expect(ofRequest.map((one) => one.deref())).toEqual([undefined, undefined]);
    const later = new RequestReads(shared);
    expect(everyRow((await debtsOf("main", later)).loans)[0]?.amount).toBe("1");
    expect(later.trace.reads).toMatchObject([{ source: "CACHE" }]);
    expect(upstream.callsOf(DEBTS)).toHaveLength(0);
    await shared.close();
  });

  it("asks the exchange again after a drop, and only about what was dropped", async () => {
    upstream.on(DEBTS, { data: owed("1") });
    await Promise.all([debtsOf("main"), debtsOf("classic")]);
    exchange.reader.drop("main", ["loanDebts"]);
    await Promise.all([debtsOf("main"), debtsOf("classic")]);
    expect(upstream.callsOf(DEBTS).map(({ headers }) => headers["access-key"])).toEqual(["main-key", "classic-key", "main-key"]);
  });

  it("does not serve an answer that was under way during a drop to anyone who asks after it", async () => {
    const answers: ((amount: string) => void)[] = [];
    upstream.on(DEBTS, () => new Promise((resolve) => answers.push((amount) => resolve({ data: owed(amount) }))));
    const before = debtsOf("main");
    await expect.poll(() => upstream.callsOf(DEBTS).length).toBe(1);
    exchange.reader.drop("main", ["loanDebts"]);
    const after = debtsOf("main");
    await expect.poll(() => answers.length).toBe(2);
    for (const [at, answer] of answers.entries()) answer(String(at + 1));
    expect(everyRow((await before).loans)[0]?.amount).toBe("1");
    expect(everyRow((await after).loans)[0]?.amount).toBe("2");
  });

  it("still shares a call that had not left when something was dropped: it will see the change", async () => {
    const clock = new ManualClock(1_800_000_000_000);
    const live = exchangeOver(upstream.url, { clock });
    const main = accountNamed("main");
    let answered = 0;
    upstream.on(DEBTS, () => ({ data: owed(String(++answered)) }));
    const { name, rate } = loanDebts;
    for (let one = 0; one < rate.limit; one++)
      (await live.scheduler.acquire(name, main.name, rate, "read", clock.now() + 1_000)).settle();
    const waiting = new RequestReads(live).read(loanDebts, {}, main);
    for (let drop = 0; drop < 5; drop++) {
      live.reader.drop("main", [name]);
      void new RequestReads(live).read(loanDebts, {}, main);
    }
    clock.advance(rate.windowMs + 3);
    await waiting;
    expect(upstream.callsOf(DEBTS)).toHaveLength(1);
    await live.close();
  });

  it("tries a read again when the exchange fails, and not when it refuses", async () => {
    let turn = 0;
    upstream.on(DEBTS, () => (++turn < 3 ? "reset" : { data: owed("1") }));
    await debtsOf("main");
    expect(turn).toBe(3);
    upstream.on(DEBTS, { code: "40014", msg: "no" });
    await expect(debtsOf("classic")).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(upstream.callsOf(DEBTS)).toHaveLength(4);
  });

  it.each([
    ["breaks the interface", { data: [] }],
    ["is a redirect", { raw: "", status: 302 }],
    ["is a firewall's page", { raw: "<html>", status: 403 }],
  ])("does not try again for what would come again, and leaves the endpoint open to others: the answer %s", async (_, answer) => {
    upstream.on(DEBTS, ({ headers }) => (headers["access-key"] === "main-key" ? answer : { data: owed("1") }));
    for (let read = 1; read <= 6; read++) {
      await expect(debtsOf("main")).rejects.toMatchObject({ code: "EXCHANGE_BAD_RESPONSE" });
      expect(upstream.callsOf(DEBTS)).toHaveLength(read);
    }
    expect(exchange.reader.breakers()).toEqual([]);
    await expect(debtsOf("classic")).resolves.toMatchObject({ loans: [{ amount: "1" }] });
  });

  it("waits between tries, by chance between half and one and a half times as long as the pause", async () => {
    for (const [chance, atLeast, atMost] of [
      [0, 75, 150],
      [0.999, 224, 299],
    ] as const) {
      const clock = new ManualClock(1_800_000_000_000);
      let isUp = false;
      let ended = 0;
      const instrumentation = ownInstrumentation();
      listen(instrumentation, instrumentation.upstreamCall, () => {
        ended++;
      });
      const live = exchangeOver(upstream.url, { clock, random: () => chance, instrumentation });
      upstream.on(DEBTS, () => (isUp ? { data: owed("1") } : { raw: "", status: 500 }));
      const asked = upstream.callsOf(DEBTS).length;
      const reading = new RequestReads(live).read(loanDebts, {}, accountNamed("main"));
      // The pause is booked when the failure has come.
      await expect.poll(() => ended).toBe(1);
      await expect.poll(() => clock.pending).toBe(1);
      isUp = true;
      clock.advance(atLeast - 1);
      expect(upstream.callsOf(DEBTS)).toHaveLength(asked + 1);
      clock.advance(atMost - atLeast);
      await reading;
      expect(upstream.callsOf(DEBTS)).toHaveLength(asked + 2);
      await live.close();
    }
  });

  const TOO_MANY = { code: "429", msg: "too many", status: 429 };

  it("tries again when the exchange refused one call too many, and its window is over before the deadline", async () => {
    const clock = new ManualClock(1_800_000_000_000);
    const live = exchangeOver(upstream.url, { clock, random: () => 0 });
    upstream.on(DEBTS, TOO_MANY);
    const reading = new RequestReads(live).read(loanDebts, {}, accountNamed("main"));
    await expect.poll(() => live.scheduler.buckets()[0]?.left).toBe(0);
    await expect.poll(() => clock.pending).toBe(1);
    upstream.on(DEBTS, { data: owed("1") });
    clock.advance(loanDebts.rate.windowMs);
    expect(upstream.callsOf(DEBTS)).toHaveLength(1);
    clock.advance(100);
    await expect(reading).resolves.toMatchObject(shown("1"));
    expect(upstream.callsOf(DEBTS)).toHaveLength(2);
    await live.close();
  });

  it.each([
    ["refuses a call as one too many", TOO_MANY],
    ["says that nothing is left", { data: owed("1"), headers: { "x-mbx-used-remain-limit": "0" } }],
  ])("sends nothing for a window when the exchange %s", async (_, answer) => {
    const clock = new ManualClock(1_800_000_000_000);
    const live = exchangeOver(upstream.url, { clock, deadlineMs: loanDebts.rate.windowMs });
    const main = accountNamed("main");
    upstream.on(DEBTS, answer);
    await new RequestReads(live).read(loanDebts, {}, main).catch((error: Fault) => expect(error.code).toBe("RATE_LIMITED"));
    const sent = upstream.callsOf(DEBTS).length;
    expect(sent).toBe(1);
    expect(live.scheduler.buckets()).toMatchObject([{ endpoint: "loanDebts", left: 0 }]);
    upstream.on(DEBTS, { data: owed("2") });
    live.reader.drop("main", ["loanDebts"]);
    clock.advance(loanDebts.rate.windowMs - 1);
    const held = new RequestReads(live).read(loanDebts, {}, main);
    await expect.poll(() => live.scheduler.buckets()[0]?.waiting).toBe(1);
    expect(upstream.callsOf(DEBTS)).toHaveLength(sent);
    clock.advance(10);
    await expect(held).resolves.toMatchObject(shown("2"));
    await live.close();
  });

  it("sends nothing so late that it would be given up before its answer", async () => {
    const clock = new ManualClock(1_800_000_000_000);
    const { name, path, rate } = subAccountFuturesAssets;
    const live = exchangeOver(upstream.url, { clock, deadlineMs: rate.windowMs });
    upstream.on(path, { data: [] });
    const readOf = (productType: "USDT-FUTURES" | "COIN-FUTURES" | "USDC-FUTURES") =>
      new RequestReads(live).read(subAccountFuturesAssets, { productType }, accountNamed("classic"));
    await readOf("USDT-FUTURES");
    clock.advance(5);
    const refusal: Fault = await readOf("COIN-FUTURES").catch((error) => error);
    expect(refusal.extensions).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: rate.windowMs + 3 - 5, endpoint: name });
    clock.advance(600);
    const inTime = readOf("COIN-FUTURES");
    clock.advance(rate.windowMs - 602);
    await inTime;
    expect(upstream.callsOf(path)).toHaveLength(2);
    await live.close();
  });

  it("takes a slot for each sending of a read that is refused for its timestamp", async () => {
    const clock = new ManualClock(1_800_000_000_000);
    const { path, rate } = positionHistory;
    const live = exchangeOver(upstream.url, { clock, deadlineMs: 10 * rate.windowMs });
    const refused = new Set<string>();
    upstream.on(path, ({ query }) => {
      const which = String(query.get("limit"));
      if (refused.has(which)) return { data: { list: [] }, requestTime: clock.now() };
      refused.add(which);
      return { code: "40008", msg: "Request timestamp expired", requestTime: clock.now() };
    });
    const traces = Array.from({ length: rate.limit }, () => new RequestReads(live));
    const reading = traces.map((reads, at) =>
      reads.read(positionHistory, { category: "USDT-FUTURES", limit: at + 1 }, accountNamed("main")),
    );
    await expect.poll(() => live.scheduler.buckets()[0]?.waiting).toBe(rate.limit);
    expect(upstream.callsOf(path)).toHaveLength(rate.limit);
    clock.advance(rate.windowMs + 5);
    await Promise.all(reading);
    expect(upstream.callsOf(path)).toHaveLength(2 * rate.limit);
    expect(traces.map(({ trace }) => trace.upstreamCalls)).toEqual(traces.map(() => 2));
    expect(live.scheduler.buckets()).toMatchObject([{ left: 0 }]);
    await live.close();
  });

  it("says when a read that is refused for its timestamp can be sent again, where no slot is left for that", async () => {
    const clock = new ManualClock(1_800_000_000_000);
    const { path, rate } = subAccountFuturesAssets;
    const live = exchangeOver(upstream.url, { clock, deadlineMs: rate.windowMs / 2 });
    upstream.on(path, { code: "40008", msg: "Request timestamp expired", requestTime: clock.now() });
    const asked = new RequestReads(live).read(subAccountFuturesAssets, { productType: "USDT-FUTURES" }, accountNamed("classic"));
    const refusal: Fault = await asked.catch((error) => error);
    expect(refusal.extensions).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: rate.windowMs + 3 });
    expect(upstream.callsOf(path)).toHaveLength(1);
    await live.close();
  });

  it("keeps the slot of a read that was given up on for as long again, for it may still arrive", async () => {
    const clock = new ManualClock(1_800_000_000_000);
    const { name, path, rate } = subAccountFuturesAssets;
    const deadlineMs = 3_000;
    const live = exchangeOver(upstream.url, { clock, deadlineMs });
    upstream.on(path, "silence");
    const asked = new RequestReads(live).read(subAccountFuturesAssets, { productType: "USDT-FUTURES" }, accountNamed("classic"));
    await expect.poll(() => upstream.callsOf(path)).toHaveLength(1);
    clock.advance(deadlineMs);
    await expect(asked).rejects.toThrow(Fault);
    const left = () => live.scheduler.buckets().find(({ endpoint }) => endpoint === name)?.left;
    clock.advance(deadlineMs);
    await turn();
    clock.advance(rate.windowMs);
    expect(left()).toBe(0);
    clock.advance(3);
    expect(left()).toBe(rate.limit);
    await live.close();
  });

  it("keeps waiting for its turn if no client waits for the answer, and delays no request", async () => {
    const clock = new ManualClock(1_800_000_000_000);
    const live = exchangeOver(upstream.url, { clock, deadlineMs: 3_000, connections: 2 * loanDebts.rate.limit });
    const main = accountNamed("main");
    const codeOf = (asked: Promise<unknown>) => asked.catch((error: Fault) => error.code);
    upstream.on(DEBTS, "silence");
    const lost = Array.from({ length: loanDebts.rate.limit }, () =>
      codeOf(new RequestReads(live).readAlone(loanDebts, {}, main)),
    );
    await expect.poll(() => upstream.callsOf(DEBTS)).toHaveLength(lost.length);
    upstream.on(DEBTS, { data: owed("1") });
    const request = () => codeOf(new RequestReads(live).read(loanDebts, {}, main));
    const first = request();
    const state = new RequestReads(live, { requester: LIVE_STATE, patienceMs: 60_000 }).read(loanDebts, {}, main);
    expect(await passing(clock, 100, first)).toBe("RATE_LIMITED");
    expect(await passing(clock, 100, request())).toBe("RATE_LIMITED");
    expect(await passing(clock, 100, state)).toMatchObject(shown("1"));
    expect(upstream.callsOf(DEBTS)).toHaveLength(lost.length + 1);
    await Promise.all(lost);
    await live.close();
  });

  it("keeps a call's place from one request to the next where slots are scarce", async () => {
    const clock = new ManualClock(1_800_000_000_000);
    const { path } = subAccountFuturesAssets;
    const live = exchangeOver(upstream.url, { clock, deadlineMs: 10_000 });
    upstream.on(path, { data: [] });
    /** What the three aliases of one page say. */
    const poll = async () => {
      const reads = new RequestReads(live);
      const categories = ["USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES"] as const;
      const asked = categories.map((productType) =>
        reads.read(subAccountFuturesAssets, { productType }, accountNamed("classic")).then(
          () => "answered",
          (error: Fault) => error.code,
        ),
      );
      return passing(clock, 100, Promise.all(asked));
    };
    const said: string[][] = [];
    const began = clock.now();
    for (let round = 0; round < 8; round++) {
      said.push(await poll());
      const next = began + (round + 1) * 14_500;
      while (clock.now() < next) {
        await turn();
        clock.advance(100);
      }
    }
    // One call in ten seconds: the first page cannot have all three.
    expect(said[0]).toEqual(["answered", "RATE_LIMITED", "RATE_LIMITED"]);
    expect(said.slice(2)).toEqual(Array.from({ length: 6 }, () => ["answered", "answered", "answered"]));
    const calls = upstream.callsOf(path).length;
    expect(calls).toBeLessThanOrEqual(1 + (clock.now() - began) / 10_000);
    await live.close();
  });

  it("answers the first page too where an operation has the time that scarce slots take", async () => {
    const clock = new ManualClock(1_800_000_000_000);
    const live = exchangeOver(upstream.url, { clock, deadlineMs: 10_000, operationMs: 30_000 });
    upstream.on(subAccountFuturesAssets.path, { data: [] });
    for (let round = 0; round < 4; round++) {
      const began = clock.now();
      const reads = new RequestReads(live);
      const categories = ["USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES"] as const;
      const asked = categories.map((productType) =>
        reads.read(subAccountFuturesAssets, { productType }, accountNamed("classic")),
      );
      expect(await passing(clock, 100, Promise.all(asked))).toHaveLength(3);
      // What waits for the third slot the first time is known from then on.
      expect(clock.now() - began).toBeLessThanOrEqual(round === 0 ? 21_000 : 100);
      while (clock.now() < began + 29_000) {
        await turn();
        clock.advance(100);
      }
    }
    await live.close();
  });

  it("takes what is known up to the bound that the caller sets, and keeps it within that while it is read", async () => {
    const clock = new ManualClock(1_800_000_000_000);
    const live = exchangeOver(upstream.url, { clock });
    let amount = 0;
    upstream.on(DEBTS, () => ({ data: owed(`${++amount}`) }));
    const read = async (maxAgeMs?: number) => {
      const reads = new RequestReads(live);
      const answer = await passing(clock, 10, reads.within(maxAgeMs).read(loanDebts, {}, accountNamed("main")));
      const [{ source, ageMs } = { source: "REST", ageMs: 0 }] = reads.trace.reads;
      return { amount: everyRow(answer.loans)[0]?.amount, source, ageMs };
    };
    expect(await read()).toMatchObject({ amount: "1", source: "REST" });
    clock.advance(5_000);
    // Older than this caller takes it; the next one's bound is the endpoint's own.
    expect(await read(2_000)).toMatchObject({ amount: "2", source: "REST" });
    clock.advance(500);
    expect(await read()).toMatchObject({ amount: "2", source: "CACHE" });
    const ages: number[] = [];
    for (let round = 0; round < 10; round++) {
      for (let passed = 0; passed < 7_000; passed += 100) {
        await turn();
        clock.advance(100);
      }
      ages.push((await read(60_000)).ageMs);
    }
    // Polled every seven seconds, and never older than the smallest bound of those who read it.
    expect(Math.max(...ages)).toBeLessThanOrEqual(2_000);
    expect(() => new RequestReads(live).within(999)).toThrow("maxAgeMs");
    expect(() => new RequestReads(live).within(600_001)).toThrow("maxAgeMs");
    await live.close();
  });

  it("leaves a failing endpoint alone after five failures, and no other", async () => {
    upstream.on(DEBTS, { raw: "", status: 500 });
    upstream.on(RATES, { data: [] });
    await expect(debtsOf("main")).rejects.toMatchObject({ code: "EXCHANGE_UNAVAILABLE" });
    await expect(debtsOf("main")).rejects.toMatchObject({ code: "EXCHANGE_UNAVAILABLE" });
    const asked = upstream.callsOf(DEBTS).length;
    expect(asked).toBe(5);
    const refusal = (await debtsOf("main").catch((error: unknown) => error)) as Fault;
    expect(refusal.message).toBe(
      "loan debts: the last calls have failed, so none is sent for a moment; the last error: loan debts: the exchange answered with HTTP 500",
    );
    expect(upstream.callsOf(DEBTS)).toHaveLength(asked);
    expect(exchange.reader.breakers()).toEqual([{ endpoint: "loanDebts", account: "main", state: "OPEN" }]);
    exchange.directory.replace([]);
    expect(exchange.reader.breakers()).toEqual([]);
    await new RequestReads(exchange).read(discountRates, {});
  });

  it("gives one request one answer, for any number of reads and any changes meanwhile", async () => {
    upstream.on(DEBTS, { data: owed("1") });
    const reads = new RequestReads(exchange);
    await debtsOf("main", reads);
    upstream.on(DEBTS, { data: owed("2") });
    exchange.reader.drop("main", ["loanDebts"]);
    expect(everyRow((await debtsOf("main", reads)).loans)[0]?.amount).toBe("1");
  });

  it("sends nothing when a rule is broken, and names the client's argument", async () => {
    const reads = new RequestReads(exchange);
    const call = reads.read(positionHistory, { category: "USDT-FUTURES", limit: 101 }, named("main"), { limit: "first" });
    await expect(call).rejects.toMatchObject({
      extensions: { code: "BAD_USER_INPUT", violations: [{ argument: "first", rule: "must be a whole number from 1 to 100" }] },
    });
    expect(upstream.calls).toEqual([]);
  });

  it("asks for the account's mode once, and routes by it", async () => {
    upstream.on("/api/v3/account/settings", ({ headers }) =>
      headers["access-key"] === "classic-key"
        ? { code: "40084", msg: "classic" }
        : { data: { uid: "1", accountMode: "unified", holdMode: "one_way_mode" } },
    );
    const modes = await Promise.all(
      ["main", "classic", "main", "classic"].map((name) => new RequestReads(exchange).modeOf(named(name))),
    );
    expect(modes).toEqual(["UNIFIED", "CLASSIC", "UNIFIED", "CLASSIC"]);
    expect(upstream.calls).toHaveLength(2);
    await expect(new RequestReads(exchange).demand(named("classic"), "UNIFIED", "This thing")).rejects.toThrow(
      "This thing exists on a unified account only; classic is a Classic account",
    );
  });
});
