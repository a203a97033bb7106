import { describe, expect, it } from "vitest";
import { encoded, type ParametersOf, violations } from "../src/endpoint.js";
import { classicOpenPlanOrders, classicPlanOrderHistory, openPlanOrders, planOrderHistory } from "../src/planReads.js";
import { classicCancelPlanOrders, placeTpslOrder } from "../src/planWrites.js";
import { cancelStrategyOrder, placeStrategyOrder } from "../src/strategyWrites.js";
import { withCategory } from "../src/trading.js";
import { FUTURES_PRODUCT_TYPES } from "../src/vocabulary.js";
import type { Finding } from "../src/wireError.js";
import samples from "./samples/plan.json" with { type: "json" };
import { everyRow } from "./support/everyRow.js";

const NOW = 1_767_225_600_000;

const { STRATEGY, PLAN } = samples;

const classicPlan = (changes: object) =>
  everyRow(classicOpenPlanOrders.data.decode({ entrustedList: [{ ...PLAN, ...changes }], endId: "1" }).list)[0];

describe("a unified trigger order", () => {
  const TRIGGER = {
    ...{ orderId: "7", category: "USDT-FUTURES", symbol: "BTCUSDT", qty: "0.1", side: "buy", posSide: "long" },
    ...{ type: "trigger", triggerPrice: "100000", triggerBy: "mark", triggerOrderType: "limit", triggerOrderPrice: "100500" },
    ...{ createdTime: "1767225605000", updatedTime: "1767225605001" },
  };
  const trigger = (changes: object) => everyRow(planOrderHistory.data.decode({ list: [{ ...TRIGGER, ...changes }] }).list)[0];

  it("says what it waits for and how it acts", () => {
    expect(trigger({})).toMatchObject({
      ...{ planType: "normal_plan", planTypeRaw: "trigger", triggerPrice: "100000", triggerBy: "mark" },
      ...{ orderType: "limit", executePrice: "100500", takeProfit: null, stopLoss: null },
    });
    expect(trigger({ triggerOrderType: "market", triggerOrderPrice: "" })).toMatchObject({
      orderType: "market",
      executePrice: null,
    });
    expect(trigger({ type: "" })).toMatchObject({ planType: "normal_plan", executePrice: "100500" });
  });

  it.each([
    ["pending", "live"],
    ["submitting", "executing"],
    ["success", "executed"],
    ["failed", "fail_execute"],
    ["cancelled", "cancelled"],
  ])("is %s: %s", (status, planStatus) => {
    expect(trigger({ status })).toMatchObject({ status: planStatus, statusRaw: status });
  });
});

describe("a unified plan order", () => {
  it("reads every part, and is live because it is listed as open", () => {
    expect(openPlanOrders.data.decode([STRATEGY])).toEqual(samples["reads every part, and is live because it is listed as open"]);
  });

  it("decodes in the history whether take-profit or stop-loss was triggered, and pages by a cursor that may be a number", () => {
    expect(planOrderHistory.data.decode({ list: [{ ...STRATEGY, triggerType: "stopLoss" }], cursor: 139123 })).toMatchObject({
      list: [{ triggeredExit: "stopLoss", triggerBy: null, planType: "tpsl", status: null }],
      cursor: "139123",
    });
  });

  it("is absent from a null list", () => {
    expect(openPlanOrders.data.decode(null)).toEqual({ list: [], cursor: null });
    expect(planOrderHistory.data.decode({ list: null })).toEqual({ list: [], cursor: null });
  });
});

describe("a Classic plan order", () => {
  it("speaks the unified vocabulary, but for the category", () => {
    expect(classicPlan({})).toMatchObject(samples["speaks the unified vocabulary, but for the category"]);
    expect(classicPlan({})).not.toHaveProperty("category");
  });

  it("has the same fields as a unified one once the call's category is put back", () => {
    const [unified] = openPlanOrders.data.decode([STRATEGY]).list;
    expect(Object.keys(withCategory("USDT-FUTURES", classicPlan({}) ?? {})).sort()).toEqual(Object.keys(unified ?? {}).sort());
  });

  it.each(["profit_plan", "pos_profit"])("of kind %s is a take-profit, with its prices under either set of keys", (planType) => {
    const wire = { planType, triggerPrice: "70000", triggerType: "fill_price", executePrice: "69900", orderType: "limit" };
    const nowhereElse = { stopLossTriggerPrice: "", stopLossTriggerType: "" };
    expect(classicPlan({ ...wire, ...nowhereElse })).toMatchObject({
      takeProfit: "70000",
      tpTriggerBy: "market",
      tpTriggerByRaw: "fill_price",
      tpOrderType: "limit",
      tpLimitPrice: "69900",
      stopLoss: null,
      slOrderType: null,
    });
  });

  it.each(["loss_plan", "pos_loss"])("of kind %s is a stop-loss and keeps its limit price", (planType) => {
    expect(classicPlan({ planType, executePrice: "61900" })).toMatchObject({
      stopLoss: "62000",
      slOrderType: "limit",
      slLimitPrice: "61900",
      takeProfit: null,
    });
  });

  it.each(["moving_plan", "track_plan", "normal_plan"])("of kind %s is neither a take-profit nor a stop-loss", (planType) => {
    expect(classicPlan({ planType, stopLossTriggerPrice: "", stopLossTriggerType: "", callbackRatio: "2" })).toMatchObject({
      takeProfit: null,
      stopLoss: null,
      callbackRate: "0.02",
    });
  });

  it("that opens has its limit price in `price`", () => {
    expect(classicPlan({ planType: "normal_plan", price: "61950", executePrice: "" })?.executePrice).toBe("61950");
  });

  it("in hedge mode is executed against the side that it closes", () => {
    expect(classicPlan({ posMode: "hedge_mode", side: "buy", tradeSide: "close" })).toMatchObject({
      side: "sell",
      sideRaw: "buy",
    });
  });

  it.each([
    ["live", "live"],
    ["not_trigger", "live"],
    ["executing", "executing"],
    ["executed", "executed"],
    ["fail_execute", "fail_execute"],
    ["cancelled", "cancelled"],
    ["canceled", "cancelled"],
    ["paused", "UNKNOWN"],
  ])("reads the state %s as %s", (raw, planStatus) => {
    expect(classicPlan({ planStatus: raw })).toMatchObject({ status: planStatus, statusRaw: raw });
  });

  it("names the order that its trigger placed", () => {
    expect(classicPlan({ planStatus: "executed", executeOrderId: "77" })).toMatchObject({ executeOrderId: "77" });
    expect(classicPlan({ executeOrderId: "" })).toMatchObject({ executeOrderId: null });
  });

  it("comes in a page that may be null throughout", () => {
    expect(classicPlanOrderHistory.data.decode({ entrustedList: null, endId: null })).toEqual({ list: [], cursor: null });
  });
});

describe("placing a Classic TP/SL order", () => {
  const ORDER: ParametersOf<typeof placeTpslOrder> = {
    marginCoin: "USDT",
    productType: "USDT-FUTURES",
    symbol: "BTCUSDT",
    planType: "loss_plan",
    triggerPrice: "62000",
    holdSide: "long",
    size: "0.02",
  };
  const broken = (changes: Partial<typeof ORDER>) => violations(placeTpslOrder, { ...ORDER, ...changes }, NOW);

  it("goes out with each of the six product types in lower case", () => {
    for (const productType of FUTURES_PRODUCT_TYPES) {
      expect(broken({ productType })).toEqual([]);
      expect(encoded(placeTpslOrder, { ...ORDER, productType })).toEqual({ ...ORDER, productType: productType.toLowerCase() });
    }
  });

  it.each(["profit_plan", "loss_plan", "moving_plan"] as const)("needs a size above zero for %s", (planType) => {
    const range = planType === "moving_plan" ? { rangeRate: "1" } : {};
    expect(broken({ planType, ...range, size: "0.000000000000000001" })).toEqual([]);
    expect(broken({ planType, ...range, size: "0" })).toMatchObject([{ parameter: "size", problem: "combination" }]);
    expect(broken({ planType, ...range, size: undefined })).toMatchObject([{ parameter: "size", problem: "combination" }]);
  });

  it.each(["pos_profit", "pos_loss"] as const)("needs no size for %s", (planType) => {
    expect(broken({ planType, size: undefined })).toEqual([]);
    expect(broken({ planType, size: "0" })).toEqual([]);
  });

  it("needs a callback range for a trailing stop alone", () => {
    expect(broken({ planType: "moving_plan" })).toMatchObject([{ parameter: "rangeRate", problem: "combination" }]);
    expect(broken({ planType: "moving_plan", rangeRate: "1" })).toEqual([]);
    expect(broken({ planType: "moving_plan", rangeRate: "0" })).toMatchObject([
      { parameter: "rangeRate", problem: "not allowed" },
    ]);
    expect(broken({ planType: "profit_plan" })).toEqual([]);
  });

  it("refuses an execution price, zero included, on a trailing stop", () => {
    const trailing = { planType: "moving_plan", rangeRate: "1" } as const;
    for (const executePrice of ["61900", "0"]) {
      expect(broken({ ...trailing, executePrice })).toMatchObject([{ parameter: "executePrice", problem: "combination" }]);
    }
  });
});

describe("placing a unified plan order", () => {
  const ORDER = { category: "USDT-FUTURES", symbol: "BTCUSDT", posSide: "long", takeProfit: "70000" } as const;
  const broken = (changes: Partial<ParametersOf<typeof placeStrategyOrder>>) =>
    violations(placeStrategyOrder, { ...ORDER, ...changes }, NOW);

  it("needs a take-profit, a stop-loss, or both", () => {
    expect(broken({})).toEqual([]);
    expect(broken({ stopLoss: "62000" })).toEqual([]);
    expect(broken({ takeProfit: undefined, stopLoss: "62000" })).toEqual([]);
    expect(broken({ takeProfit: undefined })).toMatchObject([{ parameter: "takeProfit", problem: "combination" }]);
  });

  it("needs a quantity for a part of the position alone", () => {
    expect(broken({ tpslMode: "full" })).toEqual([]);
    expect(broken({ tpslMode: "partial", qty: "0.01" })).toEqual([]);
    expect(broken({ tpslMode: "partial" })).toMatchObject([{ parameter: "qty", problem: "combination" }]);
  });

  it("is cancelled by either id, and answered with nothing", () => {
    expect(violations(cancelStrategyOrder, { clientOid: "st-0001" }, NOW)).toEqual([]);
    expect(violations(cancelStrategyOrder, {}, NOW)).toMatchObject([{ parameter: "orderId" }]);
    expect(cancelStrategyOrder.data.decode(null)).toBeNull();
  });
});

describe("cancelling Classic plan orders", () => {
  const broken = (orderIdList: unknown) =>
    violations(
      classicCancelPlanOrders,
      { productType: "USDT-FUTURES", orderIdList } as ParametersOf<typeof classicCancelPlanOrders>,
      NOW,
    );

  it("names each plan by one id or both", () => {
    expect(broken(undefined)).toEqual([]);
    expect(
      broken([{ orderId: "1" }, { clientOid: "a" }, { orderId: "1", clientOid: "a" }, { orderId: "1", clientOid: "" }]),
    ).toEqual([]);
    for (const list of [[], [{}], [{ orderId: "" }], [{ orderId: 1 }], [null], ["1"], "1"]) {
      expect(broken(list)).toMatchObject([{ parameter: "orderIdList", problem: "not allowed" }]);
    }
  });

  it("sends the list as it is", () => {
    const orderIdList = [{ orderId: "1" }];
    expect(encoded(classicCancelPlanOrders, { productType: "USDT-FUTURES", planType: "profit_loss", orderIdList })).toEqual({
      productType: "USDT-FUTURES",
      planType: "profit_loss",
      orderIdList,
    });
  });

  it("reports each plan's own outcome", () => {
    const wire = {
      successList: [{ orderId: "1", clientOid: "a" }],
      failureList: [{ orderId: "2", clientOid: "", errorMsg: "gone" }],
    };
    expect(classicCancelPlanOrders.data.decode(wire)).toEqual([
      { orderId: "1", clientOid: "a", code: null, message: null },
      { orderId: "2", clientOid: null, code: "", message: "gone" },
    ]);
    expect(classicCancelPlanOrders.data.decode({ successList: null, failureList: null })).toEqual([]);
  });
});

describe("a strategy order with terms of its own", () => {
  const BASE = { orderId: "1391230000000006000", category: "SPOT", symbol: "BTCUSDT", qty: "2", createdTime: "1767225600000" };
  const read = (wire: object) => openPlanOrders.data.decode([{ ...BASE, ...wire }]).list[0];

  it.each([
    [
      "oco",
      { ocoParams: { ocoLimitPrice: "66000", ocoTriggerPrice: "62000", ocoOrderType: "market", ocoOrderPrice: "" } },
      { oco: { limitPrice: "66000", triggerPrice: "62000", orderType: "market", orderTypeRaw: "market", executePrice: null } },
      { triggerPrice: "62000", orderType: "market" },
    ],
    [
      "trailing_stop",
      { trailingStopParams: { activationPrice: "65000", activationType: "index", trailType: "ratio", trailVariance: "1.5" } },
      { trailingStop: { activationPrice: "65000", activationBy: "index", callbackRate: "0.015", callbackSpread: null } },
      { triggerPrice: "65000", callbackRate: "0.015" },
    ],
    [
      "iceberg",
      { icebergParams: { splitMode: "order", splitOrderNumbers: "20", orderPreference: "fixed_price", fixedPrice: "64000" } },
      { iceberg: { splitMode: "order", parts: 20, pricing: "fixed_price", fixedPrice: "64000", priceLimit: null } },
      { triggerPrice: null },
    ],
    [
      "twap",
      { twapParams: { duration: "60", interval: "30", orderType: "market", twapTriggerPrice: "63000" } },
      { twap: { durationMinutes: 60, intervalSeconds: 30, orderType: "market", triggerPrice: "63000", terminationPrice: null } },
      { triggerPrice: "63000" },
    ],
  ])(
    "is read as %s from its terms, sent as an object or as a list of one, with its type or without",
    (type, params, terms, shown) => {
      const [[name, value] = []] = Object.entries(params);
      for (const wire of [params, { [name ?? ""]: [value] }, { ...params, type }])
        expect(read(wire)).toMatchObject({ planType: type, category: "SPOT", status: "live", ...terms, ...shown });
    },
  );

  it("is read without terms that cannot be read", () => {
    const twapParams = { duration: "60", interval: "30", twapTerminationPrice: "soon" };
    const found: Finding[] = [];
    const { list } = openPlanOrders.data.decode([{ ...BASE, type: "twap", twapParams }], found);
    expect(list).toMatchObject([{ planType: "twap", twap: null }]);
    expect(found.map(({ field }) => field)).toEqual(["twapParams.twapTerminationPrice"]);
  });
});
