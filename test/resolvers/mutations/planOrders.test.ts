import { describe, expect, it } from "vitest";
import { sharedGraph } from "../support/sharedGraph.js";
import { mutate, Word, w } from "./support/mutate.js";

const live = sharedGraph({ hasPast: false });

const MARKET = { category: w("USDT_FUTURES"), symbol: "BTCUSDT", side: w("BUY"), qty: "0.2" };
const ORDER = `orderId clientOid planOrder { orderId planType status qty terms { __typename
  ... on TriggerTerms { triggerPrice triggerBy orderType limitPrice }
  ... on TwapTerms { durationMinutes intervalSeconds orderType offsetType offsetPercentage } } }`;

describe("placePlanOrder and modifyPlanOrder", () => {
  it.each(["main", "classic"])("place a trigger on %s and change it, each with the order in its payload", async (account) => {
    const terms = { trigger: { triggerPrice: "50000", triggerBy: w("MARK"), limitPrice: "50100" } };
    const placed = await mutate(live, "placePlanOrder", { ...MARKET, account, terms }, ORDER);
    expect(placed).toMatchObject({
      outcome: "ACCEPTED",
      userErrors: [],
      planOrder: {
        planType: "NORMAL_PLAN",
        qty: "0.2",
        terms: { __typename: "TriggerTerms", triggerPrice: "50000", triggerBy: "MARK", orderType: "LIMIT", limitPrice: "50100" },
      },
    });
    live.nextMinute();
    const { category, symbol } = MARKET;
    const change = { account, category, symbol, by: { orderId: placed.orderId }, qty: "0.1" };
    const changed = await mutate(live, "modifyPlanOrder", change, ORDER);
    expect(changed).toMatchObject({
      outcome: "ACCEPTED",
      planOrder: {
        orderId: placed.orderId,
        qty: "0.1",
        terms: { triggerPrice: "50000", triggerBy: "MARK", limitPrice: "50100" },
      },
    });
  });

  it("place a TWAP order of limit orders", async () => {
    const twap = { durationMinutes: 20, intervalSeconds: w("SECONDS_60"), limitOffset: { percentage: "0.01" } };
    const placed = await mutate(live, "placePlanOrder", { ...MARKET, account: "main", terms: { twap } }, ORDER);
    expect(placed.planOrder).toMatchObject({
      planType: "TWAP",
      status: "LIVE",
      terms: {
        __typename: "TwapTerms",
        ...{ durationMinutes: 20, intervalSeconds: 60 },
        ...{ orderType: "LIMIT", offsetType: "PERCENTAGE", offsetPercentage: "0.01" },
      },
    });
  });

  it.each([
    ["no kind", {}],
    ["two kinds", { trigger: { triggerPrice: "50000" }, twap: { durationMinutes: 20, intervalSeconds: w("SECONDS_60") } }],
  ])("accept exactly one kind of terms, and not %s, in the document and in variables", async (_, terms) => {
    await expect(mutate(live, "placePlanOrder", { ...MARKET, account: "main", terms })).rejects.toThrow("exactly one");
    const { errors } = await live.run("mutation ($input: PlacePlanOrderInput!) { placePlanOrder(input: $input) { outcome } }", {
      input: {
        ...{ account: "main", category: "USDT_FUTURES", symbol: "BTCUSDT", side: "BUY", qty: "0.2" },
        terms: JSON.parse(JSON.stringify(terms, (_key, value) => (value instanceof Word ? value.name : value))),
      },
    });
    expect(errors[0]?.message).toContain("xactly one");
  });

  it.each(["SPOT", "MARGIN"])(
    "refuse exits of a position on %s, which has none, and name what it has; nothing is sent",
    async (category) => {
      const terms = { tpsl: { takeProfit: { triggerPrice: "90000" } } };
      const order = { category: w(category), symbol: "BTCUSDT", qty: "0.01", account: "main", terms };
      const refused = await mutate(live, "placePlanOrder", order, "orderId");
      const rule = `category must be a futures category for terms.tpsl: ${category} has no positions. Use terms.trigger or terms.oco`;
      expect(refused.userErrors).toMatchObject([{ code: "BAD_USER_INPUT", message: rule, field: ["category"] }]);
      expect(live.sandbox.calls.of("placeStrategyOrder").total).toBe(0);
    },
  );

  it.each([
    ["SPOT", { posSide: w("LONG"), terms: { trigger: { triggerPrice: "50000" } } }, "posSide"],
    ["MARGIN", { posSide: w("SHORT"), terms: { trigger: { triggerPrice: "50000" } } }, "posSide"],
    [
      "SPOT",
      { terms: { iceberg: { parts: { count: 5 }, price: { fixedPrice: "60000" }, priceLimit: "61000" } } },
      "terms.iceberg.priceLimit",
    ],
    ["SPOT", { terms: { oco: { limitPrice: "66000", triggerPrice: "61000" } } }, "terms.oco.limitPrice"],
    [
      "USDT_FUTURES",
      { terms: { trailingStop: { distance: { rate: "0.01" }, activationBy: w("MARK") } } },
      "terms.trailingStop.activationBy",
    ],
  ])("refuse on %s what would have no effect, or not the one meant: %o", async (category, more, field) => {
    const order = { ...MARKET, category: w(category), account: "main", ...more };
    const refused = await mutate(live, "placePlanOrder", order, "orderId");
    expect(refused).toMatchObject({ outcome: "REJECTED", journalEntry: null, userErrors: [{ field: field.split(".") }] });
  });
});
