import { accountSettingsRecord, classicAccountRecord, coinSetting, symbolSetting } from "@exchange-graph/contract/account";
import { fundingBalance, spotBalance, unifiedAsset, unifiedAssetsRecord } from "@exchange-graph/contract/asset";
import { bookLevel, orderBookRecord } from "@exchange-graph/contract/book";
import {
  brokerFuturesAsset,
  brokerRecord,
  subAccount,
  subAccountContact,
  subAccountSpotAsset,
} from "@exchange-graph/contract/broker";
import { candle } from "@exchange-graph/contract/candle";
import type { FieldSet } from "@exchange-graph/contract/codec";
import { quotation } from "@exchange-graph/contract/convert";
import { fill } from "@exchange-graph/contract/fill";
import {
  futuresAccount,
  futuresAccountAsset,
  subAccountFuturesAsset,
  subAccountFuturesAssetsRecord,
} from "@exchange-graph/contract/futuresAccount";
import { instrument } from "@exchange-graph/contract/instrument";
import { closedLoan, debts, loanCoin, loanTerms, ongoingLoan, pledgeCoin } from "@exchange-graph/contract/loan";
import { discountRate, discountTier, spotFundFlowRecord } from "@exchange-graph/contract/market";
import { order } from "@exchange-graph/contract/order";
import { marginPair, spotSymbol } from "@exchange-graph/contract/pair";
import { planOrder, subOrder } from "@exchange-graph/contract/plan";
import { position } from "@exchange-graph/contract/position";
import { historicalPosition } from "@exchange-graph/contract/positionHistory";
import { publicTrade } from "@exchange-graph/contract/publicTrade";
import { savingsHolding, savingsProduct, savingsRecord, savingsTotals } from "@exchange-graph/contract/savings";
import { sharkFinOffer, sharkFinProduct, sharkFinRecord, sharkFinTotals } from "@exchange-graph/contract/sharkfin";
import { icebergTerms, ocoTerms, twapTerms } from "@exchange-graph/contract/strategyTerms";
import { ticker } from "@exchange-graph/contract/ticker";
import { isObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { graph } from "../support/graph.js";

/** The type that represents each of the exchange's records. */
/** The terms of each kind are a type of their own, in `terms`. */
const { oco, trailingStop, iceberg, twap, ...ofEveryKind } = planOrder.fields ?? {};
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
  ["PlanOrder", { fields: ofEveryKind }],
  ["OcoTerms", ocoTerms],
  ["IcebergTerms", icebergTerms],
  ["TwapTerms", twapTerms],
  ["SubOrder", subOrder],
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

/** The names that a type covers: its fields, their fields, and names in backticks in the descriptions. */
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

  it("can be searched for the exchange's name of every field", () => {
    const spellings = Object.entries(fields).flatMap(([name, { keys = [name] }]) => keys);
    expect(spellings.filter((spelling) => !words.has(spelling))).toEqual([]);
  });
});
