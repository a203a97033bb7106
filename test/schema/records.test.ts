import { isObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { brokerFuturesAsset, brokerRecord, subAccount, subAccountSpotAsset } from "../../src/contract/broker.js";
import type { FieldSet } from "../../src/contract/codec.js";
import {
  futuresAccount,
  futuresAccountAsset,
  subAccountFuturesAsset,
  subAccountFuturesAssetsRecord,
} from "../../src/contract/futuresAccount.js";
import { closedLoan, debts, ongoingLoan } from "../../src/contract/loan.js";
import { discountRate, discountTier, spotFundFlowRecord } from "../../src/contract/market.js";
import { marginPair, spotSymbol } from "../../src/contract/pair.js";
import { historicalPosition } from "../../src/contract/position.js";
import { sharkFinProduct, sharkFinRecord } from "../../src/contract/sharkfin.js";
import { buildGraph } from "../../src/resolvers/index.js";

const graph = buildGraph();

/** Which type shows which of the exchange's records. */
const SHOWN: readonly (readonly [string, { readonly fields: FieldSet }])[] = [
  ["BrokerFuturesAsset", brokerFuturesAsset],
  ["BrokerInfo", brokerRecord],
  ["ClosedLoan", closedLoan],
  ["Debts", debts],
  ["DiscountRate", discountRate],
  ["DiscountTier", discountTier],
  ["FuturesAccount", futuresAccount],
  ["FuturesAccountAsset", futuresAccountAsset],
  ["HistoricalPosition", historicalPosition],
  ["LoanOrder", ongoingLoan],
  ["MarginPair", marginPair],
  ["SharkFinProduct", sharkFinProduct],
  ["SharkFinRecord", sharkFinRecord],
  ["SpotFundFlow", spotFundFlowRecord],
  ["SpotSymbol", spotSymbol],
  ["SubAccount", subAccount],
  ["SubAccountFuturesAsset", subAccountFuturesAsset],
  ["SubAccountFuturesAssets", subAccountFuturesAssetsRecord],
  ["SubAccountSpotAsset", subAccountSpotAsset],
];

/** The words that a type answers to: its fields and theirs one level down, and whatever their descriptions set in backticks. */
function wordsOf(typeName: string, depth = 1): string[] {
  const type = graph.getType(typeName);
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap(({ name, description, type: output }) => [
    name,
    ...[...(description ?? "").matchAll(/`(\w+)`/g)].map(([, word = ""]) => word),
    ...(depth === 0 ? [] : wordsOf(output.toString().replace(/\W/g, ""), depth - 1)),
  ]);
}

describe.each(SHOWN)("%s", (typeName, { fields }) => {
  const words = new Set(wordsOf(typeName));

  it("shows every field of the exchange's record", () => {
    expect(Object.keys(fields).filter((name) => !words.has(name))).toEqual([]);
  });

  it("can be searched for the exchange's own spelling of every field", () => {
    const spellings = Object.entries(fields).flatMap(([name, { keys = [name] }]) => keys);
    expect(spellings.filter((spelling) => !words.has(spelling))).toEqual([]);
  });
});
