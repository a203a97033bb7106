import { before as earlier } from "@exchange-graph/contract/window";
import { describe, expect, it } from "vitest";
import { iso, sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph();

const ASSETS = `query ($status: SharkFinHoldingStatus! = SUBSCRIBED, $from: DateTime, $to: DateTime, $first: Int, $after: String) {
  account(name: "main") { earn { sharkFin { assets(status: $status, from: $from, to: $to, first: $first, after: $after) {
    nodes {
      id account { name } productId interestStartTime interestEndTime productCoin subscribeCoin trend trendRaw settleTime
      interestAmount status statusRaw
    }
    pageInfo { hasNextPage endCursor }
  } } } }
}`;

const RECORDS = `query ($type: SharkFinRecordTypeInput!, $coin: String, $from: DateTime, $to: DateTime, $first: Int, $after: String) {
  account(name: "main") { earn { sharkFin { records(type: $type, coin: $coin, from: $from, to: $to, first: $first, after: $after) {
    nodes { orderId product period amount createdTime type typeRaw }
    pageInfo { hasNextPage endCursor }
  } } } }
}`;

/** All pages of a connection. */
const everyPage = async (list: "assets" | "records", variables: Readonly<Record<string, unknown>>) => {
  const document = list === "assets" ? ASSETS : RECORDS;
  return (await live.pages(document, (data) => data.account.earn.sharkFin[list], variables)).map(({ nodes }) => nodes);
};

const ids = (pages: Awaited<ReturnType<typeof everyPage>>, key: string) => pages.flat().map((node) => node[key]);

describe("shark-fin assets", () => {
  it("shows all of the exchange's fields of a holding", async () => {
    const { data, calls } = await live.answer(ASSETS, { first: 1 });
    expect(calls).toEqual(["sharkFinAssets"]);
    expect(data.account.earn.sharkFin.assets.nodes).toEqual([
      {
        id: expect.any(String),
        account: { name: "main" },
        productId: expect.any(String),
        interestStartTime: expect.stringMatching(/Z$/),
        interestEndTime: expect.stringMatching(/Z$/),
        productCoin: expect.any(String),
        subscribeCoin: expect.any(String),
        trend: expect.stringMatching(/^(UP|DOWN)$/),
        trendRaw: expect.stringMatching(/^(up|down)$/),
        settleTime: expect.stringMatching(/Z$/),
        interestAmount: null,
        status: "RUNNING",
        statusRaw: "running",
      },
    ]);
  });

  it("separates held products from settled ones, whose interest is known", async () => {
    const { data } = await live.run(ASSETS, { status: "SETTLED", first: 100 });
    const { nodes } = data.account.earn.sharkFin.assets;
    expect(nodes.length).toBeGreaterThan(0);
    for (const { status, interestAmount } of nodes) {
      expect(["SETTLE", "REDEEM"]).toContain(status);
      expect(interestAmount).toMatch(/^\d+(\.\d+)?$/);
    }
  });

  it("pages to the end in at least three pages, without losing or repeating a holding", async () => {
    const whole = await everyPage("assets", { first: 500 });
    const pages = await everyPage("assets", { first: 9 });
    expect(pages.length).toBeGreaterThanOrEqual(3);
    expect(ids(pages, "productId")).toEqual(ids(whole, "productId"));
    expect(new Set(ids(whole, "id")).size).toBe(ids(whole, "id").length);
  });
});

describe("shark-fin records", () => {
  it("shows all of the exchange's fields of a movement", async () => {
    const { data, calls } = await live.answer(RECORDS, { type: "INTEREST", first: 1 });
    expect(calls).toEqual(["sharkFinRecords"]);
    expect(data.account.earn.sharkFin.records.nodes).toEqual([
      {
        orderId: expect.any(String),
        product: expect.any(String),
        period: expect.any(String),
        amount: expect.stringMatching(/^\d+(\.\d+)?$/),
        createdTime: expect.stringMatching(/Z$/),
        type: "INTEREST",
        typeRaw: "interest",
      },
    ]);
  });

  it("pages to the end in at least three pages, newest first", async () => {
    const pages = await everyPage("records", { type: "SUBSCRIPTION", first: 9 });
    expect(pages.length).toBeGreaterThanOrEqual(3);
    const times = pages.flat().map(({ createdTime = "" }) => createdTime);
    expect(times).toEqual(times.toSorted().reverse());
    expect(new Set(ids(pages, "orderId")).size).toBe(times.length);
  });

  it("forwards the coin", async () => {
    const { data } = await live.run(RECORDS, { type: "SUBSCRIPTION", coin: "USDC" });
    const all = await live.run(RECORDS, { type: "SUBSCRIPTION" });
    expect(data.account.earn.sharkFin.records.nodes.length).toBeGreaterThan(0);
    expect(all.data.account.earn.sharkFin.records.nodes).not.toEqual(data.account.earn.sharkFin.records.nodes);
  });
});

it.each([
  { list: "assets", endpoint: "sharkFinAssets", document: ASSETS, needed: {} },
  { list: "records", endpoint: "sharkFinRecords", document: RECORDS, needed: { type: "SUBSCRIPTION" } },
])("shark-fin $list of more than three months are read in periods of three months", async ({ endpoint, document, needed }) => {
  const to = live.now();
  const from = earlier(to, { months: 3 }) - 1;
  await live.answer(document, { ...needed, from: iso(from), to: iso(to), first: 500 });
  expect(live.sandbox.calls.of(endpoint)).toMatchObject({ refused: 0 });
  expect(live.sandbox.calls.of(endpoint).total).toBeGreaterThanOrEqual(2);
});
