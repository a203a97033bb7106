import { isObjectType } from "graphql";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildGraph } from "../../src/resolvers/index.js";
import { type LiveGraph, startLiveGraph } from "./support/liveGraph.js";

let live: LiveGraph;
beforeAll(async () => {
  live = await startLiveGraph();
});
afterAll(() => live.close());
beforeEach(() => live.nextMinute());

const idOf = (...parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");
const find = (id: string) => live.run("query ($id: ID!) { node(id: $id) { __typename id } }", { id });

const ORDER = 'account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "60000"';

/** Sources of identifiers: the type, a document, and the path in its result. */
const GIVEN: readonly (readonly [typeName: string, document: string, path: string])[] = [
  ["Account", '{ found: account(name: "broker") { id } }', "found.id"],
  ["SpotSymbol", '{ found: spotSymbol(symbol: "ETHUSDT") { id } }', "found.id"],
  ["Ticker", '{ found: ticker(category: USDT_FUTURES, symbol: "ETHUSDT") { id } }', "found.id"],
  ["Balance", '{ found: account(name: "main") { balances { id } } }', "found.balances.1.id"],
  ["Balance", '{ found: account(name: "classic") { balances { id } } }', "found.balances.0.id"],
  ["FundingBalance", '{ found: account(name: "main") { fundingBalances { id } } }', "found.fundingBalances.0.id"],
  [
    "FuturesAccount",
    '{ found: account(name: "classic") { futuresAccounts(productType: COIN_FUTURES) { id } } }',
    "found.futuresAccounts.0.id",
  ],
  ["Fill", '{ found: account(name: "main") { fills(category: SPOT, first: 30) { nodes { id } } } }', "found.fills.nodes.29.id"],
  [
    "Fill",
    '{ found: account(name: "classic") { fills(category: USDT_FUTURES, first: 3) { nodes { id } } } }',
    "found.fills.nodes.2.id",
  ],
  ["Instrument", '{ found: instrument(category: COIN_FUTURES, symbol: "BTCUSD") { id } }', "found.id"],
  ["Position", '{ found: account(name: "broker") { positions { id } } }', "found.positions.1.id"],
  ["Position", '{ found: account(name: "main") { positions { id } } }', "found.positions.3.id"],
  [
    "HistoricalPosition",
    '{ found: account(name: "main") { positionHistory(category: USDT_FUTURES, first: 50) { nodes { id } } } }',
    "found.positionHistory.nodes.49.id",
  ],
  [
    "HistoricalPosition",
    '{ found: account(name: "classic") { positionHistory(category: COIN_FUTURES, first: 5) { nodes { id } } } }',
    "found.positionHistory.nodes.4.id",
  ],
  ["Order", '{ found: account(name: "classic") { openOrders { nodes { id } } } }', "found.openOrders.nodes.2.id"],
  [
    "Order",
    '{ found: account(name: "main") { orderHistory(category: SPOT) { nodes { id } } } }',
    "found.orderHistory.nodes.7.id",
  ],
  ["LoanOrder", '{ found: account(name: "classic") { loans { ongoing { id } } } }', "found.loans.ongoing.2.id"],
  [
    "SharkFinProduct",
    '{ found: account(name: "main") { earn { sharkFin { assets(first: 30) { nodes { id } } } } } }',
    "found.earn.sharkFin.assets.nodes.29.id",
  ],
  [
    "SharkFinProduct",
    '{ found: account(name: "main") { earn { sharkFin { assets(status: SETTLED) { nodes { id } } } } } }',
    "found.earn.sharkFin.assets.nodes.0.id",
  ],
  [
    "SubAccount",
    '{ found: account(name: "broker") { broker { subAccounts(first: 3) { nodes { id } } } } }',
    "found.broker.subAccounts.nodes.2.id",
  ],
  ["ClosedLoan", '{ found: account(name: "main") { loans { history { nodes { id } } } } }', "found.loans.history.nodes.0.id"],
  [
    "LoanRepayment",
    '{ found: account(name: "main") { loans { repayments { nodes { id } } } } }',
    "found.loans.repayments.nodes.0.id",
  ],
  [
    "LoanReduction",
    '{ found: account(name: "main") { loans { reductions { nodes { id } } } } }',
    "found.loans.reductions.nodes.0.id",
  ],
  ["Deposit", '{ found: account(name: "main") { deposits { nodes { id } } } }', "found.deposits.nodes.0.id"],
  ["Withdrawal", '{ found: account(name: "main") { withdrawals { nodes { id } } } }', "found.withdrawals.nodes.0.id"],
  ["ClosedLoan", '{ found: account(name: "classic") { loans { history { nodes { id } } } } }', "found.loans.history.nodes.0.id"],
  [
    "LoanRepayment",
    '{ found: account(name: "classic") { loans { repayments { nodes { id } } } } }',
    "found.loans.repayments.nodes.0.id",
  ],
  [
    "LoanReduction",
    '{ found: account(name: "classic") { loans { reductions { nodes { id } } } } }',
    "found.loans.reductions.nodes.0.id",
  ],
  ["Deposit", '{ found: account(name: "classic") { deposits { nodes { id } } } }', "found.deposits.nodes.0.id"],
  ["Withdrawal", '{ found: account(name: "classic") { withdrawals { nodes { id } } } }', "found.withdrawals.nodes.0.id"],
  ["ConvertRecord", '{ found: account(name: "main") { convertRecords { nodes { id } } } }', "found.convertRecords.nodes.1.id"],
  [
    "SavingsHolding",
    '{ found: account(name: "main") { earn { savings { assets(periodType: FLEXIBLE) { nodes { id } } } } } }',
    "found.earn.savings.assets.nodes.0.id",
  ],
  [
    "SavingsRecord",
    '{ found: account(name: "main") { earn { savings { records(periodType: FLEXIBLE) { nodes { id } } } } } }',
    "found.earn.savings.records.nodes.2.id",
  ],
  [
    "SharkFinRecord",
    '{ found: account(name: "main") { earn { sharkFin { records(type: SUBSCRIPTION) { nodes { id } } } } } }',
    "found.earn.sharkFin.records.nodes.1.id",
  ],
  [
    "SubAccountWithdrawal",
    '{ found: account(name: "broker") { broker { withdrawals { nodes { id } } } } }',
    "found.broker.withdrawals.nodes.1.id",
  ],
  ["Coin", '{ found: coin(coin: "BTC") { id } }', "found.id"],
  ["Trade", '{ found: trades(category: SPOT, symbol: "BTCUSDT", first: 3) { id } }', "found.2.id"],
  ["JournalEntry", `mutation { found: placeOrder(input: { ${ORDER} }) { journalEntry { id } } }`, "found.journalEntry.id"],
  [
    "PlanOrder",
    '{ found: account(name: "main") { planOrderHistory(category: USDT_FUTURES) { nodes { id } } } }',
    "found.planOrderHistory.nodes.0.id",
  ],
];

describe("every type with an identifier", () => {
  const types = Object.values(buildGraph().getTypeMap()).filter(isObjectType);
  const identified = types.filter((type) => "id" in type.getFields());

  it("is a Node, and every Node type is tested here", () => {
    const nodes = types.filter((type) => type.getInterfaces().some(({ name }) => name === "Node"));
    expect(identified.map(({ name }) => name).sort()).toEqual(nodes.map(({ name }) => name).sort());
    expect([...new Set(GIVEN.map(([typeName]) => typeName))].sort()).toEqual(nodes.map(({ name }) => name).sort());
  });
});

describe("node", () => {
  it.each(GIVEN)("finds the %s by an identifier from a result", async (typeName, document, path) => {
    const { data } = await live.run(document);
    const id = path.split(".").reduce((at, key) => at[key], data);
    // A trade is listed until a hundred others have followed.
    if (typeName !== "Trade") live.nextMinute();
    const { data: found, errors } = await find(id);
    expect(errors).toEqual([]);
    expect(found.node).toEqual({ __typename: typeName, id });
  });

  it.each(["main", "classic"])("finds a trigger order of %s while it waits and after it has been cancelled", async (name) => {
    const placed = await live.run(`mutation { placeTpslOrder(input: {
      account: "${name}", category: USDT_FUTURES, symbol: "BTCUSDT", posSide: LONG, planType: LOSS_PLAN, qty: "0.001", triggerPrice: "1000"
    }) { outcome orderId userErrors { message } } }`);
    expect(placed.data.placeTpslOrder).toMatchObject({ outcome: "ACCEPTED", userErrors: [] });
    const { orderId } = placed.data.placeTpslOrder;
    const listed = await live.run(`{ account(name: "${name}") { planOrders(category: USDT_FUTURES) { nodes { id orderId } } } }`);
    const { id } = listed.data.account.planOrders.nodes.find((plan: { orderId: string }) => plan.orderId === orderId);
    live.nextMinute();
    expect((await find(id)).data.node).toEqual({ __typename: "PlanOrder", id });
    await live.run(`mutation { cancelOrder(input: {
      account: "${name}", category: USDT_FUTURES, symbol: "BTCUSDT", kind: PLAN_ORDER, by: { orderId: "${orderId}" }
    }) { outcome } }`);
    live.nextMinute();
    expect((await find(id)).data.node).toEqual({ __typename: "PlanOrder", id });
  });

  it("finds a write in the journal only by its number and key", async () => {
    const { data } = await live.run(`mutation { placeOrder(input: { ${ORDER} }) { journalEntry { id seq idempotencyKey } } }`);
    const { id, seq, idempotencyKey } = data.placeOrder.journalEntry;
    const entry = (name: string, number: string, key: string) => find(idOf("JournalEntry", name, number, key));
    expect((await entry("main", seq, idempotencyKey)).data.node).toEqual({ __typename: "JournalEntry", id });
    expect((await entry("main", seq, "another")).data.node).toBeNull();
    expect((await entry("classic", seq, idempotencyKey)).data.node).toBeNull();
    expect((await entry("main", "0", idempotencyKey)).data.node).toBeNull();
  });

  it.each([
    ["main", "ETHUSDT"],
    ["classic", "SOLUSDT"],
  ])("finds an order of %s that is placed at its price, which is listed with the trigger orders", async (name, symbol) => {
    const { data, errors } = await live.run(
      `query ($name: String) { account(name: $name) { planOrders(category: USDT_FUTURES) { nodes {
        id symbol planType side orderType triggerPrice triggerBy executePrice takeProfit { triggerPrice } stopLoss { triggerPrice }
      } } } }`,
      { name },
    );
    expect(errors).toEqual([]);
    const { nodes } = data.account.planOrders;
    const triggers = nodes.filter(({ planType }: { planType: string }) => planType === "NORMAL_PLAN");
    expect(triggers).toMatchObject([
      { symbol, side: "BUY", orderType: "MARKET", triggerBy: "MARKET", executePrice: null, takeProfit: null, stopLoss: null },
    ]);
    expect(nodes.length).toBeGreaterThan(triggers.length);
    live.nextMinute();
    expect((await find(triggers[0].id)).data.node).toEqual({ __typename: "PlanOrder", id: triggers[0].id });
  });

  it("gives one coin of three accounts three identifiers", async () => {
    const { data } = await live.run('{ accounts { balances(coins: ["USDT"]) { id coin account { name } } } }');
    const ids = data.accounts.flatMap(({ balances }: { balances: readonly { id: string }[] }) => balances.map(({ id }) => id));
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
  });

  it("finds the whole record, so that its fields can be read", async () => {
    const { data } = await live.run('{ account(name: "main") { loans { ongoing { id orderId loanCoin account { name } } } } }');
    const [loan] = data.account.loans.ongoing;
    const again = await live.run(
      "query ($id: ID!) { node(id: $id) { ... on LoanOrder { id orderId loanCoin account { name } } } }",
      { id: loan.id },
    );
    expect(again.data.node).toEqual(loan);
  });

  it.each([
    ["an account that is not configured", idOf("Account", "nobody")],
    ["a symbol that is not listed", idOf("SpotSymbol", "NONESUCH")],
    ["an instrument that is not listed", idOf("Instrument", "SPOT", "NONESUCH")],
    ["a position that was never opened", idOf("Position", "main", "USDT-FUTURES", "XRPUSDT", "USDT", "short")],
    ["a position of a category that is new", idOf("Position", "main", "UNKNOWN", "XRPUSDT", "USDT", "short")],
    ["an order that was never placed", idOf("Order", "main", "SPOT", "BTCUSDT", "1")],
    ["a closed position that is too old to be listed", idOf("HistoricalPosition", "main", "USDT-FUTURES", "BTCUSDT", "1", 0, 1)],
    ["a coin that is not held", idOf("Balance", "main", "NONESUCH")],
    ["an execution that did not happen", idOf("Fill", "main", "SPOT", "1", "1")],
    ["a trigger order that was never placed", idOf("PlanOrder", "main", "USDT-FUTURES", "BTCUSDT", "1")],
    ["a loan that is over", idOf("LoanOrder", "main", "1")],
    ["a loan of an account that is not configured", idOf("LoanOrder", "nobody", "1")],
    ["a shark-fin product without a holding", idOf("SharkFinProduct", "main", "1", "USDT", null, null)],
  ])("finds nothing for %s", async (_what, id) => {
    const { data, errors } = await find(id);
    expect(errors).toEqual([]);
    expect(data.node).toBeNull();
  });

  it.each([
    ["text that is no identifier", "hello"],
    ["empty text", ""],
    ["something that is not base64url", "a b"],
    ["base64url of no JSON", Buffer.from("nope").toString("base64url")],
    ["base64url of other JSON", Buffer.from('{"a":1}').toString("base64url")],
    ["a type without identifiers", idOf("Debts", "main")],
    ["a type that is not of the graph", idOf("toString", "main")],
    ["too few keys", idOf("LoanOrder", "main")],
    ["too many keys", idOf("LoanOrder", "main", "1", "2")],
    ["a category that is none", idOf("Instrument", "FUTURES", "BTCUSDT")],
    ["a key of the wrong kind", idOf("LoanOrder", "main", 1)],
    ["another spelling of an identifier", Buffer.from('["Account", "main"]').toString("base64url")],
    ["a very long identifier", idOf("Account", "x".repeat(2_000))],
  ])("refuses %s and sends nothing", async (_what, id) => {
    const { data, errors } = await find(id);
    expect(data.node).toBeNull();
    expect(errors.map((error) => [error.message, error.extensions.code])).toEqual([
      ["id must be a global identifier of this graph", "BAD_USER_INPUT"],
    ]);
    expect(live.sandbox.calls.counts()).toEqual({});
  });

  it("shows nothing of an account that is secret", async () => {
    const { data } = await find(idOf("Account", "main"));
    expect(JSON.stringify(data)).not.toMatch(/sandbox|secret|passphrase/i);
  });
});

describe("nodes", () => {
  const NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on Account { name } ... on SpotSymbol { symbol } } }";

  it("answers in the order of the request, with null for unknown objects and an error for an invalid identifier", async () => {
    const ids = [idOf("SpotSymbol", "BTCUSDT"), idOf("Account", "nobody"), "nonsense", idOf("Account", "main")];
    const { data, errors } = await live.run(NODES, { ids });
    expect(data.nodes).toEqual([
      { __typename: "SpotSymbol", symbol: "BTCUSDT" },
      null,
      null,
      { __typename: "Account", name: "main" },
    ]);
    expect(errors.map((error) => [error.path?.join("."), error.extensions.code])).toEqual([["nodes.2", "BAD_USER_INPUT"]]);
  });

  it("accepts at most a hundred identifiers", async () => {
    const ids = Array.from({ length: 101 }, () => idOf("Account", "main"));
    expect((await live.run(NODES, { ids: ids.slice(1) })).data.nodes).toHaveLength(100);
    await expect(live.run(NODES, { ids })).resolves.toMatchObject({
      data: null,
      errors: [{ message: "ids must not have more than 100 entries", extensions: { code: "BAD_USER_INPUT" } }],
    });
  });
});
