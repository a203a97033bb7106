import { exact } from "@exchange-graph/contract/decimal";
import type { Credential } from "@exchange-graph/sandbox/credentials";
import type { Strategy } from "@exchange-graph/sandbox/world/plans/plan";
import { beforeEach, describe, expect, it } from "vitest";
import { cancelOpenOrders, cancelOpenOrdersOfUser } from "../../../src/datasources/writes/mutations/cancelOpen.js";
import { placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { placeTpslOrder } from "../../../src/datasources/writes/mutations/placeTpslOrder.js";
import { accountIn, sandboxAccount } from "../../support/exchangeOver.js";
import { startedForEach } from "../../support/started.js";
import { resting } from "./support/limitOrder.js";
import { type AccountName, SANDBOX_ACCOUNTS, startLiveExchange, UID } from "./support/liveExchange.js";

/** What a halt with `cancelOpen` ends, judged by what the exchange has afterwards. */

const live = startedForEach(() => startLiveExchange());

const ACCOUNTS = ["main", "classic"] as const;
const CATEGORIES = ["USDT-FUTURES", "USDC-FUTURES", "COIN-FUTURES"] as const;
const SYMBOLS = { "USDT-FUTURES": "BTCUSDT", "USDC-FUTURES": "BTCPERP", "COIN-FUTURES": "BTCUSD" } as const;
type Category = (typeof CATEGORIES)[number];

const plans = () => live.sandbox.world.plans;
const waiting = (account: AccountName) =>
  [...live.sandbox.world.planStore.waiting(UID[account])].map(({ planId }) => planId).sort();
const openOrders = (account: AccountName) => [...live.sandbox.world.state.orders.open(UID[account])];
/** An order that is placed by hand, at the exchange, once its trigger price is reached. */
const entry = (
  account: AccountName,
  category: Category,
  {
    kind = "normal_plan",
    ...more
  }: {
    readonly kind?: "normal_plan" | "track_plan";
    readonly side?: "buy" | "sell";
    readonly posSide?: "long" | "short";
  } = {},
) =>
  plans().placeEntry({
    kind,
    triggerPrice: exact("50000"),
    triggerBy: "market",
    ...(kind === "track_plan" && { callbackPercent: exact("1") }),
    order: {
      ...{ uid: UID[account], category, symbol: SYMBOLS[category], side: "buy", orderType: "market", quantity: exact("0.01") },
      ...more,
    },
  }).planId;
const long = async (account: AccountName, more: object = {}) => {
  const order = { category: "USDT-FUTURES", side: "buy", orderType: "market", price: null, qty: "0.02", ...more } as const;
  const { outcome } = await live.during(
    placeOrder(live.writes(), live.account(account), resting("", { clientOid: null, ...order })),
  );
  expect(outcome).toBe("ACCEPTED");
};
const exit = async (account: AccountName, planType: "profit_plan" | "loss_plan" | "pos_loss" | "moving_plan") => {
  const input = {
    ...({ category: "USDT-FUTURES", symbol: "BTCUSDT", posSide: "long", planType } as const),
    triggerPrice: planType === "profit_plan" || planType === "moving_plan" ? "90000" : "40000",
    ...(planType === "pos_loss" ? {} : { qty: "0.01" }),
    ...(planType === "moving_plan" ? { callbackRate: "0.01" } : {}),
  };
  const { reply, problems } = await live.during(placeTpslOrder(live.writes(), live.account(account), input));
  expect(problems).toEqual([]);
  return reply?.orderId ?? "none";
};
const halt = async (account: AccountName) => {
  await live.exchange.writes.halts.halt({ account: live.account(account), since: 1, by: null, reason: null });
  return live.during(cancelOpenOrders(live.writes(), live.account(account)));
};

describe.each(ACCOUNTS)("a halt that cancels what is open on %s", (account) => {
  it("ends the trigger orders of every kind and category that place an order", async () => {
    const kinds = account === "classic" ? (["normal_plan", "track_plan"] as const) : (["normal_plan"] as const);
    for (const category of CATEGORIES) for (const kind of kinds) entry(account, category, { kind });
    await live.during(placeOrder(live.writes(), live.account(account), resting("an-order")));
    const { cancelled, kept, failures } = await halt(account);
    expect([cancelled, kept, failures]).toEqual([1 + kinds.length * CATEGORIES.length, [], []]);
    expect([waiting(account), openOrders(account)]).toEqual([[], []]);
  });

  it("keeps what can only reduce a position that exists, and lists it", async () => {
    await long(account);
    const types = ["profit_plan", "loss_plan", "pos_loss", ...(account === "classic" ? (["moving_plan"] as const) : [])] as const;
    const exits: string[] = [];
    for (const planType of types) exits.push(await exit(account, planType));
    entry(account, "USDT-FUTURES");
    const { cancelled, kept, failures } = await halt(account);
    expect([cancelled, failures]).toEqual([1, []]);
    expect(kept.map(({ orderId }) => orderId).sort()).toEqual([...exits].sort());
    expect(kept[0]).toMatchObject({
      category: "USDT-FUTURES",
      symbol: "BTCUSDT",
      planType: account === "classic" ? expect.any(String) : "tpsl",
    });
    expect(waiting(account)).toEqual([...exits].sort());
  });

  it("lets no order appear afterwards, though prices reach every trigger", async () => {
    const { lastPrice } = (await live.during(live.reads().loaders.marketTicker("USDT-FUTURES", "BTCUSDT"))) ?? {};
    const near = exact(lastPrice ?? "0");
    for (const factor of ["1.0001", "0.9999"])
      plans().placeEntry({
        kind: "normal_plan",
        triggerPrice: near.times(factor).round(1),
        triggerBy: "market",
        order: {
          uid: UID[account],
          category: "USDT-FUTURES",
          symbol: "BTCUSDT",
          side: "buy",
          orderType: "market",
          quantity: exact("0.01"),
        },
      });
    await halt(account);
    const before = live.sandbox.world.state.orders.fills(UID[account]).length;
    await live.pass(120_000);
    live.sandbox.world.advance();
    expect(live.sandbox.world.state.orders.fills(UID[account]).length).toBe(before);
    expect([waiting(account), openOrders(account)]).toEqual([[], []]);
  });

  it("lists the trigger orders that it could not end, and the lists that it could not read", async () => {
    const planId = entry(account, "USDC-FUTURES");
    const refused = { kind: "answer", status: 400, code: "40762", msg: "not now" } as const;
    const cancel = account === "main" ? "cancelStrategyOrder" : "classicCancelPlanOrders";
    const rule = live.sandbox.faults.add({ endpoint: cancel, fault: refused });
    const one = await halt(account);
    expect([one.cancelled, one.failures]).toEqual([
      0,
      [{ orderId: planId, symbol: "BTCPERP", why: expect.stringContaining("not now") }],
    ]);
    live.sandbox.faults.remove(rule);
    const list = account === "main" ? "openPlanOrders" : "classicOpenPlanOrders";
    live.sandbox.faults.add({ endpoint: list, fault: refused });
    await live.during(placeOrder(live.writes(), live.account("broker"), resting("elsewhere")));
    const other = await live.during(cancelOpenOrders(live.writes(), live.account(account)));
    expect(other.failures.map(({ why }) => why).sort()).toEqual(
      [...(account === "main" ? ["SPOT", "MARGIN"] : []), "COIN_FUTURES", "USDC_FUTURES", "USDT_FUTURES"]
        .sort()
        .map((category) => expect.stringContaining(`the trigger orders of ${category} could not be read`)),
    );
    expect(waiting(account)).toEqual([planId]);
  });

  it("cancels again what the exchange refused at its rate limit, and counts what has ended by itself", async () => {
    await live.during(placeOrder(live.writes(), live.account(account), resting("an-order")));
    entry(account, "USDT-FUTURES");
    const [cancel, cancelPlan] =
      account === "main" ? ["cancelOrder", "cancelStrategyOrder"] : ["classicCancelSpotOrder", "classicCancelPlanOrders"];
    const tooMany = { kind: "answer", status: 429, code: "429", msg: "Too Many Requests" } as const;
    for (const endpoint of [cancel, cancelPlan]) live.sandbox.faults.add({ endpoint, fault: tooMany, times: 1 });
    expect(await halt(account)).toMatchObject({ cancelled: 2, failures: [] });
    expect([waiting(account), openOrders(account)]).toEqual([[], []]);
  });

  it("ends open orders though trigger orders cannot be read, and the reverse", async () => {
    const refused = { kind: "answer", status: 400, code: "40762", msg: "not now" } as const;
    await live.during(placeOrder(live.writes(), live.account(account), resting("an-order")));
    const list = live.sandbox.faults.add({
      endpoint: account === "main" ? "openPlanOrders" : "classicOpenPlanOrders",
      fault: refused,
    });
    expect(await halt(account)).toMatchObject({ cancelled: 1 });
    live.sandbox.faults.remove(list);
    entry(account, "USDT-FUTURES");
    live.sandbox.faults.add({ endpoint: account === "main" ? "openOrders" : "classicSpotOpenOrders", fault: refused });
    const other = await live.during(cancelOpenOrders(live.writes(), live.account(account)));
    expect(other).toMatchObject({
      cancelled: 1,
      failures: [{ why: expect.stringContaining("the open orders could not be read") }],
    });
    expect(waiting(account)).toEqual([]);
  });

  it("ends a take-profit whose position does not exist", async () => {
    await long(account);
    await exit(account, "loss_plan");
    // As the exchange may still list one for a moment after its position was closed.
    const [plan] = live.sandbox.world.planStore.waiting(UID[account]);
    Object.assign(plan ?? {}, { action: { ...plan?.action, side: "short" } });
    expect(await halt(account)).toMatchObject({ cancelled: 1, kept: [], failures: [] });
    expect(waiting(account)).toEqual([]);
  });
});

describe.each(ACCOUNTS)("a halt that cancels sixty open orders on %s", (account) => {
  const SIXTY = { SPOT: 24, "USDT-FUTURES": 36 } as const;
  const batches = account === "main" ? ["cancelOrderBatch"] : ["classicCancelSpotOrderBatch", "classicCancelFuturesOrderBatch"];
  const calls = () =>
    Object.fromEntries(
      Object.entries(live.sandbox.calls.counts())
        .filter(([name]) => /cancel/i.test(name))
        .map(([name, { total }]) => [name, total]),
    );
  beforeEach(async () => {
    await live.identified();
    for (const category of ["SPOT", "USDT-FUTURES"] as const)
      for (let at = 0; at < SIXTY[category]; at++)
        live.sandbox.world.orders.place({
          ...{ uid: UID[account], category, symbol: "BTCUSDT", side: "buy", orderType: "limit", clientOid: `${category}-${at}` },
          ...{ price: exact("60000"), quantity: exact("0.001") },
        });
    expect(openOrders(account)).toHaveLength(60);
  });

  it("makes as few calls as the exchange takes, and an entry of each", async () => {
    for (let at = 0; at < 12; at++) entry(account, "USDT-FUTURES");
    expect(await halt(account)).toEqual({ cancelled: 72, kept: [], failures: [] });
    expect([waiting(account), openOrders(account)]).toEqual([[], []]);
    expect(calls()).toEqual(
      account === "main"
        ? { cancelOrderBatch: 3, cancelStrategyOrder: 12 }
        : { classicCancelSpotOrderBatch: 1, classicCancelFuturesOrderBatch: 2, classicCancelPlanOrders: 1 },
    );
    const entries = await live.exchange.writes.journal.page(UID[account], undefined, 100);
    expect(entries.map(({ mutation, state }) => `${mutation} ${state}`)).toEqual(new Array(72).fill("cancelOrder ACCEPTED"));
  });

  it("finds out order by order what lost answers have done, and repeats what had no effect", async () => {
    for (let at = 0; at < 3; at++) entry(account, "USDT-FUTURES");
    for (const endpoint of [...batches, "classicCancelPlanOrders"] as const)
      live.sandbox.faults.add({ endpoint, fault: { kind: "lost-reply" }, times: 1 });
    expect(await halt(account)).toEqual({ cancelled: 63, kept: [], failures: [] });
    expect([waiting(account), openOrders(account)]).toEqual([[], []]);
  });

  it("cancels each by itself after its call was refused as a whole", async () => {
    const no = { kind: "answer", status: 400, code: "40762", msg: "not now" } as const;
    for (const endpoint of batches) live.sandbox.faults.add({ endpoint, fault: no });
    expect(await halt(account)).toEqual({ cancelled: 60, kept: [], failures: [] });
    expect(openOrders(account)).toEqual([]);
  });
});

describe("a halt that cancels what is open on a unified account", () => {
  const far = (category: "SPOT" | "USDT-FUTURES", factor: string): string => {
    const { listing } = live.sandbox.world.state.markets.of(category, "BTCUSDT");
    return listing.grid.price(listing.grid.steps(listing.price(live.sandbox.world.state.markets.tick).times(factor))).toFixed();
  };
  const strategy = (category: "SPOT" | "MARGIN" | "USDT-FUTURES", terms: Strategy, clientOid: string) =>
    live.sandbox.world.strategies.place({
      strategy: terms,
      order: { uid: UID.main, category, symbol: "BTCUSDT", side: "buy", orderType: "market", quantity: exact("0.6"), clientOid },
    });

  it("reports no list that the exchange does not know as one that it could not read, except for the oldest", async () => {
    const illegal = { kind: "answer", status: 400, code: "400172", msg: "type Illegal type" } as const;
    live.sandbox.faults.add({ endpoint: "openPlanOrders", fault: illegal });
    expect((await halt("main")).failures.map(({ why }) => why).sort()).toEqual(
      ["COIN_FUTURES", "USDC_FUTURES", "USDT_FUTURES"].map((category) =>
        expect.stringContaining(`orders of ${category} could not`),
      ),
    );
  });

  it("ends strategy orders of every kind on spot, margin and futures, with the orders that they have in the book", async () => {
    for (const category of ["SPOT", "MARGIN", "USDT-FUTURES"] as const) {
      const at = (factor: string) => far(category === "MARGIN" ? "SPOT" : category, factor);
      const oco = { ocoLimitPrice: at("0.96"), ocoTriggerPrice: at("1.04") };
      strategy(category, { kind: "oco", params: oco }, `oco-${category}`);
      const trailing = { activationPrice: at("0.9"), trailType: "ratio", trailVariance: "1" } as const;
      strategy(category, { kind: "trailing_stop", params: trailing }, `trail-${category}`);
      const iceberg = {
        splitMode: "quantity",
        qtyPerOrder: "0.01",
        orderPreference: "fixed_price",
        fixedPrice: at("0.96"),
      } as const;
      strategy(category, { kind: "iceberg", params: iceberg }, `ice-${category}`);
      strategy(category, { kind: "twap", params: { duration: 10, interval: "10" } }, `twap-${category}`);
    }
    await live.pass(1_000);
    live.sandbox.world.advance();
    expect([waiting("main").length, openOrders("main").length]).toEqual([12, 6]);
    const { kept, failures } = await halt("main");
    expect([kept, failures]).toEqual([[], []]);
    expect([waiting("main"), openOrders("main")]).toEqual([[], []]);
    const before = live.sandbox.world.state.orders.fills(UID.main).length;
    await live.pass(120_000);
    live.sandbox.world.advance();
    expect(live.sandbox.world.state.orders.fills(UID.main).length).toBe(before);
  });
});

it.each([
  ["fail", () => Promise.reject(new Error("the key was deleted"))],
  ["do not end", () => new Promise<never>(() => undefined)],
])("a halt whose process has ended is completed though the cancels of another one %s", async (_, othersCancel) => {
  await live.identified();
  for (const account of ACCOUNTS)
    expect((await live.during(placeOrder(live.writes(), live.account(account), resting("an-order")))).outcome).toBe("ACCEPTED");
  const { halts, haltCancels } = live.exchange.writes;
  for (const account of ACCOUNTS) {
    const since = live.clock.now() - 15_000;
    await halts.halt({ account: live.account(account), since, by: null, reason: null, cancelsOpen: true });
  }
  haltCancels.start((names, placedUpTo) =>
    names[0].name === "classic" ? othersCancel() : cancelOpenOrdersOfUser(live.writes(), names, placedUpTo),
  );
  await live.pass(10_000);
  expect([openOrders("main"), openOrders("classic").length]).toEqual([[], 1]);
  const open = halts.all.filter(({ cancelsOpen }) => cancelsOpen === true);
  expect(open.map(({ account }) => account)).toEqual(["classic"]);
});

describe("a halt of all accounts, two of which are one user", () => {
  const viewer: Credential = {
    ...{ key: "viewer-key", secret: "viewer-secret", passphrase: "viewer1", uid: UID.main, isDemo: false },
    permissions: ["uta_trade:read", "uta_mgt:read"],
  };
  const [main] = SANDBOX_ACCOUNTS;
  const named = startedForEach(() =>
    startLiveExchange(
      {
        accounts: [
          sandboxAccount("viewer", viewer),
          ...SANDBOX_ACCOUNTS,
          ...(main === undefined ? [] : [{ ...main, name: "main-b" }]),
        ],
      },
      { credentials: [viewer] },
    ),
  );
  const haltAll = async () => {
    await named.exchange.writes.halts.halt({
      account: null,
      since: named.clock.now(),
      by: null,
      reason: null,
      cancelsOpen: true,
    });
    return named.during(named.exchange.writes.haltCancels.of(null, (names) => cancelOpenOrdersOfUser(named.writes(), names)));
  };
  beforeEach(async () => {
    await named.identified();
    for (const order of ["a", "b"])
      await named.during(placeOrder(named.writes(), accountIn(named.exchange, "main-b"), resting(order)));
    const held = {
      category: "USDT-FUTURES",
      side: "buy",
      orderType: "market",
      price: null,
      qty: "0.02",
      clientOid: null,
    } as const;
    await named.during(placeOrder(named.writes(), named.account("main"), resting("", held)));
    const stop = {
      category: "USDT-FUTURES",
      symbol: "BTCUSDT",
      posSide: "long",
      planType: "pos_loss",
      triggerPrice: "40000",
    } as const;
    await named.during(placeTpslOrder(named.writes(), named.account("main"), stop));
  });

  it("counts each order once, and cancels with the key that may", async () => {
    const ended = await haltAll();
    expect(ended.map(({ account, cancelled, kept, failures }) => [account.name, cancelled, kept.length, failures])).toEqual([
      ["main", 2, 1, []],
      ["classic", 0, 0, []],
      ["broker", 0, 0, []],
    ]);
    expect([...named.sandbox.world.state.orders.open(UID.main)]).toEqual([]);
  });

  it("lists an order that cannot be cancelled once", async () => {
    const refused = { kind: "answer", status: 400, code: "40762", msg: "not now" } as const;
    for (const endpoint of ["cancelOrder", "cancelOrderBatch"] as const) named.sandbox.faults.add({ endpoint, fault: refused });
    const [ended] = await haltAll();
    expect([ended?.account.name, ended?.cancelled, ended?.kept.length, ended?.failures.length]).toEqual(["main-b", 0, 1, 2]);
  });
});

describe("a halt that cancels what is open in hedge mode", () => {
  it("keeps a trigger order of a Classic account that closes a position, and ends one that opens", async () => {
    live.sandbox.world.state.accounts.of(UID.classic).setHoldMode("hedge_mode");
    await long("classic", { posSide: "long" });
    const closes = entry("classic", "USDT-FUTURES", { side: "sell", posSide: "long" });
    entry("classic", "USDT-FUTURES", { side: "sell", posSide: "short" });
    entry("classic", "USDT-FUTURES", { side: "buy", posSide: "short" });
    const { cancelled, kept, failures } = await halt("classic");
    expect([cancelled, kept.map(({ orderId }) => orderId), failures]).toEqual([2, [closes], []]);
    expect(waiting("classic")).toEqual([closes]);
  });
});
