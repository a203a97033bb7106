import { exact } from "@exchange-graph/contract/decimal";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
} from "graphql";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { graph } from "../../support/graph.js";
import { sharedGraph } from "../support/sharedGraph.js";
import { type Input, literal, Word, w } from "./support/mutate.js";

const live = sharedGraph({ hasPast: false });
beforeAll(() => {
  // The trigger orders that the inputs of `modifyPlanOrder` name.
  const { plans, orders } = live.sandbox.world;
  const market = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
  const order = { ...market, side: "buy", orderType: "limit", price: exact("50000"), quantity: exact("0.01") } as const;
  const waits = { triggerPrice: exact("50000"), triggerBy: "market" } as const;
  Object.assign(plans.placeEntry({ kind: "normal_plan", ...waits, order: { uid: MAIN_UID, clientOid: "a", ...order } }), {
    planId: "1",
  });
  // And the positions of exits.
  for (const uid of [MAIN_UID, CLASSIC_UID])
    orders.place({ uid, ...market, side: "buy", orderType: "market", quantity: exact("0.01") });
  const tpsl = [{ role: "stopLoss", ...waits }] as const;
  Object.assign(plans.placeTpsl({ uid: MAIN_UID, ...market, side: "long", kind: "tpsl", tpsl }), { planId: "2" });
  const trailing = { ...order, orderType: "market", price: undefined, uid: CLASSIC_UID } as const;
  const plan = plans.placeEntry({ kind: "track_plan", ...waits, callbackPercent: exact("1"), order: trailing });
  Object.assign(plan, { planId: "3" });
});

const FUTURES = { category: w("USDT_FUTURES"), symbol: "BTCUSDT", posSide: w("LONG") };

const SPOT = { category: w("SPOT"), symbol: "BTCUSDT" };
const MARKED = { triggerBy: w("MARK"), limitPrice: "79000" };

const CHANGED = { category: w("USDT_FUTURES"), symbol: "BTCUSDT" };
const OPENING = { ...CHANGED, side: w("BUY"), qty: "0.01" };
const ACTIVATED = { activationPrice: "60000", activationBy: w("INDEX") };
const TWAP = { durationMinutes: 5, intervalSeconds: w("SECONDS_60") };

const PLACED: readonly [Input, ...Input[]] = [
  {
    account: "main",
    ...{ ...FUTURES, side: w("BUY"), orderType: w("LIMIT"), qty: "0.01", price: "60000", timeInForce: w("GTC") },
    ...{ clientOid: "abuse", marginMode: w("CROSSED"), stpMode: w("NONE"), receiveWindow: 5000, idempotencyKey: "abuse" },
    takeProfit: { triggerPrice: "80000", ...MARKED },
    stopLoss: { triggerPrice: "50000", triggerBy: w("MARK"), limitPrice: "49000" },
  },
  { account: "main", ...SPOT, side: w("BUY"), orderType: w("MARKET"), quoteQty: "100" },
  {
    account: "classic",
    ...{ ...SPOT, side: w("BUY"), orderType: w("LIMIT"), qty: "0.01", price: "60000", triggerPrice: "61000" },
  },
];

/** Valid inputs for each mutation; together they contain every field that can be abused. */
const SOUND: Readonly<Record<string, Input | readonly [Input, ...Input[]]>> = {
  placeOrder: PLACED,
  modifyOrder: [
    {
      ...{ account: "main", ...FUTURES, by: { clientOid: "a" }, qty: "0.001", price: "60000", posSide: undefined },
      takeProfit: { triggerPrice: "80000", ...MARKED },
      stopLoss: { triggerPrice: "50000", ...MARKED },
    },
    { account: "classic", ...FUTURES, posSide: undefined, by: { orderId: "1" }, newClientOid: "b", qty: "0.01", price: "60000" },
  ],
  cancelOrder: [
    { account: "classic", category: w("SPOT"), symbol: "BTCUSDT", by: { orderId: "1" }, kind: w("ORDER") },
    { account: "classic", category: w("USDT_FUTURES"), symbol: "BTCUSDT", by: { clientOid: "a" }, kind: w("PLAN_ORDER") },
  ],
  placeTpslOrder: [
    {
      ...{ account: "classic", ...FUTURES, planType: w("MOVING_PLAN"), triggerPrice: "80000", triggerBy: w("MARK") },
      ...{ qty: "0.01", callbackRate: "1", clientOid: "abuse", stpMode: w("NONE") },
    },
    { account: "classic", ...FUTURES, planType: w("PROFIT_PLAN"), triggerPrice: "80000", executePrice: "79000", qty: "0.01" },
  ],
  placePlanOrder: [
    { account: "main", ...OPENING, clientOid: "abuse", terms: { trigger: { triggerPrice: "60000", ...MARKED } } },
    {
      account: "main",
      ...{ ...FUTURES, qty: "0.01" },
      terms: { tpsl: { takeProfit: { triggerPrice: "80000", ...MARKED }, stopLoss: { triggerPrice: "50000", ...MARKED } } },
    },
    { account: "main", ...OPENING, terms: { oco: { limitPrice: "60000", triggerPrice: "80000", executePrice: "80100" } } },
    { account: "main", ...OPENING, terms: { trailingStop: { distance: { rate: "0.01" }, ...ACTIVATED, limitPrice: "79000" } } },
    { account: "main", ...OPENING, terms: { trailingStop: { distance: { spread: "100" } } } },
    {
      account: "main",
      ...OPENING,
      terms: { iceberg: { parts: { qty: "0.001" }, price: { bookPlace: w("QUEUE1") }, priceLimit: "80000" } },
    },
    { account: "main", ...OPENING, terms: { iceberg: { parts: { count: 4 }, price: { fixedPrice: "60000" } } } },
    { account: "main", ...OPENING, terms: { iceberg: { parts: { count: 4 }, price: { distancePercentage: "0.5" } } } },
    { account: "main", ...OPENING, terms: { iceberg: { parts: { count: 4 }, price: { distanceSpread: "5" } } } },
    {
      account: "main",
      ...OPENING,
      terms: { twap: { ...TWAP, limitOffset: { percentage: "0.01" }, triggerPrice: "60000", terminationPrice: "90000" } },
    },
    { account: "main", ...OPENING, terms: { twap: { ...TWAP, limitOffset: { spread: "5" } } } },
  ],
  modifyPlanOrder: [
    {
      account: "main",
      ...CHANGED,
      by: { clientOid: "a" },
      qty: "0.01",
      terms: { trigger: { triggerPrice: "60000", ...MARKED } },
    },
    {
      account: "main",
      ...CHANGED,
      by: { orderId: "2" },
      terms: { tpsl: { takeProfit: { triggerPrice: "80000", ...MARKED }, stopLoss: { triggerPrice: "50000", ...MARKED } } },
    },
    {
      account: "classic",
      ...CHANGED,
      by: { orderId: "3" },
      terms: { trailing: { callbackRate: "0.01", activationPrice: "60000", activationBy: w("MARK") } },
    },
  ],
  // One object is a list of one.
  placeOrders: PLACED.map(({ account, ...order }): Input => ({ account, orders: order })) as unknown as readonly [Input],
  cancelOrders: [
    { account: "classic", orders: { ...SPOT, by: { orderId: "1" }, kind: w("ORDER") } },
    { account: "main", orders: { ...SPOT, by: { clientOid: "a" } } },
  ],
  cancelAllOrders: { account: "classic", ...SPOT },
  closePositions: { account: "broker", ...FUTURES },
  armDeadMansSwitch: { account: "main", seconds: 30 },
  disarmDeadMansSwitch: { account: "main", idempotencyKey: "off" },
  adjustPositionMargin: { account: "classic", ...FUTURES, amount: "5", marginCoin: "USDT" },
  setLeverage: [
    { account: "main", ...FUTURES, leverage: "5" },
    { account: "main", category: w("MARGIN"), coin: "BTC", leverage: "2" },
  ],
  setHoldMode: { account: "classic", category: w("USDT_FUTURES"), holdMode: w("HEDGE_MODE") },
  setMarginMode: { account: "classic", category: w("USDT_FUTURES"), symbol: "ADAUSDT", marginMode: w("CROSSED") },
  redeemSavings: { account: "main", productId: "9001", orderId: "1", periodType: w("FLEXIBLE"), amount: "1" },
  convert: {
    ...{ account: "main", traceId: "1", fromCoin: "USDT", fromAmount: "100", toCoin: "BTC", toAmount: "0.001" },
    price: "0.00001",
  },
  withdrawFromSubAccount: {
    ...{ account: "broker", subUid: "1", coin: "USDT", dest: w("ON_CHAIN"), chain: "trc20", address: "TXyz", amount: "2" },
    ...{ tag: "memo", clientOid: "abuse" },
  },
  modifySubAccountEmail: { account: "broker", subUid: "1", email: "a@desk.example" },
  haltTrading: { account: "broker", reason: "abuse" },
  resumeTrading: { account: "broker" },
  upgradeAccount: { account: "classic", subUid: "8800112301" },
};

/** Booleans: the field's type leaves nothing to abuse. */
const TRUTHS = new Set(["dryRun", "reduceOnly", "autoCancel", "allAccounts", "cancelOpen"]);

const LONG = "9".repeat(10_240);
/** The maximum number of decimals, which is more than any symbol accepts. */
const FINE = "0.123456789012345678";
const DECIMALS = [
  "",
  "-1",
  "0",
  "1e3",
  "0.0000000000000000001",
  "1".repeat(21),
  LONG,
  "NaN",
  "Infinity",
  " 1",
  "1,5",
  "0x10",
  FINE,
];
/** The exchange's spelling of an enum value, which no input accepts. */
const EXCHANGES_WORDS = /\b[a-z]+_[a-z]+\b|-FUTURES\b/;
const TEXTS = ["", LONG, "a\nb ☃"];
const WHOLES = [-1, 0, 60_001, 2_147_483_647];
/** Values that are valid in these fields. */
const MEANINGFUL: Readonly<Record<string, readonly unknown[]>> = {
  // The allowed number of decimals is not documented: the exchange checks it.
  "adjustPositionMargin.amount": ["-1", FINE],
  "redeemSavings.amount": [FINE],
  "convert.fromAmount": [FINE],
  "convert.toAmount": [FINE],
  "convert.price": [FINE],
  "withdrawFromSubAccount.amount": [FINE],
  "placeTpslOrder.callbackRate": [FINE],
  // A market order.
  "placeTpslOrder.executePrice": ["0"],
  "modifyOrder.takeProfit.triggerPrice": ["0"],
  "modifyOrder.stopLoss.triggerPrice": ["0"],
  "modifyPlanOrder.terms.tpsl.takeProfit.triggerPrice": ["0"],
  "modifyPlanOrder.terms.tpsl.stopLoss.triggerPrice": ["0"],
  "modifyPlanOrder.terms.trailing.callbackRate": [FINE],
  "placePlanOrder.terms.trailingStop.distance.spread": [FINE],
  "placePlanOrder.terms.iceberg.price.distancePercentage": [FINE],
  "placePlanOrder.terms.iceberg.price.distanceSpread": [FINE],
  "placePlanOrder.terms.twap.limitOffset.percentage": [FINE],
  "placePlanOrder.terms.twap.limitOffset.spread": [FINE],
};

interface Abuse {
  readonly mutation: string;
  readonly field: string;
  readonly input: Input;
}

const soundOf = (mutation: string): readonly Input[] => {
  const sound = SOUND[mutation] ?? [];
  return Array.isArray(sound) ? sound : [sound as Input];
};

/** The input with one field replaced; `undefined` omits it. */
function altered(input: Input, [head = "", ...rest]: readonly string[], value: Input[string]): Input {
  const inner = input[head];
  const isDeeper = rest.length > 0 && typeof inner === "object" && inner !== null && !(inner instanceof Word);
  return { ...input, [head]: isDeeper ? altered(inner as Input, rest, value) : value };
}

function valuesFor(field: GraphQLInputField): readonly Input[string][] {
  const type = getNamedType(field.type);
  const missing = isNonNullType(field.type) ? [undefined] : [];
  if (isEnumType(type)) return [...missing, w("NO_SUCH_WORD"), w("UNRECOGNIZED")];
  if (type.name === "Decimal") return [...missing, ...DECIMALS];
  if (type.name === "Int") return [...missing, ...WHOLES];
  if (type.name === "String") return [...missing, ...TEXTS];
  return missing;
}

function abusesOf(mutation: string, type: GraphQLInputObjectType, sound: Input, path: readonly string[] = []): readonly Abuse[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const here = [...path, field.name];
    const named = here.join(".");
    const inner = getNamedType(field.type);
    const present = here.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], sound);
    const deeper = isInputObjectType(inner) && present !== undefined ? abusesOf(mutation, inner, sound, here) : [];
    if (present === undefined && field.name !== "idempotencyKey") return deeper;
    const values = valuesFor(field).filter((value) => !MEANINGFUL[`${mutation}.${named}`]?.includes(value));
    return [...values.map((value) => ({ mutation, field: named, input: altered(sound, here, value) })), ...deeper];
  });
}

const mutations = Object.values(graph.getMutationType()?.getFields() ?? {});

describe("every mutation", () => {
  it("has its abuses tested", () => {
    expect(mutations.map(({ name }) => name).toSorted()).toEqual(Object.keys(SOUND).toSorted());
  });
});

describe.each(mutations)("$name", ({ name, args: [input] }) => {
  beforeEach(() => live.nextMinute());
  const type = input === undefined ? undefined : getNamedType(input.type);
  const abuses = isInputObjectType(type) ? soundOf(name).flatMap((sound) => abusesOf(name, type, sound)) : [];
  const documentOf = (content: Input) =>
    `mutation { ${name}(input: ${literal(content)}) { outcome userErrors { code message field } journalEntry { id } } }`;

  it("accepts its valid input, in a dry run if it has one", async () => {
    const [trial, outcome] =
      isInputObjectType(type) && "dryRun" in type.getFields() ? [{ dryRun: true }, null] : [{}, "ACCEPTED"];
    for (const sound of soundOf(name)) {
      const { data } = await live.while(live.answer(documentOf({ ...sound, ...trial })));
      expect(data[name]).toEqual({ outcome, userErrors: [], journalEntry: null });
    }
  });

  it("has every field that can be abused in one of its valid inputs", () => {
    const fieldsOf = (of: GraphQLInputObjectType, path: string): readonly string[] =>
      Object.values(of.getFields()).flatMap((field) => {
        const inner = getNamedType(field.type);
        return isInputObjectType(inner) ? fieldsOf(inner, `${path}${field.name}.`) : [`${path}${field.name}`];
      });
    const covered = new Set(abuses.map(({ field }) => field));
    const named = isInputObjectType(type) ? fieldsOf(type, "") : [];
    expect(named.filter((field) => !covered.has(field) && !TRUTHS.has(field.replace(/^orders\./, "")))).toEqual([]);
  });

  it("answers every abuse with a clear error about the field, and sends nothing", async () => {
    expect(abuses.length).toBeGreaterThan(2);
    const unclear: string[] = [];
    for (const { field, input: content } of abuses) {
      const document = documentOf(content);
      const place = `${field} in ${literal(content)}`.slice(0, 300);
      const last = field.split(".").at(-1) ?? field;
      try {
        const { data, errors } = await live.while(live.run(document));
        const reported = errors.length > 0 ? errors.map(({ message }) => ({ field: [last], message })) : data[name].userErrors;
        const isAboutIt = reported.some((error: { field: readonly string[] | null; message: string }) =>
          (error.field ?? []).includes(last),
        );
        const isShort = reported.every(({ message }: { message: string }) => message.length < 400);
        const isForeign =
          errors.length === 0 && reported.some(({ message }: { message: string }) => EXCHANGES_WORDS.test(message));
        const entry = errors.length > 0 ? null : data[name].journalEntry;
        if (!isAboutIt || !isShort || isForeign || entry !== null)
          unclear.push(`${place}: ${JSON.stringify(reported).slice(0, 200)}`);
      } catch (error) {
        // The document itself is invalid by the field's type.
        const message = error instanceof Error ? error.message : String(error);
        if (!/Decimal|does not exist|required|cannot represent/.test(message)) unclear.push(`${place}: ${message.slice(0, 200)}`);
      }
    }
    expect(unclear).toEqual([]);
    const sent = live.sandbox.calls.latest().filter(({ endpoint }) => WRITES.has(endpoint));
    expect(sent).toEqual([]);
  });
});

/** Other categories in which a valid input is also valid, by mutation and index of the input. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  "placeOrder 1": ["MARGIN"],
  "modifyOrder 1": ["SPOT"],
  // A cancel reads nothing first: the exchange checks whether the category has the symbol.
  "cancelOrder 0": ["USDT_FUTURES", "COIN_FUTURES", "USDC_FUTURES"],
  "cancelOrder 1": ["SPOT", "COIN_FUTURES", "USDC_FUTURES"],
  ...Object.fromEntries([0, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((at) => [`placePlanOrder ${at}`, ["SPOT", "MARGIN"]])),
  "cancelAllOrders 0": ["USDT_FUTURES"],
  // The demo twin has the symbols of its category.
  "placeTpslOrder 0": ["SUSDT_FUTURES"],
  "placeTpslOrder 1": ["SUSDT_FUTURES"],
  "adjustPositionMargin 0": ["SUSDT_FUTURES"],
  "setHoldMode 0": ["COIN_FUTURES", "USDC_FUTURES"],
};

describe("the wrong category", () => {
  const others = mutations.flatMap(({ name, args: [input] }) => {
    const type = input === undefined ? undefined : getNamedType(input.type);
    const category = isInputObjectType(type) ? getNamedType(type.getFields().category?.type) : undefined;
    if (!isEnumType(category)) return [];
    return soundOf(name).flatMap((sound, at) =>
      category
        .getValues()
        .filter((value) => !(sound.category instanceof Word && sound.category.name === value.name))
        .map((value) => [name, at, value.name] as const),
    );
  });
  it.each(others)("for %s (%d), %s, is refused with the field that does not go with it", async (name, at, category) => {
    const input = { ...soundOf(name)[at], category: w(category), dryRun: true };
    const { data } = await live.while(
      live.answer(`mutation { ${name}(input: ${literal(input)}) { outcome userErrors { code message field } } }`),
    );
    const { outcome, userErrors } = data[name];
    if (FITTING[`${name} ${at}`]?.includes(category)) {
      expect({ outcome, userErrors }).toEqual({ outcome: null, userErrors: [] });
    } else {
      expect(outcome).toBe("REJECTED");
      const [head] = userErrors[0].field;
      expect(Object.keys(input).concat("qty")).toContain(head);
      // A change of a trigger order reads the order first.
      const codes = name === "modifyPlanOrder" ? ["ORDER_NOT_FOUND"] : [];
      expect(["BAD_USER_INPUT", "ACCOUNT_MODE_MISMATCH", ...codes]).toContain(userErrors[0].code);
    }
  });
});

const WRITES = new Set([
  ...["placeOrder", "modifyOrder", "cancelOrder", "placeStrategyOrder", "setLeverage", "setHoldMode", "upgradeAccount"],
  ...["classicPlaceSpotOrder", "classicCancelSpotOrder", "classicReplaceSpotOrder", "classicPlaceFuturesOrder", "placeTpslOrder"],
  ...[
    "classicSetMargin",
    "classicSetHoldMode",
    "classicSetLeverage",
    "classicSetMarginMode",
    "savingsRedeem",
    "convertTrade",
    "subAccountWithdrawal",
  ],
  ...[
    "cancelSymbolOrders",
    "countdownCancelAll",
    "placeOrderBatch",
    "cancelOrderBatch",
    "classicPlaceSpotOrderBatch",
    "classicCancelSpotOrderBatch",
    "closePositions",
    "classicCancelSpotSymbolOrders",
    "classicCancelAllFuturesOrders",
    "classicClosePositions",
  ],
  ...["modifyStrategyOrder", "classicPlacePlanOrder", "classicModifyPlanOrder", "classicModifyTpslOrder"],
  ...["modifySubAccountEmail", "classicModifyFuturesOrder", "classicCancelFuturesOrder", "classicCancelPlanOrders"],
]);
