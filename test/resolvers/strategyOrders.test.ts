import { exact, plain } from "@exchange-graph/contract/decimal";
import { MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { beforeEach, describe, expect, it } from "vitest";
import { credentialOf, signedCall } from "../../packages/sandbox/test/support/signedCall.js";
import { startedForEach } from "../support/started.js";
import { startLiveGraph } from "./support/liveGraph.js";

const live = startedForEach(() => startLiveGraph({ hasPast: false }));

const CATEGORIES = [
  ["SPOT", "SPOT"],
  ["MARGIN", "MARGIN"],
  ["USDT_FUTURES", "USDT-FUTURES"],
] as const;
type Category = (typeof CATEGORIES)[number][1];

/** The market price times a factor, on the grid. */
const priced = (category: Category, factor: string): string => {
  const { markets } = live.sandbox.world.state;
  const { listing } = markets.of(category, "BTCUSDT");
  return plain(listing.grid.price(listing.grid.steps(listing.price(markets.tick).times(factor))));
};

/** Places a strategy order at the exchange, as its app does. */
async function placeAtExchange(category: Category, type: string, terms: object): Promise<string> {
  const body = JSON.stringify({ category, symbol: "BTCUSDT", side: "sell", qty: "0.12", type, ...terms });
  const { code, msg, data } = await signedCall(live.sandbox, credentialOf("main"), "/api/v3/trade/place-strategy-order", {
    method: "POST",
    body,
  });
  expect([code, msg]).toEqual(["00000", "success"]);
  return (data as { readonly orderId: string }).orderId;
}

const KINDS: readonly (readonly [
  string,
  string,
  (category: Category) => { readonly wire: object; readonly terms: Readonly<Record<string, unknown>> },
])[] = [
  [
    "oco",
    "OCO",
    (category) => {
      const [limitPrice, triggerPrice] = [priced(category, "1.04"), priced(category, "0.9")];
      return {
        wire: { ocoParams: [{ ocoLimitPrice: limitPrice, ocoTriggerPrice: triggerPrice, ocoOrderType: "market" }] },
        terms: { __typename: "OcoTerms", limitPrice, triggerPrice, orderType: "MARKET", executePrice: null },
      };
    },
  ],
  [
    "trailing_stop",
    "TRAILING_STOP",
    (category) => {
      const activationPrice = priced(category, "1.1");
      const params = { activationPrice, activationType: "mark", trailType: "ratio", trailVariance: "1.5" };
      return {
        wire: { trailingStopParams: [params] },
        terms: {
          __typename: "TrailingStopTerms",
          activationPrice,
          activationBy: "MARK",
          callbackRate: "0.015",
          callbackSpread: null,
        },
      };
    },
  ],
  [
    "iceberg",
    "ICEBERG",
    (category) => {
      const fixedPrice = priced(category, "1.04");
      const params = { splitMode: "order", splitOrderNumbers: "4", orderPreference: "fixed_price", fixedPrice };
      return {
        wire: { icebergParams: [params] },
        terms: { __typename: "IcebergTerms", splitMode: "ORDER", parts: 4, pricing: "FIXED_PRICE", fixedPrice, priceLimit: null },
      };
    },
  ],
  [
    "twap",
    "TWAP",
    () => ({
      wire: { twapParams: [{ duration: "12", interval: "60" }] },
      terms: { __typename: "TwapTerms", durationMinutes: 12, intervalSeconds: 60, triggerPrice: null, terminationPrice: null },
    }),
  ],
];

const TERMS = `terms { __typename
  ... on OcoTerms { limitPrice triggerPrice orderType executePrice }
  ... on TrailingStopTerms { activationPrice activationBy callbackRate callbackSpread }
  ... on IcebergTerms { splitMode parts pricing fixedPrice priceLimit }
  ... on TwapTerms { durationMinutes intervalSeconds triggerPrice terminationPrice } }`;

const listed = (category: string, list = "planOrders") =>
  live.run(
    `{ account(name: "main") { ${list}(category: ${category}, first: 10) { nodes { id orderId category planType status qty side ${TERMS}
      subOrders(first: 10) { nodes { status qty cumExecQty } } } } } }`,
  );

describe.each(KINDS)("a strategy order of kind %s", (type, planType, termsIn) => {
  it.each(CATEGORIES)(
    "that runs on %s is listed with its terms and its orders, found by its id, and cancelled",
    async (name, category) => {
      const { wire, terms } = termsIn(category);
      const orderId = await placeAtExchange(category, type, wire);
      live.nextMinute();
      const { data, errors } = await listed(name);
      expect(errors).toEqual([]);
      expect(data.account.planOrders.nodes).toMatchObject([
        { orderId, category: name, planType, status: "LIVE", qty: "0.12", side: "SELL", terms },
      ]);
      const [{ id, subOrders }] = data.account.planOrders.nodes;
      const placed = live.sandbox.world.planStore.find(MAIN_UID, { orderId })?.orders ?? [];
      expect(subOrders.nodes).toHaveLength(placed.length);
      if (type === "twap") expect(subOrders.nodes[0]).toEqual({ status: "FILLED", qty: "0.01", cumExecQty: "0.01" });
      live.nextMinute();
      const found = await live.run(`{ node(id: "${id}") { ... on PlanOrder { orderId planType ${TERMS} } } }`);
      expect(found.data.node).toMatchObject({ orderId, planType, terms });
      live.nextMinute();
      const cancel = `mutation { cancelOrder(input: { account: "main", category: ${name}, symbol: "BTCUSDT", by: { orderId: "${orderId}" }, kind: PLAN_ORDER }) {
      outcome userErrors { message } } }`;
      expect((await live.run(cancel)).data.cancelOrder).toEqual({ outcome: "ACCEPTED", userErrors: [] });
      expect(live.sandbox.world.planStore.waiting(MAIN_UID)).toEqual([]);
      live.nextMinute();
      const over = await listed(name, "planOrderHistory");
      expect(over.data.account.planOrderHistory.nodes).toMatchObject([{ orderId, status: "CANCELLED", terms }]);
    },
  );
});

it("the terms of take-profits and triggers are types of their own, in both account modes", async () => {
  for (const name of ["main", "classic"] as const) {
    const { uid } = credentialOf(name);
    const { plans, orders } = live.sandbox.world;
    const market = { uid, category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
    orders.place({ ...market, side: "buy", orderType: "market", quantity: exact("0.02") });
    const triggerPrice = exact(priced("USDT-FUTURES", "0.9"));
    live.nextMinute();
    plans.placeTpsl({
      ...market,
      side: "long",
      kind: name === "main" ? "tpsl" : "pos_loss",
      tpsl: [{ role: "stopLoss", triggerPrice, triggerBy: "mark" }],
    });
    live.nextMinute();
    const order = { ...market, side: "buy", orderType: "limit", price: triggerPrice, quantity: exact("0.01") } as const;
    plans.placeEntry({ kind: "normal_plan", triggerPrice, triggerBy: "market", order });
    live.nextMinute();
    const { data, errors } = await live.run(
      `query ($name: String) { account(name: $name) { planOrders(category: USDT_FUTURES) { nodes { terms { __typename
        ... on TpslTerms { isWholePosition takeProfit { triggerPrice } stopLoss { triggerPrice triggerBy } }
        ... on TriggerTerms { triggerPrice triggerBy orderType limitPrice } } } } } }`,
      { name },
    );
    expect(errors, name).toEqual([]);
    const [price] = [plain(triggerPrice)];
    expect(data.account.planOrders.nodes, name).toEqual([
      { terms: { __typename: "TriggerTerms", triggerPrice: price, triggerBy: "MARKET", orderType: "LIMIT", limitPrice: price } },
      {
        terms: {
          __typename: "TpslTerms",
          isWholePosition: true,
          takeProfit: null,
          stopLoss: { triggerPrice: price, triggerBy: "MARK" },
        },
      },
    ]);
  }
});

describe.each([
  ["main", { tpsl: "TPSL", lists: ["openPlanOrders", "planOrderHistory"], all: 6 }],
  ["classic", { tpsl: "POS_LOSS", lists: ["classicOpenPlanOrders", "classicPlanOrderHistory"], all: 3 }],
] as const)("trigger orders of some kinds on %s", (name, { tpsl, lists, all }) => {
  beforeEach(() => {
    const { orders, plans } = live.sandbox.world;
    const uid = name === "main" ? MAIN_UID : "8800112244";
    const market = { uid, category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
    orders.place({ ...market, side: "buy", orderType: "market", quantity: exact("0.1") });
    const triggerPrice = exact(priced("USDT-FUTURES", "0.9"));
    const stopLoss = { role: "stopLoss", triggerPrice, triggerBy: "mark" } as const;
    plans.placeTpsl({ ...market, side: "long", kind: name === "main" ? "tpsl" : "pos_loss", tpsl: [stopLoss] });
    const order = { ...market, side: "buy", orderType: "limit", price: triggerPrice, quantity: exact("0.01") } as const;
    plans.placeEntry({ kind: "normal_plan", triggerPrice, triggerBy: "market", order });
    live.nextMinute();
  });

  it.each([
    ["all", "", undefined],
    ["one", `, kinds: [${tpsl}]`, [tpsl]],
    ["two", `, kinds: [${tpsl}, NORMAL_PLAN]`, [tpsl, "NORMAL_PLAN"]],
    ["another", ", kinds: [MOVING_PLAN]", []],
    ["none", ", kinds: []", []],
  ] as const)("are read from their lists alone: %s", async (which, kinds, found) => {
    const calls = { all, one: 1, two: 2, another: name === "main" ? 0 : 1, none: 0 }[which];
    for (const [at, field] of ["planOrders", "planOrderHistory"].entries()) {
      const query = `{ account(name: "${name}") { ${field}(category: USDT_FUTURES${kinds}) { nodes { planType } } } }`;
      const { data } = await live.answer(query);
      const types = data.account[field].nodes.map(({ planType }: { planType: string }) => planType).toSorted();
      if (at === 0) expect(types).toEqual((found ?? [tpsl, "NORMAL_PLAN"]).toSorted());
      expect([field, live.sandbox.calls.of(lists[at] ?? "").total]).toEqual([field, calls]);
    }
  });
});
