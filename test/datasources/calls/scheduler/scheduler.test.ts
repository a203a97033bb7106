import { type Clock, ManualClock } from "@exchange-graph/contract/clock";
import type { RateLimit } from "@exchange-graph/contract/endpoint";
import { describe, expect, it } from "vitest";
import type { RateBudgetStore } from "../../../../src/datasources/calls/scheduler/rateBudgetStore.js";
import { gatewayFor, type Requester } from "../../../../src/datasources/calls/scheduler/requester.js";
import { type Permit, Scheduler } from "../../../../src/datasources/calls/scheduler/scheduler.js";
import type { Priority } from "../../../../src/datasources/calls/scheduler/waitingLine.js";
import { Fault } from "../../../../src/datasources/errors/fault.js";

const tenPerSecond: RateLimit = { limit: 10, windowMs: 1000, per: "UID" };

/** Lets every promise that is settled by now run its course. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp() {
  const clock = new ManualClock(1_000_000);
  const scheduler = new Scheduler(clock);
  const acquire = (priority: Priority = "read", deadlineMs = 60_000, rate = tenPerSecond, counter = "main") =>
    scheduler.acquire("endpoint", counter, rate, priority, clock.now() + deadlineMs);
  return { clock, scheduler, acquire };
}

/** Lets so many windows of a second pass. */
async function seconds(clock: ManualClock, count: number): Promise<void> {
  for (let second = 0; second < count; second++) {
    clock.advance(1_004);
    await settled();
  }
}

/** A scheduler with a budget for the address, and what has left it, in order. */
function addressed(limit: number, windowMs = 1_000) {
  const clock = new ManualClock(0);
  const scheduler = new Scheduler(clock, { overall: { limit, windowMs } });
  const left: string[] = [];
  const send = async (word: string, endpoint: string, priority: Priority, rate = tenPerSecond, requester?: Requester) => {
    const permit = await scheduler.acquire(endpoint, "main", rate, priority, 600_000, requester);
    left.push(word);
    permit.settle();
  };
  return { clock, left, send };
}

/** Sends and gets an answer `tripMs` later. */
const call = (clock: ManualClock, tripMs: number, permit: Permit) => clock.after(tripMs, () => permit.settle());

describe("the scheduler", () => {
  it("counts slots as left that no replica has leased", async () => {
    const clock = new ManualClock(1_000_000);
    let leased = 10;
    const lease = { slots: () => leased, expected: () => 10, demand: () => undefined, release: () => undefined };
    const scheduler = new Scheduler(clock, { store: { lease: () => lease, close: () => Promise.resolve() } });
    const permit = await scheduler.acquire("endpoint", "main", tenPerSecond, "read", clock.now() + 60_000);
    permit.settle();
    leased = 1;
    expect(scheduler.buckets()).toMatchObject([{ limit: 10, left: 9 }]);
    clock.advance(2_000);
    leased = 0;
    expect(scheduler.buckets()).toMatchObject([{ limit: 10, left: 10 }]);
  });

  it("never admits more than the limit in any window, and uses nine tenths of it under more load", async () => {
    const { clock, acquire } = setUp();
    const sent: number[] = [];
    for (let one = 0; one < 600; one++)
      void acquire("read", 120_000).then((permit) => {
        sent.push(clock.now());
        call(clock, 40, permit);
      });
    for (let step = 0; step < 6_000; step++) {
      clock.advance(10);
      if (step % 4 === 0) await settled();
    }
    await settled();
    for (let at = 10; at < sent.length; at++) expect((sent[at] ?? 0) - (sent[at - 10] ?? 0)).toBeGreaterThan(1000);
    const inOneMinute = sent.filter((at) => at < 1_060_000).length;
    expect(inOneMinute).toBeGreaterThanOrEqual(540);
  });

  it("delays no read and no write for background calls, which take only what half of the budget leaves", async () => {
    const { clock, acquire } = setUp();
    let [sent, isOver] = [0, false];
    // As many at once as their budget allows, all the time.
    const background = async (): Promise<void> => {
      while (!isOver) {
        const permit = await acquire("background", 600_000);
        sent++;
        call(clock, 40, permit);
        await new Promise<void>((resolve) => clock.after(40, resolve));
      }
    };
    for (let one = 0; one < 10; one++) void background();
    const waits: number[] = [];
    for (let second = 0; second < 60; second++) {
      for (let one = 0; one < 5; one++)
        void acquire(one === 0 ? "write" : "read").then((permit) => {
          waits.push(permit.waitedMs);
          call(clock, 40, permit);
        });
      for (let step = 0; step < 110; step++) {
        clock.advance(10);
        await settled();
      }
    }
    isOver = true;
    expect(waits).toEqual(waits.map(() => 0));
    expect(waits.length).toBe(300);
    expect(sent).toBeGreaterThan(60);
  });

  it("lets slots rest for a whole window, however the machine's clock is set meanwhile", async () => {
    const steady = new ManualClock(1_000_000);
    let setBy = 0;
    const clock: Clock = { now: () => steady.now() + setBy, after: (ms, task) => steady.after(ms, task) };
    const scheduler = new Scheduler(clock, { steady });
    const acquire = () => scheduler.acquire("endpoint", "main", tenPerSecond, "read", clock.now() + 60_000);
    for (let one = 0; one < 10; one++) (await acquire()).settle();
    const granted: number[] = [];
    for (let one = 0; one < 20; one++) void acquire().then((permit) => granted.push(steady.now()) && permit.settle());
    setBy = 3_600_000;
    steady.advance(900);
    await settled();
    expect(granted).toEqual([]);
    setBy = -3_600_000;
    steady.advance(110);
    await settled();
    expect(granted).toHaveLength(10);
  });

  it("keeps to another limit as soon as the account has one", async () => {
    const { acquire } = setUp();
    for (let one = 0; one < 10; one++) (await acquire()).settle();
    const granted: number[] = [];
    for (let one = 0; one < 10; one++) void acquire("read", 60_000, { ...tenPerSecond, limit: 3 }).then(() => granted.push(one));
    await settled();
    expect(granted).toEqual([0, 1, 2]);
  });

  it("drops unused buckets, such as those of removed accounts, and none that is in use", async () => {
    const { clock, scheduler, acquire } = setUp();
    const busy = await acquire("read", 60_000, tenPerSecond, "busy");
    for (let one = 0; one < 2_000; one++) {
      (await acquire("read", 60_000, tenPerSecond, `desk-${one}`)).settle();
      clock.advance(100);
    }
    expect(scheduler.buckets().length).toBeLessThan(200);
    expect(scheduler.buckets()).toContainEqual(expect.objectContaining({ counter: "busy", left: 9 }));
    busy.settle();
  });

  it("lets a cancel pass a full line of reads", async () => {
    const { clock, acquire } = setUp();
    const order: string[] = [];
    for (let one = 0; one < 30; one++)
      void acquire("read").then((permit) => {
        order.push("read");
        permit.settle();
      });
    void acquire("cancel").then((permit) => {
      order.push("cancel");
      permit.settle();
    });
    await settled();
    expect(order).toEqual(Array.from({ length: 10 }, () => "read"));
    clock.advance(1_004);
    await settled();
    expect(order[10]).toBe("cancel");
  });

  it("refuses at once what cannot have its turn before its deadline, and says when to come again", async () => {
    const { acquire } = setUp();
    for (let one = 0; one < 10; one++) (await acquire()).settle();
    const refusal = await acquire("read", 500).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Fault);
    expect((refusal as Fault).extensions).toMatchObject({ code: "RATE_LIMITED", retryable: true, retryAfterMs: 1003 });
  });

  it("refuses at its deadline what has waited in vain", async () => {
    const { clock, acquire } = setUp();
    for (let one = 0; one < 10; one++) await acquire();
    const waiting = acquire("read", 2_000).catch((error: unknown) => error);
    clock.advance(2_000);
    expect(((await waiting) as Fault).code).toBe("RATE_LIMITED");
  });

  it("counts each account separately, and public calls together", async () => {
    const { acquire, scheduler } = setUp();
    for (let one = 0; one < 10; one++) await acquire("read", 60_000, tenPerSecond, "main");
    await acquire("read", 10, tenPerSecond, "classic");
    expect(scheduler.buckets().map(({ counter, left }) => [counter, left])).toEqual([
      ["main", 0],
      ["classic", 9],
    ]);
  });

  it("waits for the address as a whole when an endpoint's own budget would allow more", async () => {
    const { clock, acquire } = setUp();
    const wide: RateLimit = { limit: 10_000, windowMs: 1000, per: "IP" };
    for (let one = 0; one < 475; one++) (await acquire("read", 60_000, wide, "IP")).settle();
    let granted = false;
    void acquire("read", 120_000, wide, "IP").then(() => {
      granted = true;
    });
    clock.advance(4_999);
    await settled();
    expect(granted).toBe(false);
    clock.advance(4);
    await settled();
    expect(granted).toBe(true);
  });

  it("shows what is left of the address's budget, and how many calls wait for it", async () => {
    const clock = new ManualClock(0);
    const scheduler = new Scheduler(clock, { overall: { limit: 20, windowMs: 60_000 } });
    const send = (endpoint: string, priority: Priority = "read") =>
      scheduler.acquire(endpoint, "main", tenPerSecond, priority, 300_000).then((permit) => permit.settle());
    expect(scheduler.overall()).toEqual({ endpoint: "(all)", counter: "IP", limit: 20, windowMs: 60_000, left: 20, waiting: 0 });
    for (let one = 0; one < 10; one++) {
      void send("balances");
      void send("positions");
    }
    await settled();
    // One of the twenty is kept for writes.
    expect(scheduler.overall()).toMatchObject({ left: 1, waiting: 1 });
    await send("cancelOrder", "cancel");
    expect(scheduler.overall()).toMatchObject({ left: 0, waiting: 1 });
    clock.advance(60_003);
    await settled();
    expect(scheduler.overall()).toMatchObject({ left: 19, waiting: 0 });
  });

  it("refuses at once what the address's budget cannot let go before its deadline, and says when to come again", async () => {
    const clock = new ManualClock(0);
    const scheduler = new Scheduler(clock, { overall: { limit: 20, windowMs: 60_000 } });
    const wide: RateLimit = { limit: 1_000, windowMs: 1000, per: "UID" };
    const send = (priority: Priority) => scheduler.acquire("balances", "main", wide, priority, clock.now() + 5_000);
    for (let one = 0; one < 19; one++) (await send("read")).settle();
    clock.advance(10_000);
    await expect(send("read")).rejects.toMatchObject({ code: "RATE_LIMITED", extensions: { retryAfterMs: 50_003 } });
    (await send("write")).settle();
    await expect(send("write")).rejects.toMatchObject({ code: "RATE_LIMITED", extensions: { retryAfterMs: 50_003 } });
  });

  it("spends the address's budget so that no minute has more than its 6,000 calls, and goes on all the time", async () => {
    const { clock, scheduler } = setUp();
    const sent: number[] = [];
    for (let one = 0; one < 12_000; one++)
      void scheduler
        .acquire(`endpoint ${one % 20}`, "IP", { limit: 1_000, windowMs: 1000, per: "IP" }, "write", clock.now() + 300_000)
        .then((permit) => {
          sent.push(clock.now());
          permit.settle();
        });
    for (let step = 0; step < 1_300; step++) {
      clock.advance(100);
      await settled();
    }
    expect(sent.length).toBeGreaterThan(11_500);
    for (let at = 6_000; at < sent.length; at++) expect((sent[at] ?? 0) - (sent[at - 6_000] ?? 0)).toBeGreaterThan(60_000);
    for (let at = 1; at < sent.length; at++) expect((sent[at] ?? 0) - (sent[at - 1] ?? 0)).toBeLessThanOrEqual(5_200);
  });

  it("keeps a part of the address's budget for cancels and writes, however much is read", async () => {
    const { left, send: sendAs } = addressed(100, 60_000);
    const send = (endpoint: string, priority: Priority) =>
      sendAs(priority, endpoint, priority, { limit: 1_000, windowMs: 1000, per: "UID" });
    for (let one = 0; one < 200; one++) void send("balances", one % 2 === 0 ? "read" : "refresh");
    await settled();
    expect(left).toHaveLength(95);
    const before = left.length;
    await Promise.all([send("cancelOrder", "cancel"), send("balances", "write")]);
    expect(left.slice(before)).toEqual(["cancel", "write"]);
  });

  it("gives the address's next slot to the call of the highest priority, across endpoints", async () => {
    const { clock, left, send: sendAs } = addressed(1);
    const send = (endpoint: string, priority: Priority) => sendAs(`${priority} ${endpoint}`, endpoint, priority);
    await send("first", "read");
    const later = [send("balances", "refresh"), send("positions", "read"), send("cancelOrder", "cancel")];
    await seconds(clock, 4);
    await Promise.all(later);
    expect(left).toEqual(["read first", "cancel cancelOrder", "read positions", "refresh balances"]);
  });

  it("lets clients take turns at an endpoint's budget, and at the address's across endpoints", async () => {
    const { clock, left, send: sendAs } = addressed(20);
    const send = (client: string, endpoint: string) =>
      sendAs(client, endpoint, "read", tenPerSecond, gatewayFor({ client, weight: 1 }));
    for (let one = 0; one < 100; one++) for (const endpoint of ["a", "b", "c", "d", "e"]) void send("greedy", endpoint);
    for (let one = 0; one < 20; one++) void send("victim", one % 2 === 0 ? "a" : "f");
    await seconds(clock, 5);
    const places = left.flatMap((client, at) => (client === "victim" ? [at] : []));
    expect(places).toHaveLength(20);
    // 19 leave before there is a queue. From there on the two share equally.
    expect(places.at(-1)).toBeLessThanOrEqual(19 + 2 * 20);
  });

  it("looks at no other bucket when a call settles while the address has no slot", async () => {
    const clock = new ManualClock(0);
    let looks = 0;
    const store: RateBudgetStore = {
      lease: ({ counter, limit }) => {
        const slots = () => {
          if (counter.startsWith("other")) looks++;
          return limit;
        };
        return { slots, expected: () => limit, demand: () => undefined, release: () => undefined };
      },
      close: () => Promise.resolve(),
    };
    const scheduler = new Scheduler(clock, { overall: { limit: 20, windowMs: 1_000 }, store });
    const acquire = (counter: string) => scheduler.acquire("endpoint", counter, tenPerSecond, "read", 60_000);
    const permits = await Promise.all(Array.from({ length: 19 }, (_, at) => acquire(`account ${at % 2}`)));
    const waiting = Array.from({ length: 50 }, (_, at) => acquire(`other account ${at}`));
    looks = 0;
    for (const permit of permits) permit.settle();
    expect(looks).toBe(0);
    for (let second = 0; second < 3; second++) {
      clock.advance(1_004);
      await settled();
      for (const permit of await Promise.all(waiting.slice(19 * second, 19 * (second + 1)))) permit.settle();
    }
    expect(clock.pending).toBe(0);
  });

  it("serves clients by their weights, at an endpoint's budget and at the address's", async () => {
    const { clock, left, send: sendAs } = addressed(20);
    const send = (client: string, weight: number, endpoint: string) =>
      sendAs(client, endpoint, "read", tenPerSecond, gatewayFor({ client, weight }));
    for (const client of ["light", "heavy"])
      for (let one = 0; one < 60; one++) void send(client, client === "heavy" ? 3 : 1, ["a", "b", "c"][one % 3] ?? "");
    await seconds(clock, 4);
    // The first leave before there is a queue.
    const shared = left.slice(20, 60);
    expect(shared).toHaveLength(40);
    const share = shared.filter((client) => client === "heavy").length / shared.length;
    expect(share).toBeGreaterThan(0.65);
    expect(share).toBeLessThan(0.85);
  });

  it("cancels a call as soon as no client waits for it, and checks again when its turn has come", async () => {
    const { clock, scheduler } = setUp();
    for (let one = 0; one < 10; one++) (await scheduler.acquire("endpoint", "main", tenPerSecond, "read", 2_000_000)).settle();
    const requester = (refusal: Requester["refusal"]) => {
      let refuse: (why: Fault) => void = () => undefined;
      const onceRefused = (task: (why: Fault) => void) => {
        refuse = task;
        return () => undefined;
      };
      return { client: "a", weight: 1, refusal, onceRefused, refuse: (why: Fault) => refuse(why) };
    };
    const acquire = (requester: Requester) =>
      scheduler.acquire("endpoint", "main", tenPerSecond, "read", 2_000_000, requester).then(
        (permit) => permit.settle() ?? "sent",
        (error: Fault) => error.code,
      );
    const gone = requester(() => undefined);
    const revoked = new Fault("UNAUTHENTICATED", "revoked");
    const all = [
      acquire(gone),
      acquire(requester(() => revoked)),
      acquire(requester(async () => revoked)),
      acquire(requester(() => undefined)),
    ];
    gone.refuse(new Fault("CLIENT_GONE", "gone"));
    expect(await all[0]).toBe("CLIENT_GONE");
    expect(scheduler.buckets()[0]?.waiting).toBe(3);
    clock.advance(1_010);
    expect(await Promise.all(all)).toEqual(["CLIENT_GONE", "UNAUTHENTICATED", "UNAUTHENTICATED", "sent"]);
    // Calls that were not sent have spent nothing.
    expect(scheduler.buckets()[0]?.left).toBe(9);
    expect(clock.pending).toBe(0);
  });
});
