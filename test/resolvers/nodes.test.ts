import { ManualClock } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox/credentials";
import { CLASSIC_SUB_UIDS, CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { execute, type GraphQLError, isObjectType, parse } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import type { DataSource, ExchangeAccount } from "../../src/datasources/index.js";
import { ANYONE, createContext, Rights } from "../../src/resolvers/index.js";
import { globalIdOf } from "../../src/resolvers/nodes/nodeTypes.js";
import { passing } from "../support/eventually.js";
import { accountIn, exchangeOver } from "../support/exchangeOver.js";
import { graph } from "../support/graph.js";
import { sharedGraph } from "./support/sharedGraph.js";
import { placeUnifiedPlan } from "./support/trade.js";

const live = sharedGraph();
beforeAll(async () => {
  const { transfers } = live.sandbox.world;
  const [sub, another] = CLASSIC_SUB_UIDS;
  const spotOf = (uid: string) => ({ uid, kind: "spot" }) as const;
  transfers.transfer(spotOf(CLASSIC_UID), { uid: CLASSIC_UID, kind: "usdt-futures" }, "USDT", exact("3"));
  transfers.transfer(spotOf(CLASSIC_UID), spotOf(sub), "USDT", exact("6"));
  transfers.transfer(spotOf(sub), spotOf(CLASSIC_UID), "USDT", exact("2"));
  transfers.transfer(spotOf(sub), spotOf(another), "USDT", exact("1"));
  transfers.transfer({ uid: MAIN_UID, kind: "unified" }, { uid: MAIN_UID, kind: "funding" }, "USDT", exact("3"));
  await placeUnifiedPlan(live, {
    ...{ type: "twap", side: "buy", posSide: "long", qty: "0.12" },
    twapParams: [{ duration: "12", interval: "60" }] as unknown as string,
  });
  for (let minute = 0; minute < 3; minute++) live.nextMinute();
});

const idOf = (...parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");
const find = (id: string) => live.run("query ($id: ID!) { node(id: $id) { __typename id } }", { id });

const ORDER = 'account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "60000"';

/** Sources of identifiers: the type, the account (none if empty), and what is selected: the last identifier in it is taken. */
const GIVEN: readonly (readonly [typeName: string, account: string, selection: string])[] = [
  // Its trigger order ends after some minutes.
  ["SubOrder", "main", "planOrders(category: USDT_FUTURES, kinds: [TWAP]) { nodes { subOrders { nodes { id } } } }"],
  ["Account", "broker", "id"],
  ["SpotSymbol", "", 'spotSymbol(symbol: "ETHUSDT") { id }'],
  ["MarginPair", "", 'marginPairs(symbols: ["ETHUSDT"]) { id }'],
  ["ConvertCurrency", "main", "convertCurrencies { id }"],
  ["SubAccountFuturesAssets", "classic", "subAccountFuturesAssets(productType: USDT_FUTURES) { id }"],
  ["Ticker", "", 'ticker(category: USDT_FUTURES, symbol: "ETHUSDT") { id }'],
  ["Balance", "main", "balances { id }"],
  ["Balance", "classic", "balances { id }"],
  ["FundingBalance", "main", "fundingBalances { id }"],
  ["FuturesAccount", "classic", "futuresAccounts(productType: COIN_FUTURES) { id }"],
  ["Fill", "main", "fills(category: SPOT, first: 30) { nodes { id } }"],
  ["Fill", "classic", "fills(category: USDT_FUTURES, first: 3) { nodes { id } }"],
  ["Instrument", "", 'instrument(category: COIN_FUTURES, symbol: "BTCUSD") { id }'],
  ["Position", "broker", "positions { id }"],
  ["Position", "main", "positions { id }"],
  ["HistoricalPosition", "main", "positionHistory(category: USDT_FUTURES, first: 50) { nodes { id } }"],
  ["HistoricalPosition", "classic", "positionHistory(category: COIN_FUTURES, first: 5) { nodes { id } }"],
  ["Order", "classic", "openOrders { nodes { id } }"],
  ["Order", "main", "orderHistory(category: SPOT) { nodes { id } }"],
  ["LoanOrder", "classic", "loans { ongoing { id } }"],
  ["SharkFinProduct", "main", "earn { sharkFin { assets(first: 30) { nodes { id } } } }"],
  ["SharkFinProduct", "main", "earn { sharkFin { assets(status: SETTLED) { nodes { id } } } }"],
  ["SubAccount", "broker", "broker { subAccounts(first: 3) { nodes { id } } }"],
  ["ClosedLoan", "main", "loans { history { nodes { id } } }"],
  ["LoanRepayment", "main", "loans { repayments { nodes { id } } }"],
  ["LoanReduction", "main", "loans { reductions { nodes { id } } }"],
  ["Deposit", "main", "deposits { nodes { id } }"],
  ["Withdrawal", "main", "withdrawals { nodes { id } }"],
  ["ClosedLoan", "classic", "loans { history { nodes { id } } }"],
  ["LoanRepayment", "classic", "loans { repayments { nodes { id } } }"],
  ["LoanReduction", "classic", "loans { reductions { nodes { id } } }"],
  ["Deposit", "classic", "deposits { nodes { id } }"],
  ["Withdrawal", "classic", "withdrawals { nodes { id } }"],
  ["ConvertRecord", "main", "convertRecords { nodes { id } }"],
  ["SavingsHolding", "main", "earn { savings { assets(periodType: FLEXIBLE) { nodes { id } } } }"],
  ["SavingsRecord", "main", "earn { savings { records(periodType: FLEXIBLE) { nodes { id } } } }"],
  ["SharkFinRecord", "main", "earn { sharkFin { records(type: SUBSCRIPTION) { nodes { id } } } }"],
  ["SubAccountWithdrawal", "broker", "broker { withdrawals { nodes { id } } }"],
  ["FinancialRecord", "main", "financialRecords(category: USDT_FUTURES, first: 10) { nodes { id } }"],
  ["FinancialRecord", "main", "financialRecords(category: OTHER, first: 3) { nodes { id } }"],
  ["FinancialRecord", "main", "fundingRecords(first: 3) { nodes { id } }"],
  ["FinancialRecord", "classic", "financialRecords(category: SPOT, first: 3) { nodes { id } }"],
  ["FinancialRecord", "classic", "fundingPayments(first: 3) { nodes { id } }"],
  ["Transfer", "classic", 'transfers(coin: "USDT") { nodes { id } }'],
  ["Transfer", "classic", "subAccountTransfers { nodes { id } }"],
  ["Transfer", "classic", "subAccountTransfers(role: RECEIVER) { nodes { id } }"],
  ["Transfer", "classic", `subAccountTransfers(subUid: "${CLASSIC_SUB_UIDS[0]}") { nodes { id } }`],
  ["SavingsProduct", "classic", "earn { savings { products { id } } }"],
  ["SharkFinOffer", "main", 'earn { sharkFin { offers(coin: "USDT") { nodes { id } } } }'],
  ["Coin", "", 'coin(coin: "BTC") { id }'],
  ["Trade", "", 'trades(category: SPOT, symbol: "BTCUSDT", first: 3) { id }'],
  ["JournalEntry", "", `mutation { found: placeOrder(input: { ${ORDER} }) { journalEntry { id } } }`],
  ["PlanOrder", "main", "planOrderHistory(category: USDT_FUTURES) { nodes { id } }"],
];

describe("every type with an identifier", () => {
  const types = Object.values(graph.getTypeMap()).filter(isObjectType);
  const identified = types.filter((type) => "id" in type.getFields());

  it("is a Node, and every Node type is tested here", () => {
    const nodes = types.filter((type) => type.getInterfaces().some(({ name }) => name === "Node"));
    expect(identified.map(({ name }) => name).sort()).toEqual(nodes.map(({ name }) => name).sort());
    expect([...new Set(GIVEN.map(([typeName]) => typeName))].sort()).toEqual(nodes.map(({ name }) => name).sort());
  });
});

describe("node", () => {
  it.each(GIVEN)("finds the %s of %s by an identifier from a result", async (typeName, account, selection) => {
    const asked = account === "" ? selection : `account(name: "${account}") { ${selection} }`;
    const { data } = await live.run(selection.startsWith("mutation") ? selection : `{ ${asked} }`);
    const id =
      JSON.stringify(data)
        .match(/(?<="id":")[^"]+/g)
        ?.at(-1) ?? "";
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
    const { data } = await live.answer(
      `query ($name: String) { account(name: $name) { planOrders(category: USDT_FUTURES) { nodes {
        id symbol planType side orderType triggerPrice triggerBy executePrice takeProfit { triggerPrice } stopLoss { triggerPrice }
      } } } }`,
      { name },
    );
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
    ["a repayment that is too old to be listed", idOf("LoanRepayment", "main", "1", 0, "1")],
    ["a change of a balance that is too old to be listed", idOf("FinancialRecord", "main", "SPOT", null, "1", 0)],
    ["a change of a balance of a category that is new", idOf("FinancialRecord", "main", "NEW", null, "1", null)],
    ["a change of a balance of a Classic account's funding", idOf("FinancialRecord", "classic", null, null, "1", null)],
    ["a change of a balance of isolated margin", idOf("FinancialRecord", "classic", "MARGIN", "BTCUSDT", "1", null)],
    ["a transfer that did not happen", idOf("Transfer", "classic", "USDT", "1", null, null, null)],
    ["a transfer between sub-accounts that did not happen", idOf("Transfer", "main", "USDT", "1", "2", "3", null)],
    ["an order of a trigger order that placed none", idOf("SubOrder", "main", "USDT-FUTURES", "BTCUSDT", "1", "1")],
    ["a savings product that is not listed", idOf("SavingsProduct", "main", "1")],
    ["a shark-fin offer of a coin without offers", idOf("SharkFinOffer", "main", "NONESUCH", "1")],
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

describe("an identifier of an account's object", () => {
  const named = (name: string, credentials: ExchangeAccount["credentials"]): ExchangeAccount => ({
    ...{ name, credentials, isCopyTrader: false },
  });
  /** The key of a documented account. */
  const keyOf = (name: string) => accountIn(live.exchange, name).credentials;
  const uidOf = (name: string) => SANDBOX_CREDENTIALS.find((credential) => credential.name === name)?.uid;

  /** A gateway that has read nothing yet. */
  async function over<T>(accounts: readonly ExchangeAccount[], test: (exchange: DataSource) => Promise<T>): Promise<T> {
    const exchange = exchangeOver(new URL(live.sandbox.url), { clock: live.clock, accounts });
    try {
      return await test(exchange);
    } finally {
      await exchange.close();
    }
  }

  async function ask(
    exchange: DataSource,
    document: string,
    variableValues?: Readonly<Record<string, unknown>>,
    rights = Rights.ALL,
  ) {
    const contextValue = createContext(exchange, { ...ANYONE, rights });
    const { data, errors = [] } = await execute({ schema: graph, document: parse(document), contextValue, variableValues });
    // biome-ignore lint/suspicious/noExplicitAny: the fields depend on each document, and the assertions check them
    return { data: data as any, errors: errors as readonly GraphQLError[] };
  }

  const NODES = `query ($ids: [ID!]!) { nodes(ids: $ids) {
    id __typename
    ... on Account { name } ... on Balance { coin account { name } } ... on FuturesAccount { marginCoin account { name } }
    ... on LoanOrder { orderId account { name } } ... on JournalEntry { seq account { name } }
  } }`;
  const found = async (exchange: DataSource, ids: readonly string[], rights?: Rights) => ask(exchange, NODES, { ids }, rights);
  const idsOf = async (exchange: DataSource, name: string) => {
    const { data, errors } = await ask(
      exchange,
      "query ($name: String) { account(name: $name) { id balances { id } loans { ongoing { id } } } }",
      { name },
    );
    expect(errors).toEqual([]);
    const { id, balances, loans } = data.account;
    return [id, ...[balances, loans.ongoing].flatMap((rows) => rows.map((row: { readonly id: string }) => row.id))] as string[];
  };

  it.each([
    ["Account", "WyJBY2NvdW50IiwibWFpbiJd", { name: "main" }],
    ["Balance", "WyJCYWxhbmNlIiwibWFpbiIsIkJUQyJd", { coin: "BTC" }],
    ["Balance", "WyJCYWxhbmNlIiwiY2xhc3NpYyIsIlVTRFQiXQ", { coin: "USDT" }],
    ["FuturesAccount", "WyJGdXR1cmVzQWNjb3VudCIsImNsYXNzaWMiLCJVU0RULUZVVFVSRVMiLCJVU0RUIl0", { marginCoin: "USDT" }],
  ])("of 0.2.0, which has the account's name, finds the %s", async (__typename, id, record) => {
    const { data, errors } = await found(live.exchange, [id]);
    expect(errors).toEqual([]);
    expect(data.nodes).toMatchObject([{ __typename, ...record }]);
    const again = await found(live.exchange, [data.nodes[0].id]);
    expect(again.data).toEqual(data);
  });

  it.each(["main", "classic"])(
    "of %s stays, and finds it, under another name: after a reload, and after a restart",
    async (name) => {
      const account = named(name, keyOf(name));
      const renamed = named("renamed", keyOf(name));
      const stored = await over([account], async (exchange) => {
        const ids = await idsOf(exchange, name);
        expect(ids.length).toBeGreaterThan(3);
        await exchange.replaceAccounts([renamed], 1_000);
        expect(await idsOf(exchange, "renamed")).toEqual(ids);
        const { data, errors } = await found(exchange, ids);
        expect(errors).toEqual([]);
        expect(data.nodes.map((node: { readonly id: string }) => node.id)).toEqual(ids);
        expect(data.nodes[1].account.name).toBe("renamed");
        return ids;
      });
      live.nextMinute();
      await over([renamed], async (exchange) => {
        const { data, errors } = await found(exchange, stored);
        expect(errors).toEqual([]);
        expect(data.nodes.map((node: { readonly id: string }) => node.id)).toEqual(stored);
        expect(await idsOf(exchange, "renamed")).toEqual(stored);
      });
    },
  );

  it.each(["main", "classic"])("and a cursor of a list of %s go on under another name, and for no other user", async (name) => {
    const other = name === "main" ? "classic" : "main";
    const page = (exchange: DataSource, account: string, after?: Readonly<Record<string, unknown>>) =>
      ask(
        exchange,
        `query ($account: String, $fills: String, $activity: String, $bills: String) { account(name: $account) {
          fills(category: USDT_FUTURES, first: 2, after: $fills) { ...Page }
          activity(kinds: [ORDER, FILL], first: 2, after: $activity) { pageInfo { endCursor hasNextPage } nodes { time } }
          bills: financialRecords(first: 2, after: $bills) { pageInfo { endCursor hasNextPage } nodes { id } }
        } } fragment Page on FillConnection { pageInfo { endCursor hasNextPage } nodes { id } }`,
        { account, ...after },
      );
    const cursorsOf = (account: Readonly<Record<string, { readonly pageInfo: { readonly endCursor: string } }>>) =>
      Object.fromEntries(Object.entries(account).map(([list, { pageInfo }]) => [list, pageInfo.endCursor]));
    await over([named(name, keyOf(name)), named(other, keyOf(other))], async (exchange) => {
      await ask(exchange, "{ accounts { id } }");
      const first = await page(exchange, name);
      expect(first.errors).toEqual([]);
      const cursors = cursorsOf(first.data.account);
      const second = await page(exchange, name, cursors);
      live.nextMinute();
      await exchange.replaceAccounts([named("renamed", keyOf(name)), named(name, keyOf(other))], 1_000);
      const renamed = await page(exchange, "renamed", cursors);
      expect(renamed).toEqual(second);
      expect(renamed.errors).toEqual([]);
      const wrong = await page(exchange, name, cursors);
      expect(wrong.errors.map(({ path, extensions }) => [path?.at(-1), extensions.code])).toEqual(
        expect.arrayContaining([
          ["fills", "BAD_USER_INPUT"],
          ["activity", "BAD_USER_INPUT"],
          ["bills", "BAD_USER_INPUT"],
        ]),
      );
    });
  });

  it("never finds another user's, when two users swap their names", async () => {
    const [one, other] = [keyOf("main"), keyOf("classic")];
    await over([named("one", one), named("other", other)], async (exchange) => {
      const stored = [...(await idsOf(exchange, "one")), ...(await idsOf(exchange, "other"))];
      const before = await found(exchange, stored);
      await exchange.replaceAccounts([named("one", other), named("other", one)], 1_000);
      live.nextMinute();
      const { data, errors } = await found(exchange, stored);
      expect(errors).toEqual([]);
      const swapped = (text: string) =>
        text.replaceAll(/"name":"(one|other)"/g, (_, was) => `"name":"${was === "one" ? "other" : "one"}"`);
      expect(JSON.stringify(data)).toBe(swapped(JSON.stringify(before.data)));
      const ofOther = await idsOf(exchange, "other");
      expect(ofOther).toEqual(stored.slice(0, ofOther.length));
    });
  });

  it("of one user is distinct under each of its names, and finds the one that the client sees", async () => {
    const key = keyOf("main");
    await over([named("one", key), named("two", key), named("classic", keyOf("classic"))], async (exchange) => {
      const [one, two] = [await idsOf(exchange, "one"), await idsOf(exchange, "two")];
      expect(one).toHaveLength(two.length);
      expect(new Set([...one, ...two]).size).toBe(2 * one.length);
      const { data } = await found(exchange, [one[0], two[0], two[1]] as string[]);
      expect(data.nodes).toMatchObject([{ name: "one" }, { name: "two" }, { id: two[1], account: { name: "two" } }]);
      const onlyTwo = new Rights({ "read:account": ["two"] });
      const limited = await found(exchange, [one[0], one[1], two[1]] as string[], onlyTwo);
      expect(limited.errors).toEqual([]);
      // As if the user had this name alone.
      expect(limited.data.nodes).toMatchObject([
        { id: one[0], name: "two" },
        { id: one[1], account: { name: "two" } },
        { id: one[1], account: { name: "two" } },
      ]);
      await exchange.replaceAccounts([named("third", key)], 1_000);
      const later = await found(exchange, [one[0], two[0]] as string[]);
      expect(later.data.nodes).toMatchObject([
        { id: one[0], name: "third" },
        { id: one[0], name: "third" },
      ]);
    });
  });

  it("finds nothing for a client that does not see the account, as if it did not exist", async () => {
    const onlyMain = new Rights({ "read:account": ["main"] });
    await found(live.exchange, [idOf("Account", `@${uidOf("main")}`)], onlyMain);
    live.nextMinute();
    const ids = [uidOf("classic"), "123456789"].flatMap((uid) => [
      idOf("Account", `@${uid}`),
      idOf("Balance", `@${uid}/main`, "USDT"),
    ]);
    const { data, errors } = await found(live.exchange, ids, onlyMain);
    expect([data.nodes, errors]).toEqual([[null, null, null, null], []]);
    expect(live.sandbox.calls.counts()).toEqual({});
  });

  it("takes one call for a Classic account whose user is not known yet, and none otherwise, whatever the number of records", async () => {
    const [id = ""] = await idsOf(live.exchange, "classic");
    const accounts = [named("main", keyOf("main")), named("classic", keyOf("classic"))];
    const calls = () => Object.entries(live.sandbox.calls.counts()).map(([name, { total }]) => `${name} ${total}`);
    live.nextMinute();
    await over(accounts, async (exchange) => {
      await ask(exchange, "{ accounts { balances { id } } }");
      // The settings show the mode of an account, and the user of a unified one.
      expect(calls().sort()).toEqual(["accountSettings 2", "classicAccount 1", "classicSpotAssets 1", "unifiedAssets 1"]);
      live.nextMinute();
      expect((await found(exchange, [id])).data.nodes).toMatchObject([{ name: "classic" }]);
      expect(calls()).toEqual([]);
    });
    await over(accounts, async (exchange) => {
      expect((await found(exchange, [id, id])).data.nodes).toMatchObject([{ name: "classic" }, { name: "classic" }]);
      expect(calls().sort()).toEqual(["accountSettings 2", "classicAccount 1"]);
    });
  });

  it("has the account's name if the key may not read its user, without asking again", async () => {
    await over([named("main", keyOf("main"))], async (exchange) => {
      const account = accountIn(exchange, "main");
      exchange.knownUsers.learn(account, exchange.knownUsers.standInOf(account));
      const { data, errors } = await ask(exchange, "{ accounts { id } }");
      expect([data.accounts, errors]).toEqual([[{ id: idOf("Account", "main") }], []]);
      // Whoever the user of the account is, this client cannot know it by this key.
      expect((await found(exchange, [idOf("Account", `@${uidOf("main")}`)])).data.nodes).toEqual([null]);
      expect(live.sandbox.calls.counts()).toEqual({});
      const context = createContext(exchange, ANYONE);
      exchange.directory.replace([]);
      expect(globalIdOf(context.exchange, "Account", account)).toBe(idOf("Account", "main"));
    });
  });

  it("has the account's name while the exchange cannot be asked for its user, and is not taken for one that is gone", async () => {
    const [id = ""] = await idsOf(live.exchange, "main");
    const exchange = exchangeOver(new URL("http://127.0.0.1:9"), { accounts: [named("main", keyOf("main"))], deadlineMs: 200 });
    try {
      const listed = await ask(exchange, "{ accounts { id name } }");
      expect(listed).toEqual({ data: { accounts: [{ id: idOf("Account", "main"), name: "main" }] }, errors: [] });
      const { data, errors } = await found(exchange, [id, idOf("Account", "main"), idOf("Account", "nobody")]);
      expect(data.nodes).toMatchObject([null, { name: "main" }, null]);
      expect(errors.map(({ path, extensions }) => [path?.join("."), extensions.retryable])).toEqual([["nodes.0", true]]);
    } finally {
      await exchange.close();
    }
    expect((await found(live.exchange, [idOf("Account", "main")])).data.nodes).toMatchObject([{ id, name: "main" }]);
  });

  it("waits once for a user that the exchange does not name, so that not each event of a stream is late", async () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    const transport = { send: () => new Promise<never>(() => undefined), close: async () => undefined };
    const accounts = [named("main", keyOf("main"))];
    const exchange = exchangeOver(new URL("http://127.0.0.1:9"), { accounts, clock, transport, deadlineMs: 60_000 });
    try {
      const account = accountIn(exchange, "main");
      const first = globalIdOf(exchange, "Account", account);
      expect(first).toBeInstanceOf(Promise);
      expect(await passing(clock, 500, Promise.resolve(first))).toBe(idOf("Account", "main"));
      expect(globalIdOf(exchange, "Account", account)).toBe(idOf("Account", "main"));
    } finally {
      await exchange.close();
    }
  });
});
