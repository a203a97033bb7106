import { isObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { accountSettingsRecord, classicAccountRecord, coinSetting, symbolSetting } from "../../src/contract/account.js";
import { fundingBalance, spotBalance, unifiedAsset, unifiedAssetsRecord } from "../../src/contract/asset.js";
import { bookLevel, orderBookRecord } from "../../src/contract/book.js";
import {
  brokerFuturesAsset,
  brokerRecord,
  subAccount,
  subAccountContact,
  subAccountSpotAsset,
} from "../../src/contract/broker.js";
import { candle } from "../../src/contract/candle.js";
import type { FieldSet } from "../../src/contract/codec.js";
import { quotation } from "../../src/contract/convert.js";
import { fill } from "../../src/contract/fill.js";
import {
  futuresAccount,
  futuresAccountAsset,
  subAccountFuturesAsset,
  subAccountFuturesAssetsRecord,
} from "../../src/contract/futuresAccount.js";
import { instrument } from "../../src/contract/instrument.js";
import { closedLoan, debts, loanCoin, loanTerms, ongoingLoan, pledgeCoin } from "../../src/contract/loan.js";
import { discountRate, discountTier, spotFundFlowRecord } from "../../src/contract/market.js";
import { order } from "../../src/contract/order.js";
import { marginPair, spotSymbol } from "../../src/contract/pair.js";
import { planOrder } from "../../src/contract/plan.js";
import { historicalPosition, position } from "../../src/contract/position.js";
import { publicTrade } from "../../src/contract/publicTrade.js";
import { savingsHolding, savingsProduct, savingsRecord, savingsTotals } from "../../src/contract/savings.js";
import { sharkFinOffer, sharkFinProduct, sharkFinRecord, sharkFinTotals } from "../../src/contract/sharkfin.js";
import { ticker } from "../../src/contract/ticker.js";
import { buildGraph } from "../../src/resolvers/index.js";

const graph = buildGraph();

/** Which type shows which of the exchange's records. */
const SHOWN: readonly (readonly [string, { readonly fields?: FieldSet }])[] = [
  ["AccountSettings", accountSettingsRecord],
  ["AccountSettings", classicAccountRecord],
  ["Balance", spotBalance],
  ["Balance", unifiedAsset],
  ["BookLevel", bookLevel],
  ["BrokerFuturesAsset", brokerFuturesAsset],
  ["BrokerInfo", brokerRecord],
  ["Candle", candle],
  ["ClosedLoan", closedLoan],
  ["CoinSetting", coinSetting],
  ["ConvertQuote", quotation],
  ["Debts", debts],
  ["DiscountRate", discountRate],
  ["DiscountTier", discountTier],
  ["Fill", fill],
  ["FundingBalance", fundingBalance],
  ["FuturesAccount", futuresAccount],
  ["FuturesAccountAsset", futuresAccountAsset],
  ["HistoricalPosition", historicalPosition],
  ["Instrument", instrument],
  ["LoanCoin", loanCoin],
  ["LoanOrder", ongoingLoan],
  ["LoanTerms", loanTerms],
  ["MarginPair", marginPair],
  ["Order", order],
  ["OrderBook", orderBookRecord],
  ["PlanOrder", planOrder],
  ["PledgeCoin", pledgeCoin],
  ["Position", position],
  ["SavingsHolding", savingsHolding],
  ["SavingsProduct", savingsProduct],
  ["SavingsRecord", savingsRecord],
  ["SavingsTotals", savingsTotals],
  ["SharkFinOffer", sharkFinOffer],
  ["SharkFinProduct", sharkFinProduct],
  ["SharkFinRecord", sharkFinRecord],
  ["SharkFinTotals", sharkFinTotals],
  ["SpotFundFlow", spotFundFlowRecord],
  ["SpotSymbol", spotSymbol],
  ["SubAccount", subAccount],
  ["SubAccount", subAccountContact],
  ["SubAccountFuturesAsset", subAccountFuturesAsset],
  ["SubAccountFuturesAssets", subAccountFuturesAssetsRecord],
  ["SubAccountSpotAsset", subAccountSpotAsset],
  ["SymbolSetting", symbolSetting],
  ["Ticker", ticker],
  ["Trade", publicTrade],
  ["UnifiedAsset", unifiedAsset],
  ["UnifiedAssets", unifiedAssetsRecord],
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

describe.each(SHOWN)("%s", (typeName, { fields = {} }) => {
  const words = new Set(wordsOf(typeName));

  it("shows every field of the exchange's record", () => {
    expect(Object.keys(fields).filter((name) => !words.has(name))).toEqual([]);
  });

  it("can be searched for the exchange's own spelling of every field", () => {
    const spellings = Object.entries(fields).flatMap(([name, { keys = [name] }]) => keys);
    expect(spellings.filter((spelling) => !words.has(spelling))).toEqual([]);
  });
});
