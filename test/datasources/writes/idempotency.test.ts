import { afterEach, describe, expect, it } from "vitest";
import { Fault, type Requester, RequestReads, RequestWrites } from "../../../src/datasources/index.js";
import { placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { startedOnce } from "../../support/started.js";
import { ordersNamed, place, resting } from "./support/limitOrder.js";
import { startLiveExchange } from "./support/liveExchange.js";

const live = startedOnce(() => startLiveExchange());
afterEach(async () => {
  live.sandbox.faults.clear();
  await live.pass(2_000);
  live.sandbox.calls.clear();
});
const sent = () => live.sandbox.calls.of("placeOrder").total;

describe("the same idempotency key", () => {
  it("fifty times at once sends one order and gives fifty equal answers", async () => {
    const once = { ...resting("fifty"), idempotencyKey: "k-50" };
    const results = await live.during(Promise.all(Array.from({ length: 50 }, () => place(live, once))));
    expect(results.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(new Set(results.map((result) => JSON.stringify({ ...result, isReplay: true }))).size).toBe(1);
    expect(results[0]?.outcome).toBe("ACCEPTED");
    expect([sent(), ordersNamed(live, "fifty").length]).toEqual([1, 1]);
  });

  it("fifty times at once while the answer is lost sends one order too", async () => {
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "lost-reply" } });
    const results = await live.during(Promise.all(Array.from({ length: 50 }, () => place(live, resting("fifty-lost")))));
    expect(new Set(results.map((result) => JSON.stringify({ ...result, isReplay: true }))).size).toBe(1);
    expect(results[0]?.outcome).toBe("ACCEPTED");
    expect(sent()).toBe(1);
  });

  it("later gives the first outcome, also one that was a refusal, and sends nothing", async () => {
    const good = await live.during(place(live, resting("later")));
    expect(await live.during(place(live, resting("later")))).toEqual({ ...good, isReplay: true });
    const bad = await live.during(place(live, resting("later-poor", { qty: "9000" })));
    expect(bad.outcome).toBe("REJECTED");
    expect(await live.during(place(live, resting("later-poor", { qty: "9000" })))).toEqual({ ...bad, isReplay: true });
    expect(sent()).toBe(2);
  });

  describe("of clients that may not write any more", () => {
    const placeAs = (refusal: Requester["refusal"], order: string) => {
      const requester: Requester = { client: "", weight: 1, refusal, onceRefused: () => () => undefined };
      const writes = new RequestWrites(live.exchange.writes, new RequestReads(live.exchange, { requester }));
      return placeOrder(writes, live.account("main"), resting(order));
    };
    const refusals = ["UNAUTHENTICATED", "FORBIDDEN"] as const;
    const codes = (results: readonly Awaited<ReturnType<typeof placeAs>>[]) =>
      results.map(({ outcome, problems: [problem] }) => problem?.code ?? outcome);

    it("refuses each for its own reason", async () => {
      const ends = refusals.map((code) => placeAs(() => new Fault(code, code), "refused"));
      expect(codes(await live.during(Promise.all(ends)))).toEqual(refusals);
      expect(sent()).toBe(0);
    });

    it.each(refusals)("is sent for another one that comes meanwhile: %s", async (code) => {
      const order = `meanwhile-${code}`;
      // What an order reads is cached from now on.
      await live.during(place(live, resting(`before-${code}`)));
      let other: ReturnType<typeof placeAs> | undefined;
      const refused = placeAs(() => {
        other ??= placeAs(() => undefined, order);
        return new Promise((resolve) => setImmediate(() => resolve(new Fault(code, code))));
      }, order);
      expect(codes([await live.during(refused)])).toEqual([code]);
      expect(codes([await live.during(other ?? Promise.reject(new Error("nobody was asked")))])).toEqual(["ACCEPTED"]);
      expect(sent()).toBe(2);
    });
  });

  it.each([
    ["another quantity", { qty: "0.002" }],
    ["another side", { side: "sell" }],
    ["one field more", { timeInForce: "post_only" }],
  ] as const)("with another input is refused and sends nothing: %s", async (words, change) => {
    const key = `other-${words.replaceAll(" ", "-")}`;
    await live.during(place(live, resting(`${key}-1`, { idempotencyKey: key })));
    const calls = sent();
    const reused = await live.during(place(live, resting(`${key}-1`, { idempotencyKey: key, ...change })));
    expect(reused).toMatchObject({
      outcome: "REJECTED",
      problems: [{ code: "IDEMPOTENCY_KEY_REUSED", field: "idempotencyKey" }],
      entry: null,
    });
    expect(sent()).toBe(calls);
  });

  it("with another input is refused while the first is still under way", async () => {
    const [one, other] = await live.during(
      Promise.all([place(live, resting("race")), place(live, resting("race", { qty: "0.002" }))]),
    );
    expect([one.outcome, other.problems[0]]).toMatchObject(["ACCEPTED", { code: "IDEMPOTENCY_KEY_REUSED", field: "clientOid" }]);
    expect(sent()).toBe(1);
  });

  it("is well-formed text: lone surrogates, which are equal in the journal, are refused", async () => {
    const halves = ["half\ud800", "half\ud801", "half\n", ""].map((idempotencyKey) =>
      place(live, resting("halves", { idempotencyKey })),
    );
    const results = await live.during(Promise.all(halves));
    expect(results.map(({ problems }) => [problems[0]?.code, problems[0]?.field])).toEqual(
      Array.from(halves, () => ["BAD_USER_INPUT", "idempotencyKey"]),
    );
    expect(sent()).toBe(0);
  });

  it("means another write on another account", async () => {
    await live.during(place(live, resting("shared"), "main"));
    const other = await live.during(place(live, resting("shared"), "classic"));
    expect(other.outcome).toBe("ACCEPTED");
  });

  it("may be used again when a rule was broken, for nothing was sent", async () => {
    const broken = await live.during(place(live, resting("mended", { qty: "0.0000001" })));
    expect(broken.outcome).toBe("REJECTED");
    expect((await live.during(place(live, resting("mended")))).outcome).toBe("ACCEPTED");
  });

  it("may be used again when there was no rate budget, for nothing was sent", async () => {
    const many = Array.from({ length: 140 }, (_, at) => place(live, resting(`budget-${at}`)).catch((error: unknown) => error));
    const results = await live.during(Promise.all(many));
    const refused = results.findIndex((result) => result instanceof Fault && result.code === "RATE_LIMITED");
    expect(refused).toBeGreaterThan(0);
    expect(results.filter((result) => result instanceof Error && !(result instanceof Fault))).toEqual([]);
    expect(ordersNamed(live, `budget-${refused}`)).toEqual([]);
    expect((await live.during(place(live, resting(`budget-${refused}`)))).outcome).toBe("ACCEPTED");
    expect(live.sandbox.limits.violations).toBe(0);
  });
});

describe("without a key", () => {
  it("the clientOid is the key", async () => {
    const results = [await live.during(place(live, resting("own"))), await live.during(place(live, resting("own")))];
    expect(results.map(({ entry }) => entry?.key)).toEqual(["own", "own"]);
    expect(sent()).toBe(1);
  });

  it("and without a name every write is a separate one, with a generated clientOid", async () => {
    const { clientOid: _, ...nameless } = resting("");
    const results = [await live.during(place(live, nameless)), await live.during(place(live, nameless))];
    const names = results.map(({ reply }) => reply?.clientOid ?? "");
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^[.A-Z:/a-z0-9_-]{1,32}$/);
  });
});

describe("a dry run", () => {
  it("returns the request that would be sent, and sends and stores nothing", async () => {
    const rehearsal = await live.during(place(live, resting("dry", { dryRun: true })));
    const estimate = expect.objectContaining({ cost: "60", required: "60", isAffordable: true });
    expect(rehearsal).toEqual({
      outcome: null,
      reply: null,
      problems: [],
      entry: null,
      isReplay: false,
      ...{ estimate, estimateInBatch: estimate },
      request: {
        method: "POST",
        path: "/api/v3/trade/place-order",
        body: {
          category: "SPOT",
          symbol: "BTCUSDT",
          clientOid: "dry",
          side: "buy",
          orderType: "limit",
          price: "60000",
          qty: "0.001",
        },
      },
    });
    expect(sent()).toBe(0);
    expect((await live.during(place(live, resting("dry")))).outcome).toBe("ACCEPTED");
  });

  it("makes every check", async () => {
    const rehearsal = await live.during(place(live, resting("dry-broken", { dryRun: true, qty: "0.0000001" })));
    expect(rehearsal).toMatchObject({ outcome: "REJECTED", problems: [{ field: "qty" }], request: null });
    await live.during(place(live, resting("dry-key")));
    const reused = await live.during(place(live, resting("dry-key", { dryRun: true, qty: "0.002" })));
    expect(reused).toMatchObject({ problems: [{ code: "IDEMPOTENCY_KEY_REUSED" }] });
  });
});
