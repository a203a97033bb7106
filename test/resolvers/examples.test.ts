import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OverviewDocument } from "../generated/graphql.js";
import { type LiveGraph, startLiveGraph } from "./support/liveGraph.js";

let live: LiveGraph;
beforeAll(async () => {
  live = await startLiveGraph();
});
afterAll(() => live.close());
beforeEach(() => live.nextMinute());

const folder = new URL("../../docs/examples/", import.meta.url);
const examples = readdirSync(folder).filter((file) => file.endsWith(".graphql"));

describe("the example documents", () => {
  it.each(examples)("%s is answered whole", async (file) => {
    const { data, errors, calls } = await live.while(live.run(readFileSync(new URL(file, folder), "utf8")));
    expect(errors).toEqual([]);
    expect(Object.values(data)).not.toContain(null);
    expect(calls.length).toBeGreaterThan(0);
  });
});

describe("the overview", () => {
  it("costs one call for each list of each account, and one per 30 days of closed positions", async () => {
    const { calls } = await live.while(live.ask(OverviewDocument, {}));
    const times = (endpoint: string) => calls.filter((call) => call === endpoint).length;
    expect(times("positionHistory")).toBeLessThanOrEqual(3);
    const others = new Set(calls.filter((call) => call !== "positionHistory" && call !== "accountSettings"));
    for (const endpoint of others) expect(times(endpoint), endpoint).toBe(1);
  });

  it.each([
    ["positionHistory", "main.positionHistory"],
    ["loanOngoing", "main.loans.ongoing"],
    ["loanDebts", "main.loans.debts"],
    ["sharkFinAssets", "main.earn.sharkFin.assets"],
    ["sharkFinRecords", "main.earn.sharkFin.records"],
    ["futuresAccounts", "classic.futuresAccounts"],
    ["subAccountFuturesAssets", "classic.subAccountFuturesAssets"],
    ["brokerInfo", "broker.broker.info"],
    ["subAccountList", "broker.broker.subAccounts"],
    ["subAccountSpotAssets", "broker.broker.subAccounts.nodes.0.spotAssets"],
    ["spotSymbols", "spotSymbols"],
    ["marginPairs", "marginPairs"],
    ["discountRates", "discountRates"],
    ["spotFundFlow", "spotFundFlow"],
  ])("stands without %s: one error, at %s", async (endpoint, path) => {
    await expectAllBut(endpoint, path, { status: 400, code: "40034", msg: "no such thing" }, "EXCHANGE_REJECTED");
  });

  it.each([
    ["positionHistory", "main.positionHistory"],
    ["loanDebts", "main.loans.debts"],
    ["sharkFinRecords", "main.earn.sharkFin.records"],
    ["discountRates", "discountRates"],
  ])("stands while %s is down: one error, at %s", async (endpoint, path) => {
    await expectAllBut(endpoint, path, { status: 503, code: "40200", msg: "Server upgrade" }, "EXCHANGE_UNAVAILABLE");
  });
});

/** The overview, while an endpoint answers so, lacks what stands at `path` and nothing else. */
async function expectAllBut(
  endpoint: string,
  path: string,
  answer: { readonly status: number; readonly code: string; readonly msg: string },
  said: string,
): Promise<void> {
  live.exchange.reader.drop(undefined, [endpoint]);
  const rule = live.sandbox.faults.add({ endpoint, fault: { kind: "answer", ...answer } });
  const { data, errors } = await live.while(live.ask(OverviewDocument, {}));
  live.sandbox.faults.remove(rule);
  expect(errors.map((error) => [error.path?.join("."), error.extensions.code])).toEqual([[path, said]]);
  expect(nullsIn(data)).toContain(path);
  expect(nullsIn(data).filter((found) => found !== path && !SOMETIMES_NULL.test(found))).toEqual([]);
}

/** Fields that are null in good order too. */
const SOMETIMES_NULL = /\.(?:endCursor|interestAmount|maxAmount|unrealisedPnl|expireTime)$/;

function nullsIn(value: unknown, path: readonly (string | number)[] = []): string[] {
  if (value === null) return [path.join(".")];
  if (typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => nullsIn(inner, [...path, key]));
}
