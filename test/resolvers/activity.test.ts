import { exact } from "@exchange-graph/contract/decimal";
import { BROKER_UID, CLASSIC_SUB_UIDS, CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph({ hasLimits: false });
beforeAll(async () => {
  // The broker's account is not one of the first ones.
  const [main, classic, broker] = live.exchange.accounts;
  if (main === undefined || classic === undefined || broker === undefined) throw new Error("the sandbox has three accounts");
  await live.while(live.exchange.replaceAccounts([main, classic, { ...broker, name: "later" }], 1_000));
  for (const name of ["main", "classic", "later"])
    await live.while(
      live.run(`mutation { placeOrder(input: { account: "${name}", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT,
        qty: "0.001", price: "30000" }) { outcome } }`),
    );
  const wallet = (uid: string, kind: "funding" | "spot" | "unified" | "usdt-futures") => ({ uid, kind });
  const { transfers } = live.sandbox.world;
  for (let number = 1; number <= 5; number++) {
    const amount = exact(`0.0${number}`);
    transfers.transfer(wallet(MAIN_UID, "funding"), wallet(MAIN_UID, "unified"), "USDT", amount);
    transfers.transfer(wallet(MAIN_UID, "unified"), wallet(MAIN_UID, "funding"), "USDT", amount);
    for (const uid of [CLASSIC_UID, BROKER_UID]) {
      transfers.transfer(wallet(uid, "spot"), wallet(uid, "funding"), "BTC", exact(`0.000${number}`));
      transfers.transfer(wallet(uid, "spot"), wallet(uid, "usdt-futures"), "USDT", amount);
      transfers.transfer(wallet(uid, "usdt-futures"), wallet(uid, "funding"), "USDT", amount);
    }
    transfers.transfer(wallet(CLASSIC_UID, "spot"), wallet(CLASSIC_SUB_UIDS[0], "spot"), "USDT", amount);
    transfers.transfer(wallet(CLASSIC_SUB_UIDS[0], "spot"), wallet(CLASSIC_UID, "spot"), "USDT", amount);
  }
});

/** What identifies a record of each type, under names that the types share. */
const KEYS = `__typename
  ... on Order { key: orderId category } ... on Fill { execId category } ... on PlanOrder { key: orderId }
  ... on ConvertRecord { recordId } ... on LoanOrder { key: orderId } ... on ClosedLoan { key: orderId }
  ... on LoanRepayment { key: orderId at: repayTime sum: amount } ... on LoanReduction { key: orderId at: reduceTime }
  ... on SavingsRecord { key: orderId } ... on SharkFinRecord { key: orderId } ... on Deposit { key: orderId }
  ... on Withdrawal { key: orderId } ... on JournalEntry { seq } ... on Transfer { transferId } ... on FinancialRecord { recordId kind }
  ... on SubAccountWithdrawal { key: orderId }`;

interface Item {
  readonly kind: string;
  readonly time: string;
  readonly record: Readonly<Record<string, unknown>>;
}

interface Page {
  readonly nodes: readonly Item[];
  readonly hasNextPage: boolean;
  readonly endCursor: string;
  readonly calls: readonly string[];
}

const page = async (name: string, args: string): Promise<Page> => {
  const { data, calls } = await live.while(
    live.answer(
      `{ account(name: "${name}") { activity(${args}) { nodes { kind time record { ${KEYS} } } pageInfo { hasNextPage endCursor } } } }`,
    ),
  );
  const { nodes, pageInfo } = data.account.activity;
  return { nodes: nodes as readonly Item[], ...pageInfo, calls };
};

async function everything(name: string, args: string, first: number): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let after = ""; ; ) {
    const { nodes, hasNextPage, endCursor } = await page(name, `${args} first: ${first} ${after}`);
    items.push(...nodes);
    if (!hasNextPage) return items;
    after = `after: "${endCursor}"`;
  }
}

const textOf = ({ record }: Pick<Item, "record">): string => JSON.stringify(Object.entries(record).sort());
const span = () => {
  const to = live.now() - 120_000;
  return `from: "${new Date(to - 10 * 86_400_000).toISOString()}", to: "${new Date(to + 60_000).toISOString()}"`;
};

const nodes = (field: string, args: string, type: string) =>
  `${field}(first: 500, after: $after, ${args}) { nodes { ...${type} } pageInfo { hasNextPage endCursor } }`;
/** The lists of an account, each by its own field. */
function lists(name: string, times: string): readonly string[] {
  const futures = ["USDT_FUTURES", "COIN_FUTURES", "USDC_FUTURES"];
  const categories = name === "main" ? ["SPOT", "MARGIN", ...futures] : ["SPOT", ...futures];
  const transfers =
    name === "main"
      ? [nodes("financialRecords", `category: OTHER ${times}`, "R")]
      : ["USDT", "USDC", "BTC", "ETH"].map((coin) => nodes("transfers", `coin: "${coin}" ${times}`, "R"));
  return [
    nodes("openOrders", times, "R"),
    ...categories.map((one) => nodes("orderHistory", `category: ${one} ${times}`, "R")),
    ...categories.map((one) => nodes("fills", `category: ${one} ${times}`, "R")),
    ...(name === "main" ? categories : futures).flatMap((one) =>
      ["planOrders", "planOrderHistory"].map((field) => nodes(field, `category: ${one} ${times}`, "R")),
    ),
    nodes("convertRecords", times, "R"),
    ...["history", "repayments", "reductions"].map((field) => `loans { ${nodes(field, times, "R")} }`),
    ...["FLEXIBLE", "FIXED"].map((one) => `earn { savings { ${nodes("records", `periodType: ${one} ${times}`, "R")} } }`),
    ...["SUBSCRIPTION", "REDEMPTION", "INTEREST"].map(
      (one) => `earn { sharkFin { ${nodes("records", `type: ${one} ${times}`, "R")} } }`,
    ),
    nodes("deposits", times, "R"),
    nodes("withdrawals", times, "R"),
    ...transfers,
    ...["INITIATOR", "RECEIVER"].map((role) => nodes("subAccountTransfers", `role: ${role} ${times}`, "R")),
    ...(name === "later" ? [`broker { ${nodes("withdrawals", times, "R")} }`] : []),
  ];
}

const TYPE_OF: readonly (readonly [RegExp, string])[] = [
  [/^openOrders|^orderHistory/, "Order"],
  [/^fills/, "Fill"],
  [/^planOrder/, "PlanOrder"],
  [/^convertRecords/, "ConvertRecord"],
  [/history/, "ClosedLoan"],
  [/repayments/, "LoanRepayment"],
  [/reductions/, "LoanReduction"],
  [/savings/, "SavingsRecord"],
  [/sharkFin/, "SharkFinRecord"],
  [/^deposits/, "Deposit"],
  [/^withdrawals/, "Withdrawal"],
  [/^broker/, "SubAccountWithdrawal"],
  [/^financialRecords/, "FinancialRecord"],
  [/^transfers|^subAccountTransfers/, "Transfer"],
];

interface Connection {
  readonly nodes: readonly Item["record"][];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

const connectionsIn = (value: unknown): readonly Connection[] => {
  if (typeof value !== "object" || value === null) return [];
  return "nodes" in value ? [value as Connection] : Object.values(value).flatMap(connectionsIn);
};

const OF_ALL =
  "ORDER FILL PLAN_ORDER CONVERSION LOAN LOAN_REPAYMENT LOAN_REDUCTION SAVINGS SHARK_FIN DEPOSIT WITHDRAWAL TRANSFER SUB_ACCOUNT_TRANSFER";

describe.each(["main", "classic", "later"])("the activity of %s", (name) => {
  it("is what all lists have in its time, each once and newest first", async () => {
    const times = span();
    const kinds = `kinds: [${OF_ALL} ${name === "later" ? "SUB_ACCOUNT_WITHDRAWAL" : ""}]`;
    const items = await everything(name, `${kinds} ${times}`, 200);
    const expected: string[] = [];
    for (const list of lists(name, times)) {
      const type = TYPE_OF.find(([pattern]) => pattern.test(list))?.[1] ?? "";
      const document = `query ($after: String) { account(name: "${name}") { ${list.replaceAll("...R", `... on ${type} { ...K }`).replace("... on", "... on")} } } fragment K on ${type} { ${fieldsOf(type)} }`;
      for (let after: string | undefined, more = true; more; ) {
        const { data } = await live.while(live.answer(document, { after }));
        const [found] = connectionsIn(data.account);
        const meant = (found?.nodes ?? []).filter(({ kind = "TRANSFER" }) => kind === "TRANSFER");
        expected.push(...meant.map((record) => textOf({ record })));
        more = found?.pageInfo.hasNextPage === true;
        after = found?.pageInfo.endCursor;
      }
    }
    const found = items.filter(({ record }) => !["LoanOrder", "JournalEntry"].includes(String(record.__typename))).map(textOf);
    expect(new Set(found).size).toBe(found.length);
    expect([...found].sort()).toEqual([...new Set(expected)].sort());
    expect(items.length).toBeGreaterThan(100);
    expect(new Set(items.map(({ kind }) => kind)).size).toBeGreaterThan(7);
    const newestFirst = items.map(({ time }) => time);
    expect(newestFirst).toEqual([...newestFirst].sort().reverse());
  });
});

describe.each(["main", "classic"])("the activity of %s", (name) => {
  it("goes on after any item, with pages of any size, also between items of the same time", async () => {
    const times = `${span()} kinds: [ORDER, FILL, SAVINGS, CONVERSION, TRANSFER]`;
    const whole = (await everything(name, times, 200)).slice(0, 60);
    const boundaries = [7, 14, 21, 28].filter((at) => whole[at]?.time === whole[at - 1]?.time);
    expect(boundaries.length).toBeGreaterThan(0);
    const small: Item[] = [];
    for (let after = ""; small.length < 60; ) {
      const { nodes: found, endCursor } = await page(name, `${times} first: 7 ${after}`);
      small.push(...found);
      after = `after: "${endCursor}"`;
    }
    expect(small.slice(0, 60).map(textOf)).toEqual(whole.map(textOf));
  });

  it("asks only for the lists of the kinds and categories that are asked for", async () => {
    const { nodes: found, calls } = await page(name, 'kinds: [ORDER], categories: [SPOT], symbols: ["btcusdt"], first: 5');
    expect(found.length).toBeGreaterThan(0);
    for (const { kind, record } of found) expect([kind, record.category]).toEqual(["ORDER", "SPOT"]);
    // A unified account has three windows of 30 days.
    expect(calls.filter((call) => /History/i.test(call)).length).toBeLessThanOrEqual(3);
    expect(calls.filter((call) => /Fill|loan|Plan|savings/i.test(call))).toEqual([]);
    live.nextMinute();
    const { calls: all } = await page(name, "first: 20");
    const ofPlans = (call: string): boolean => /plan/i.test(call);
    const [most, plans] = name === "main" ? [85, 60] : [55, 18];
    expect(all.length, all.join()).toBeLessThanOrEqual(most);
    expect(all.filter(ofPlans)).toHaveLength(plans);
    const { nodes: writes, calls: none } = await page(name, "kinds: [WRITE]");
    expect(writes.map(({ record }) => record.__typename)).toEqual(["JournalEntry"]);
    expect(none.filter((call) => call !== "accountSettings")).toEqual([]);
    // Those of sub-accounts are refused to most keys, so they are asked for by name.
    expect((await page(name, "first: 1")).calls.filter((call) => /sub/i.test(call))).toEqual([]);
  });

  it("has what can be read of it if a list fails, and names that list", async () => {
    const endpoint = "convertRecords";
    const rule = live.sandbox.faults.add({ endpoint, fault: { kind: "answer", status: 400, code: "40034", msg: "no" } });
    const { data, errors } = await live.while(
      live.run(`{ account(name: "${name}") { activity(kinds: [CONVERSION, ORDER], first: 5) {
        nodes { kind } edges { cursor node { kind } } pageInfo { endCursor } totalCount } } }`),
    );
    const { nodes, edges, pageInfo, totalCount } = data.account.activity;
    const kinds = nodes.map((node: { readonly kind: string } | null) => node?.kind ?? null);
    expect(kinds).toEqual([null, "ORDER", "ORDER", "ORDER", "ORDER", "ORDER"]);
    expect([totalCount, pageInfo.endCursor]).toEqual([null, edges.at(-1).cursor]);
    expect(errors.map(({ path, extensions: { code, part } }) => [path?.join("."), code, part])).toEqual([
      ["account.activity.nodes.0", "EXCHANGE_REJECTED", "conversions"],
      ["account.activity.edges.0.node", "EXCHANGE_REJECTED", "conversions"],
    ]);
    expect(errors[0]?.message).toMatch(/^conversions could not be read: /);
    // The lists that could be read go on after the page.
    const more = await live.while(
      live.run(`{ account(name: "${name}") { activity(kinds: [CONVERSION, ORDER], first: 3, after: "${pageInfo.endCursor}") {
        nodes { record { ... on Order { id } } } } } }`),
    );
    const ids = (rows: readonly ({ readonly record: { readonly id: string } } | null)[]) =>
      rows.flatMap((row) => row?.record.id ?? []);
    const orders = await live.while(
      live.run(
        `{ account(name: "${name}") { activity(kinds: [ORDER], first: 8) { nodes { record { ... on Order { id } } } } } }`,
      ),
    );
    expect(ids(more.data.account.activity.nodes)).toEqual(ids(orders.data.account.activity.nodes).slice(5));
    const alone = await live.while(live.run(`{ account(name: "${name}") { activity(kinds: [CONVERSION]) { nodes { kind } } } }`));
    expect(alone.data.account.activity).toBe(null);
    expect(alone.errors.map(({ path }) => path?.join("."))).toEqual(["account.activity"]);
    live.sandbox.faults.remove(rule);
  });
});

interface Row {
  readonly category: string;
  readonly symbol: string;
  readonly key: string;
  readonly time: string;
}

describe.each(["main", "classic"])("a list of %s without a category", (name) => {
  async function rows(field: string, args: string, { time, key }: { readonly time: string; readonly key: string }) {
    const found: Row[] = [];
    for (let after = ""; ; ) {
      const { data } = await live.while(
        live.answer(`{ account(name: "${name}") { list: ${field}(first: 30 ${args} ${after}) {
          nodes { category symbol key: ${key} time: ${time} } pageInfo { hasNextPage endCursor } totalCount } } }`),
      );
      const { nodes, pageInfo, totalCount } = data.account.list;
      found.push(...nodes);
      if (after === "" && !pageInfo.hasNextPage) expect(totalCount).toBe(nodes.length);
      if (!pageInfo.hasNextPage) return found;
      after = `after: "${pageInfo.endCursor}"`;
    }
  }
  const FUTURES = ["USDT_FUTURES", "COIN_FUTURES", "USDC_FUTURES"];
  const ALL = name === "main" ? ["SPOT", "MARGIN", ...FUTURES] : ["SPOT", ...FUTURES];
  const PLANS = name === "main" ? ALL : FUTURES;

  it.each([
    ["orderHistory", ALL, { time: "createdTime", key: "orderId" }],
    ["fills", ALL, { time: "createdTime", key: "execId" }],
    ["planOrders", PLANS, { time: "createdTime", key: "orderId" }],
    ["planOrderHistory", PLANS, { time: "createdTime", key: "orderId" }],
    ["positionHistory", FUTURES, { time: "createdTime", key: "positionId" }],
  ] as const)(
    "is that of all categories together, newest first, and of one symbol where it is listed: %s",
    async (field, categories, keys) => {
      const times = span();
      const whole = await rows(field, times, keys);
      const each: Row[] = [];
      for (const category of categories) each.push(...(await rows(field, `category: ${category} ${times}`, keys)));
      const inOrder = (list: readonly Row[]) => list.map((row) => JSON.stringify(row)).sort();
      expect(inOrder(whole)).toEqual(inOrder(each));
      expect(whole.map(({ time }) => time)).toEqual(
        whole
          .map(({ time }) => time)
          .sort()
          .reverse(),
      );
      const ofSymbol = await rows(field, `symbol: "BTCUSDT" ${times}`, keys);
      expect(inOrder(ofSymbol)).toEqual(inOrder(each.filter(({ symbol }) => symbol === "BTCUSDT")));
      if (field !== "planOrderHistory") expect(ofSymbol.length).toBeGreaterThan(0);
    },
  );
});

/** The fields of `KEYS` for one type. */
function fieldsOf(type: string): string {
  const [, fields = ""] = new RegExp(`\\.\\.\\. on ${type} \\{ ([^}]*) \\}`).exec(KEYS) ?? [];
  return `__typename ${fields}`;
}
