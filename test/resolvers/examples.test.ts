import { type DocumentNode, type FieldNode, getNamedType, Kind, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import { describe, expect, it } from "vitest";
import { CancelOrderDocument, OverviewDocument, PlaceOrderDocument, PlaceOrdersDocument } from "../generated/graphql.js";
import { EXAMPLES, examplesOf } from "../support/examples.js";
import { graph } from "../support/graph.js";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph();

describe("the example documents", () => {
  it.each(examplesOf("query"))("$file is answered whole", async ({ text }) => {
    const { data, calls } = await live.while(live.answer(text));
    expect(Object.values(data)).not.toContain(null);
    expect(calls.length).toBeGreaterThan(0);
  });

  it("ask by edges, in each of them, for what one of them pages", () => {
    const fields = EXAMPLES.flatMap(({ document }) => connectionsIn(document));
    const paged = new Set(fields.filter(({ isPaged }) => isPaged).map(({ field }) => field));
    expect([...paged].sort()).toEqual([
      "Account.activity",
      "Account.convertRecords",
      "Account.financialRecords",
      "Account.openOrders",
      "Account.positionHistory",
      "Broker.subAccounts",
      "Loans.history",
    ]);
    const byNodes = fields.filter(({ field, asked }) => paged.has(field) && !(asked.has("edges") && asked.has("pageInfo")));
    expect(byNodes).toEqual([]);
  });

  it("place an order and cancel it, and are dry runs by default", async () => {
    const dry = await live.while(live.ask(PlaceOrderDocument, {}));
    expect(dry.errors).toEqual([]);
    expect(dry.data.placeOrder).toMatchObject({ outcome: null, userErrors: [], order: null, journalEntry: null });
    expect(dry.data.placeOrder.estimate).toMatchObject({ cost: "50", costCoin: "USDT", isAffordable: true });
    const { data } = await live.while(live.ask(PlaceOrderDocument, { dryRun: false }));
    expect(data.placeOrder).toMatchObject({ outcome: "ACCEPTED", order: { status: "NEW" } });
    const { orderId = "", id } = data.placeOrder.order ?? {};
    const cancelled = await live.while(live.ask(CancelOrderDocument, { orderId }));
    expect(cancelled.errors).toEqual([]);
    expect(cancelled.data.cancelOrder).toMatchObject({ outcome: "ACCEPTED", order: { id, status: "CANCELLED" } });
  });
});

it("the example of a batch places its orders together, and is a dry run by default", async () => {
  const outcomes = async (dryRun: boolean) => {
    const { data, errors } = await live.while(live.ask(PlaceOrdersDocument, { dryRun }));
    expect(errors).toEqual([]);
    return [data.placeOrders.outcome, ...data.placeOrders.orders.map(({ outcome }) => outcome)];
  };
  expect(await outcomes(true)).toEqual([null, null, null, null]);
  expect(await outcomes(false)).toEqual(["ACCEPTED", "ACCEPTED", "ACCEPTED", "ACCEPTED"]);
});

describe("the overview", () => {
  it("shows every part of all three accounts", async () => {
    const { data, errors } = await live.while(live.ask(OverviewDocument, {}));
    expect(errors).toEqual([]);
    expect(data.accounts.map(({ name, mode }) => [name, mode])).toEqual([
      ["main", "UNIFIED"],
      ["classic", "CLASSIC"],
      ["broker", "CLASSIC"],
    ]);
    const { main, classic, broker } = data;
    expect(main?.positionHistory?.edges).toHaveLength(5);
    expect(main?.loans.ongoing?.length).toBeGreaterThan(0);
    expect(main?.loans.debts?.loans.length).toBeGreaterThan(0);
    expect(main?.earn.sharkFin.assets?.nodes).toHaveLength(5);
    expect(main?.earn.sharkFin.records?.nodes).toHaveLength(5);
    expect(classic?.futuresAccounts?.[0]?.assets.length).toBeGreaterThan(0);
    expect(classic?.subAccountFuturesAssets?.[0]?.assets.length).toBeGreaterThan(0);
    expect(broker?.broker.info?.subAccountCount).toBeGreaterThan(0);
    expect(broker?.broker.subAccounts?.edges[0]?.node?.spotAssets?.length).toBeGreaterThan(0);
    expect(data.spotSymbols?.map((row) => row?.symbol).sort()).toEqual(["BTCUSDT", "ETHUSDT", "SOLUSDT"]);
    expect(data.marginPairs).toHaveLength(2);
    expect(data.discountRates?.find((row) => row?.coin === "BTC")?.tiers.at(-1)?.maxAmount).toBeNull();
    expect(data.spotFundFlow?.whale.buyVolume).toMatch(/^\d+(\.\d+)?$/);
  });

  it("costs one call for each list of each account, and one per 30 days of closed positions", async () => {
    const { calls } = await live.while(live.ask(OverviewDocument, {}));
    const times = (endpoint: string) => calls.filter((call) => call === endpoint).length;
    expect(times("positionHistory")).toBeLessThanOrEqual(3);
    const others = new Set(calls.filter((call) => call !== "positionHistory" && call !== "accountSettings"));
    for (const endpoint of others) expect(times(endpoint), endpoint).toBe(1);
  });

  it.each([
    ["positionHistory", "main.positionHistory"],
    ["unifiedLoanOngoing", "main.loans.ongoing"],
    ["unifiedLoanDebts", "main.loans.debts"],
    ["sharkFinAssets", "main.earn.sharkFin.assets"],
    ["sharkFinRecords", "main.earn.sharkFin.records"],
    ["futuresAccounts", "classic.futuresAccounts"],
    ["subAccountFuturesAssets", "classic.subAccountFuturesAssets"],
    ["brokerInfo", "broker.broker.info"],
    ["subAccountList", "broker.broker.subAccounts"],
    ["subAccountSpotAssets", "broker.broker.subAccounts.edges.0.node.spotAssets"],
    ["spotSymbols", "spotSymbols"],
    ["marginPairs", "marginPairs"],
    ["discountRates", "discountRates"],
    ["spotFundFlow", "spotFundFlow"],
  ])("is complete but for a refused %s: one error, at %s", async (endpoint, path) => {
    live.exchange.reader.drop(undefined, [endpoint]);
    const fault = { kind: "answer", status: 400, code: "40034", msg: "no such thing" } as const;
    const rule = live.sandbox.faults.add({ endpoint, fault });
    const { data, errors } = await live.while(live.ask(OverviewDocument, {}));
    live.sandbox.faults.remove(rule);
    expect(errors.map((error) => [error.path?.join("."), error.extensions.code])).toEqual([[path, "EXCHANGE_REJECTED"]]);
    expect(nullsIn(data)).toContain(path);
    expect(nullsIn(data).filter((found) => found !== path && !SOMETIMES_NULL.test(found))).toEqual([]);
  });
});

/** Every connection in a document, with its selected fields. */
function connectionsIn(document: DocumentNode) {
  const found: { readonly field: string; readonly isPaged: boolean; readonly asked: ReadonlySet<string> }[] = [];
  const types = new TypeInfo(graph);
  const Field = (node: FieldNode) => {
    const type = getNamedType(types.getType());
    if (!type?.name.endsWith("Connection")) return;
    const selections = node.selectionSet?.selections ?? [];
    found.push({
      field: `${types.getParentType()?.name}.${node.name.value}`,
      isPaged: node.arguments?.some(({ name }) => name.value === "after") === true,
      asked: new Set(selections.flatMap((one) => (one.kind === Kind.FIELD ? [one.name.value] : []))),
    });
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  return found;
}

/** Fields that are also null without an error. */
const SOMETIMES_NULL = /\.(?:endCursor|interestAmount|maxAmount|unrealisedPnl|expireTime)$/;

function nullsIn(value: unknown, path: readonly (string | number)[] = []): string[] {
  if (value === null) return [path.join(".")];
  if (typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => nullsIn(inner, [...path, key]));
}
