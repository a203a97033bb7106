import { exact, plain } from "@exchange-graph/contract/decimal";
import { afterEach, describe, expect, it } from "vitest";
import type { TradingLimits } from "../../../src/datasources/writes/limits/tradingLimits.js";
import { modifyPlanOrder } from "../../../src/datasources/writes/mutations/modifyPlanOrder.js";
import { placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { placePlanOrder } from "../../../src/datasources/writes/mutations/placePlanOrder.js";
import type { PlacePlanOrderInput, PlanTermsInput } from "../../../src/datasources/writes/mutations/planOrders/planOrderInput.js";
import { describeUnless } from "../../support/missing.js";
import { noPostgres, type Postgres, startPostgres } from "../../support/postgres.js";
import { temporaryFiles } from "../../support/temporaryFiles.js";
import { writesOn } from "../../support/writesOn.js";
import { resting } from "./support/limitOrder.js";
import { type AccountName, type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";
import { openReplica, startSharedSandbox } from "./support/replicas.js";

const newFile = temporaryFiles();

let live: LiveExchange;
afterEach(() => live?.close());
const start = async (settings: Parameters<typeof startLiveExchange>[0] = {}) => {
  live = await startLiveExchange(settings);
  await live.identified();
};

type Category = "SPOT" | "MARGIN" | "USDT-FUTURES";
/** The market price times a factor, on the grid. */
const priced = (factor: string, category: Category = "USDT-FUTURES"): string => {
  const { markets } = live.sandbox.world.state;
  const { listing } = markets.of(category, "BTCUSDT");
  return plain(listing.grid.price(listing.grid.steps(listing.price(markets.tick).times(factor))));
};

/** Terms of each kind that do not trade by themselves soon. */
const TERMS: Readonly<Record<string, (category: Category) => PlanTermsInput>> = {
  trigger: (category) => ({ trigger: { triggerPrice: priced("0.8", category), limitPrice: priced("0.8", category) } }),
  oco: (category) => ({ oco: { limitPrice: priced("0.96", category), triggerPrice: priced("1.2", category) } }),
  trailing_stop: (category) => ({
    trailingStop: { distance: { rate: "0.01" }, activationPrice: priced("0.8", category), activationBy: "mark" },
  }),
  iceberg: (category) => ({ iceberg: { parts: { count: 4 }, price: { fixedPrice: priced("0.96", category) } } }),
  twap: (category) => ({ twap: { durationMinutes: 20, intervalSeconds: "60", triggerPrice: priced("0.8", category) } }),
};
const KINDS = Object.keys(TERMS);
/** Each kind, and each category with a kind that is priced at once and one that waits. */
const PAIRS: readonly (readonly [kind: string, category: Category])[] = [
  ["trigger", "SPOT"],
  ["trigger", "USDT-FUTURES"],
  ["oco", "SPOT"],
  ["oco", "MARGIN"],
  ["trailing_stop", "MARGIN"],
  ["iceberg", "USDT-FUTURES"],
  ["twap", "SPOT"],
];
const termsOf = (kind: string, category: Category = "USDT-FUTURES"): PlanTermsInput => TERMS[kind]?.(category) ?? {};

const orderOf = (clientOid: string, terms: PlanTermsInput, more: Partial<PlacePlanOrderInput> = {}): PlacePlanOrderInput => ({
  ...{ category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", qty: "0.2", clientOid, terms },
  ...more,
});
const place = (input: PlacePlanOrderInput, account: AccountName = "main") =>
  live.during(placePlanOrder(live.writes(), live.account(account), input));
const waiting = (account: AccountName = "main") => live.sandbox.world.planStore.waiting(UID[account]);
const problemOf = ({ problems, outcome }: Awaited<ReturnType<typeof place>>): string =>
  problems.map(({ code, field }) => `${code} ${field}`)[0] ?? String(outcome);

describe("a dry run of a trigger order", () => {
  it.each(PAIRS)("of kind %s on %s estimates the whole quantity at its price, and sends nothing", async (kind, category) => {
    await start();
    const input = { ...orderOf("dry", termsOf(kind, category), { category }), dryRun: true };
    const { outcome, estimate } = await place(input);
    const price = { trigger: priced("0.8", category), oco: priced("1.2", category), iceberg: priced("0.96", category) }[kind];
    const expected = price ?? priced("0.8", category);
    const cost = plain(exact(expected).times("0.2"));
    expect(estimate).toMatchObject({ price: expected, cost, costCoin: "USDT", maxQuoteQty: null });
    // Without a leverage it is not known on margin and futures.
    expect(estimate?.isAffordable).toBe(kind === "oco" && category === "SPOT" ? true : null);
    expect([outcome, waiting().length]).toEqual([null, 0]);
    // It is no reason for a refusal that the funds are not there yet, unless they are needed at once.
    const dear = await place({ ...input, qty: "40", clientOid: "dear" });
    if (category === "SPOT") expect(problemOf(dear)).toBe(kind === "oco" ? "INSUFFICIENT_BALANCE qty" : "null");
  });

  it("of an exit is the cost of closing the position, and of a Classic trailing order that of its quantity", async () => {
    await start();
    const bought = { ...orderOf("held", {}), orderType: "market", qty: "0.02", terms: undefined } as const;
    const { terms: _, ...market } = bought;
    await live.during(placeOrder(live.writes(), live.account("main"), { ...market, orderType: "market", side: "buy" }));
    const stop = { triggerPrice: priced("0.9") };
    const exits = { ...orderOf("exit", { tpsl: { stopLoss: stop } }), side: undefined, posSide: "long", qty: undefined } as const;
    expect((await place({ ...exits, dryRun: true })).estimate).toMatchObject({
      price: stop.triggerPrice,
      cost: plain(exact(stop.triggerPrice).times("0.02")),
    });
    const trailing = { ...orderOf("trail", termsOf("trailing_stop")), dryRun: true };
    expect((await place(trailing, "classic")).estimate).toMatchObject({ price: priced("0.8"), isAffordable: null });
  });
});

describe("a strategy order of a unified account", () => {
  it.each(PAIRS)("of kind %s is placed on %s with its terms, once for one identifier", async (kind, category) => {
    await start();
    const input = orderOf("once", termsOf(kind, category), { category });
    const first = await place(input);
    expect(first).toMatchObject({ outcome: "ACCEPTED", reply: { clientOid: "once" }, problems: [] });
    expect(await place(input)).toMatchObject({ outcome: "ACCEPTED", reply: first.reply, isReplay: true });
    expect(waiting()).toMatchObject([{ planId: first.reply?.orderId, category, clientOid: "once" }]);
    expect(waiting()[0]?.strategy?.kind ?? "trigger").toBe(kind);
    expect(live.sandbox.calls.of("placeStrategyOrder").total).toBe(1);
  });

  it.each(["trigger", "iceberg"])("of kind %s whose answer is lost is found by its identifier", async (kind) => {
    await start();
    live.sandbox.faults.add({ endpoint: "placeStrategyOrder", fault: { kind: "lost-reply" }, times: 1 });
    const { outcome, reply } = await place(orderOf("lost", termsOf(kind)));
    expect([outcome, reply?.orderId]).toEqual(["ACCEPTED", waiting()[0]?.planId]);
    expect(live.sandbox.calls.of("placeStrategyOrder").total).toBe(1);
  });

  it("whose request is lost is unknown until it cannot arrive any more, and then rejected", async () => {
    await start();
    live.sandbox.faults.add({ endpoint: "placeStrategyOrder", fault: { kind: "reset" }, times: 1 });
    const input = orderOf("never", termsOf("twap"));
    expect((await place(input)).outcome).toBe("UNKNOWN");
    await live.pass(40_000);
    expect(await place(input)).toMatchObject({ outcome: "REJECTED", problems: [{ code: "EXCHANGE_TIMEOUT" }] });
    expect([waiting().length, live.sandbox.calls.of("placeStrategyOrder").total]).toEqual([0, 1]);
  });

  it("that is listed under another identifier stays unknown: it may be the lost one", async () => {
    await start();
    live.sandbox.faults.add({ endpoint: "placeStrategyOrder", fault: { kind: "lost-reply" }, times: 1 });
    live.sandbox.faults.add({ endpoint: "openPlanOrders", fault: { kind: "reset" }, times: 40 });
    const input = orderOf("nameless", termsOf("twap"));
    const asking = place(input);
    expect((await asking).outcome).toBe("UNKNOWN");
    Object.assign(waiting()[0] ?? {}, { clientOid: "7" });
    live.sandbox.faults.clear();
    await live.pass(60_000);
    expect((await place(input)).outcome).toBe("UNKNOWN");
  });

  it("left behind by a process that was killed is settled by the next one", async () => {
    await start({ journalPath: newFile("killed.sqlite") });
    live.sandbox.faults.add({ endpoint: "placeStrategyOrder", fault: { kind: "lost-reply" }, times: 1 });
    const silence = live.sandbox.faults.add({ endpoint: "openPlanOrders", fault: { kind: "reset" } });
    const input = orderOf("behind", termsOf("iceberg"));
    expect((await place(input)).outcome).toBe("UNKNOWN");
    live.sandbox.faults.remove(silence);
    await live.restart();
    const next = await live.during(placeOrder(live.writes(), live.account("main"), resting("next")));
    expect(next.outcome).toBe("ACCEPTED");
    expect(await live.exchange.writes.journal.find(UID.main, "behind")).toMatchObject({
      state: "ACCEPTED",
      reply: { orderId: waiting()[0]?.planId },
    });
  });

  it("is refused during a halt, unless it only reduces a position", async () => {
    await start();
    await live.exchange.writes.halts.halt({ account: live.account("main"), since: 1, by: null, reason: null });
    for (const kind of KINDS) expect(problemOf(await place(orderOf(kind, termsOf(kind))))).toBe("TRADING_HALTED null");
    expect(waiting()).toEqual([]);
    const reducing = orderOf("reduces", termsOf("trigger"), { side: "sell", reduceOnly: true });
    expect((await place(reducing)).outcome).toBe("ACCEPTED");
    expect(live.sandbox.calls.of("placeStrategyOrder").total).toBe(1);
  });

  it.each<[string, Partial<PlacePlanOrderInput>, string]>([
    ["without a side", { side: undefined }, "BAD_USER_INPUT side"],
    ["without a quantity", { qty: undefined }, "BAD_USER_INPUT qty"],
    ["off the symbol's steps", { qty: "0.00001234" }, "BAD_USER_INPUT qty"],
    [
      "with a duration of more than a day",
      { terms: { twap: { durationMinutes: 1441, intervalSeconds: "60" } } },
      "BAD_USER_INPUT terms.twap.durationMinutes",
    ],
    [
      "with a distance out of bounds",
      { terms: { trailingStop: { distance: { rate: "0.2" } } } },
      "BAD_USER_INPUT terms.trailingStop.distance.rate",
    ],
    ["that reduces on spot", { category: "SPOT", reduceOnly: true }, "BAD_USER_INPUT reduceOnly"],
    [
      "of exits on spot",
      { category: "SPOT", side: undefined, posSide: "long", terms: { tpsl: { stopLoss: { triggerPrice: "50000" } } } },
      "BAD_USER_INPUT category",
    ],
  ])("is refused %s, by the field's path, and not sent", async (_, more, problem) => {
    await start();
    expect(problemOf(await place(orderOf("bad", termsOf("twap"), more)))).toBe(problem);
    expect(live.sandbox.calls.of("placeStrategyOrder").total).toBe(0);
  });
});

describe("limits count all that a strategy order may trade", () => {
  const limited = (limits: TradingLimits, more: Parameters<typeof startLiveExchange>[0] = {}) =>
    start({ limits: { accounts: new Map([["main", limits]]), clients: new Map() }, ...more });
  const btc = (most: string) => ({ coins: new Map([["BTC", most]]) });

  it.each(KINDS)("in one order, of kind %s, on spot and futures", async (kind) => {
    await limited({ order: btc("0.15") });
    for (const category of ["SPOT", "USDT-FUTURES"] as const)
      expect(problemOf(await place(orderOf(category, termsOf(kind, category), { category })))).toBe("LIMIT_EXCEEDED qty");
    expect(live.sandbox.calls.of("placeStrategyOrder").total).toBe(0);
  });

  it.each(KINDS)("in money, of kind %s: at the highest price of its terms", async (kind) => {
    const dearest = kind === "oco" ? "1.2" : kind === "iceberg" ? "0.96" : "0.8";
    await start();
    const value = plain(
      live.sandbox.world.state.markets
        .of("USDT-FUTURES", "BTCUSDT")
        .listing.price(live.sandbox.world.state.markets.tick)
        .times(dearest)
        .times("0.2")
        .times("0.999"),
    );
    await live.close();
    await limited({ order: { value, coins: new Map() } });
    expect(problemOf(await place(orderOf("dear", termsOf(kind))))).toBe("LIMIT_EXCEEDED qty");
  });

  it.each(KINDS)("as long as it runs, of kind %s, also after a restart", async (kind) => {
    await limited({ open: btc("0.5") }, { journalPath: newFile(`open-${kind}.sqlite`) });
    expect((await place(orderOf("first", termsOf(kind)))).outcome).toBe("ACCEPTED");
    await live.pass(90_000);
    const second = orderOf("second", termsOf("trigger"), { qty: "0.31" });
    expect(problemOf(await place(second))).toBe("LIMIT_EXCEEDED qty");
    await live.restart();
    await live.identified();
    expect(problemOf(await place({ ...second, clientOid: "third" }))).toBe("LIMIT_EXCEEDED qty");
    const order = await live.during(
      placeOrder(live.writes(), live.account("main"), resting("an-order", { qty: "0.31", category: "USDT-FUTURES" })),
    );
    expect(order.problems).toMatchObject([{ code: "LIMIT_EXCEEDED" }]);
    for (const plan of waiting()) live.sandbox.world.plans.cancel(plan);
    await live.pass(3_000);
    expect((await place({ ...second, clientOid: "fourth" })).outcome).toBe("ACCEPTED");
  });

  it("of one that was placed elsewhere, at most half a minute later", async () => {
    await limited({ open: btc("0.5") });
    const spot = { category: "SPOT", clientOid: "small" } as const;
    const small = (clientOid: string) =>
      place(orderOf(clientOid, termsOf("trigger", "SPOT"), { ...spot, clientOid, qty: "0.001" }));
    expect((await small("first")).outcome).toBe("ACCEPTED");
    live.sandbox.world.strategies.place({
      strategy: { kind: "twap", params: { duration: 20, interval: "60", twapTriggerPrice: priced("0.8") } },
      order: {
        uid: UID.main,
        category: "USDT-FUTURES",
        symbol: "BTCUSDT",
        side: "buy",
        orderType: "market",
        quantity: exact("0.5"),
      },
    });
    await live.pass(31_000);
    expect(problemOf(await small("second"))).toBe("LIMIT_EXCEEDED qty");
  });

  it("with other strategy orders at the same time: not both are sent", async () => {
    await limited({ open: btc("0.3") });
    const both = ["one", "two"].map((name) =>
      placePlanOrder(live.writes(), live.account("main"), orderOf(name, termsOf("twap"))),
    );
    const outcomes = (await live.during(Promise.all(both))).map(({ outcome }) => outcome);
    expect([outcomes.sort(), waiting().length]).toEqual([["ACCEPTED", "REJECTED"], 1]);
  });
});

describe("the change of a trigger order", () => {
  it.each(["main", "classic"] as const)(
    "gives it its new terms under its identifier, and counts against limits, on %s",
    async (account) => {
      await start({
        limits: { accounts: new Map([[account, { order: { coins: new Map([["BTC", "0.5"]]) } }]]), clients: new Map() },
      });
      const placed = await place(orderOf("mine", termsOf("trigger")), account);
      expect(placed.problems).toEqual([]);
      const [triggerPrice, limitPrice] = [priced("0.85"), priced("0.86")];
      const change = {
        ...({ category: "USDT-FUTURES", symbol: "BTCUSDT", clientOid: "mine", qty: "0.3" } as const),
        terms: { trigger: { triggerPrice, triggerBy: "mark", limitPrice } },
      } as const;
      const endpoint = account === "main" ? "modifyStrategyOrder" : "classicModifyPlanOrder";
      live.sandbox.faults.add({ endpoint, fault: { kind: "lost-reply" }, times: 1 });
      const changed = await live.during(modifyPlanOrder(live.writes(), live.account(account), change));
      expect(changed).toMatchObject({ outcome: "ACCEPTED", reply: { orderId: placed.reply?.orderId } });
      const [plan] = waiting(account);
      const { trigger } = plan?.legs[0] ?? {};
      const request = plan?.action.kind === "order" ? plan.action.request : undefined;
      expect([plan?.planId, plan?.quantity?.toFixed(), trigger?.price.toFixed(), trigger?.by, request?.price?.toFixed()]).toEqual(
        [placed.reply?.orderId, "0.3", triggerPrice, "mark", limitPrice],
      );
      const tooMuch = await live.during(modifyPlanOrder(live.writes(), live.account(account), { ...change, qty: "0.6" }));
      expect(tooMuch.problems).toMatchObject([{ code: "LIMIT_EXCEEDED", field: "qty" }]);
      await live.exchange.writes.halts.halt({ account: live.account(account), since: 1, by: null, reason: null });
      const halted = await live.during(modifyPlanOrder(live.writes(), live.account(account), { ...change, qty: "0.1" }));
      expect(halted.problems).toMatchObject([{ code: "TRADING_HALTED" }]);
      expect(live.sandbox.calls.of(endpoint).total).toBe(1);
    },
  );

  it.each(["main", "classic"] as const)("moves the stop-loss of a position during a halt, on %s", async (account) => {
    await start();
    const open = { category: "USDT-FUTURES", orderType: "market", price: null, qty: "0.02" } as const;
    await live.during(placeOrder(live.writes(), live.account(account), resting("open", open)));
    const exit = {
      terms: { tpsl: { stopLoss: { triggerPrice: priced("0.8") } } },
      side: undefined,
      posSide: "long",
      qty: undefined,
    } as const;
    const placed = await place(orderOf("stop", {}, exit), account);
    expect(placed.problems).toEqual([]);
    await live.exchange.writes.halts.halt({ account: live.account(account), since: 1, by: null, reason: null });
    const stopLoss = { triggerPrice: priced("0.9"), triggerBy: "mark" } as const;
    const change = {
      category: "USDT-FUTURES",
      symbol: "BTCUSDT",
      orderId: placed.reply?.orderId,
      terms: { tpsl: { stopLoss } },
    } as const;
    const changed = await live.during(modifyPlanOrder(live.writes(), live.account(account), change));
    expect(changed).toMatchObject({ outcome: "ACCEPTED", problems: [] });
    expect(waiting(account)[0]?.legs.map(({ role, trigger }) => [role, trigger.price.toFixed()])).toEqual([
      ["stopLoss", stopLoss.triggerPrice],
    ]);
  });

  it("of a kind that cannot be changed, and of none, is not sent", async () => {
    await start();
    const { reply } = await place(orderOf("twap", termsOf("twap")));
    for (const orderId of [reply?.orderId, "12345"]) {
      const change = { category: "USDT-FUTURES", symbol: "BTCUSDT", orderId, qty: "0.3" } as const;
      const { problems } = await live.during(modifyPlanOrder(live.writes(), live.account("main"), change));
      expect(problems).toMatchObject([{ code: "ORDER_NOT_FOUND" }]);
    }
    expect(live.sandbox.calls.of("modifyStrategyOrder").total).toBe(0);
  });
});

describe("a trigger order of a Classic account", () => {
  it.each(["trigger", "trailing_stop"])(
    "of kind %s is placed, found after a lost answer, and counts while it waits",
    async (kind) => {
      await start({
        limits: { accounts: new Map([["classic", { open: { coins: new Map([["BTC", "0.5"]]) } }]]), clients: new Map() },
      });
      live.sandbox.faults.add({ endpoint: "classicPlacePlanOrder", fault: { kind: "lost-reply" }, times: 1 });
      const placed = await place(orderOf("mine", termsOf(kind)), "classic");
      expect(placed).toMatchObject({ outcome: "ACCEPTED", reply: { orderId: waiting("classic")[0]?.planId } });
      expect(waiting("classic")).toMatchObject([{ kind: kind === "trigger" ? "normal_plan" : "track_plan", clientOid: "mine" }]);
      await live.pass(90_000);
      expect(problemOf(await place(orderOf("more", termsOf(kind), { qty: "0.31" }), "classic"))).toBe("LIMIT_EXCEEDED qty");
    },
  );

  it.each(["oco", "iceberg", "twap"])("of kind %s does not exist", async (kind) => {
    await start();
    expect(problemOf(await place(orderOf("none", termsOf(kind)), "classic"))).toBe(`ACCOUNT_MODE_MISMATCH terms.${kind}`);
  });

  it("closes a position in hedge mode during a halt, and opens none", async () => {
    await start();
    live.sandbox.world.state.accounts.of(UID.classic).setHoldMode("hedge_mode");
    await live.exchange.writes.halts.halt({ account: live.account("classic"), since: 1, by: null, reason: null });
    const closing = orderOf("closes", termsOf("trigger"), { side: "sell", posSide: "long" });
    expect((await place(closing, "classic")).outcome).toBe("ACCEPTED");
    expect(waiting("classic")).toMatchObject([{ action: { request: { side: "sell", posSide: "long" } } }]);
    const opening = orderOf("opens", termsOf("trigger"), { side: "buy", posSide: "long" });
    expect(problemOf(await place(opening, "classic"))).toBe("TRADING_HALTED null");
  });
});

describeUnless(noPostgres(), "a strategy order that several replicas on one database are given", () => {
  it("is sent once, with one outcome", async () => {
    const [postgres, sandbox]: [Postgres, Awaited<ReturnType<typeof startSharedSandbox>>] = await Promise.all([
      startPostgres(),
      startSharedSandbox(),
    ]);
    const url = await postgres.create();
    const replicas = await Promise.all([1, 2, 3].map(() => openReplica(url, sandbox.url)));
    const terms: PlanTermsInput = { twap: { durationMinutes: 20, intervalSeconds: "60" } };
    const given = await Promise.all(
      [...replicas, ...replicas].map(({ exchange, account }) =>
        placePlanOrder(writesOn(exchange), account, orderOf("shared", terms)),
      ),
    );
    const sent = sandbox.calls.of("placeStrategyOrder").total;
    await Promise.all(replicas.map((replica) => replica.close()));
    await sandbox.close();
    await postgres.close();
    expect([sent, new Set(given.map(({ outcome, reply }) => `${outcome} ${reply?.orderId}`)).size]).toEqual([1, 1]);
    expect(given[0]?.outcome).toBe("ACCEPTED");
  });
});
