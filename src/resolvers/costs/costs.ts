import { type GraphQLSchema, getNamedType, isInputObjectType } from "graphql";
import { MAX_FIRST, pagesAtMost } from "../../datasources/paging/pager.js";
import { orderCalls } from "../../datasources/queries/pageCounts.js";
import { MAX_SINGLE_POSITIONS } from "../../datasources/queries/positions.js";
import { type AskedArguments, declareCost, type FieldCost } from "../../schema/cost.js";
import { categoryNamed } from "../../schema/enums/category.js";
import { SCOPE_NAMES } from "../../schema/scopes.js";
import { bounded, COINS, candles, first, named, namedOf, paged, rowsOf, SYMBOLS, symbolsIn, unlessKept } from "./amounts.js";
import {
  accounts,
  asked,
  CATEGORIES,
  cancelsOpen,
  coins,
  ERRORS,
  EVENT_ROWS,
  eachOf,
  FEES,
  FUTURES,
  futuresSettings,
  halts,
  IN_USDT,
  instrument,
  joined,
  LOANS,
  levels,
  MARGIN_COINS,
  marginCoins,
  only,
  own,
  PAGE,
  PRODUCTS,
  positionRows,
  STREAMS,
  SUB_ACCOUNTS,
  TIERS,
  TRIGGER_LOOKUP,
  ticker,
  usdtPrice,
  write,
} from "./fieldCosts.js";
import { lookup } from "./lookups.js";

/** Every field that can cost a call, and every list whose length is not its connection's: `Type.field`. */
const COSTS = {
  "Account.balances": { calls: 1, rows: named("coins", coins) },
  "Account.convertCurrencies": { calls: 1, rows: coins },
  "Account.convertRecords": paged("conversions"),
  "Account.convertQuote": { calls: 1, neverShared: true },
  "Account.fills": paged("fills"),
  "Account.fundingBalances": only("UNIFIED", { rows: named("coins", coins) }),
  "Account.futuresAccounts": only("CLASSIC", { rows: marginCoins }),
  "Account.futuresSettings": futuresSettings,
  "Account.journal": { rows: first },
  "Account.mode": { calls: 0 },
  "Account.openOrders": {
    ...paged("openOrders"),
    // Without a category the symbol is looked for in all of them.
    lists: ({ category, symbol }, { mode }) =>
      mode === "UNIFIED" || typeof category === "string" || typeof symbol !== "string"
        ? {}
        : { instruments: ["SPOT", ...FUTURES] },
  },
  "Account.order": {
    refused: ({ category }, { mode }) => mode === "CLASSIC" && (typeof category !== "string" || category === "MARGIN"),
    calls: ({ category }, { mode }) => orderCalls(mode, categoryNamed(category)),
  },
  "Account.orderHistory": paged("orderHistory"),
  "Account.planOrderHistory": paged("planOrderHistory"),
  "Account.planOrders": paged("planOrders"),
  "Account.positionHistory": paged("closedPositions"),
  "Account.positions": { calls: ({ category }) => asked(category, FUTURES).length, rows: positionRows },
  "Account.settings": { calls: 1 },
  "Account.subAccountFuturesAssets": only("CLASSIC", { rows: SUB_ACCOUNTS }),
  "Account.totalEquity": { calls: (_asked, { mode }) => (mode === "UNIFIED" ? 1 : 1 + FUTURES.length), lists: IN_USDT },
  "Account.unifiedAssets": only("UNIFIED", {}),
  "Account.upgradeStatus": { calls: 1 },
  "Broker.info": { calls: 1 },
  "Broker.subAccounts": paged("subAccounts"),
  "Broker.withdrawals": paged("subAccountWithdrawals"),
  "Loans.debts": { calls: 1 },
  "Loans.history": paged("closedLoans"),
  "Loans.reductions": paged("loanReductions"),
  "Loans.repayments": paged("loanRepayments"),
  "Loans.ongoing": { calls: 1, rows: LOANS },
  "Savings.assets": paged("savingsHoldings"),
  "Savings.products": { calls: 1, rows: PRODUCTS },
  "Savings.records": paged("savingsRecords"),
  "Savings.totals": { calls: 1 },
  "SharkFin.assets": paged("sharkFinHoldings"),
  "SharkFin.offers": paged("sharkFinOffers"),
  "SharkFin.records": paged("sharkFinRecords"),
  "SharkFin.totals": { calls: 1 },
  "SetMarginModePayload.futuresSettings": futuresSettings,
  "SubAccount.contact": { calls: 1 },
  "SubAccount.futuresAssets": { calls: 1, rows: marginCoins },
  "SubAccount.profile": { calls: pagesAtMost(MAX_FIRST, PAGE, 1, false), perAccount: true },
  "SubAccount.spotAssets": { calls: 1, rows: coins },

  ...eachOf(
    ["Balance", "FundingBalance", "SubAccountSpotAsset", "UnifiedAsset"].map((type) => `${type}.valueUsdt`),
    usdtPrice,
  ),
  ...eachOf(
    ["distanceToLiquidation", "loanPrice", "currentLtv", "pledgePrice"].map((field) => `LoanOrder.${field}`),
    usdtPrice,
  ),
  ...eachOf(
    ["Fill", "HistoricalPosition", "Order", "PlanOrder", "Position"].map((type) => `${type}.ticker`),
    ticker,
  ),
  ...eachOf(
    ["Fill", "HistoricalPosition", "Order", "PlanOrder", "Position", "Ticker"].map((type) => `${type}.instrument`),
    instrument,
  ),
  // A Classic account's positions come with them; pushed ones do not, and of those the mode is not known here.
  ...eachOf(["Position.stopLoss", "Position.takeProfit"], {
    accountList: (_asked, { mode }) => (mode === "CLASSIC" ? undefined : "exits"),
  }),
  "Position.autoMargin": {
    calls: (_asked, { mode }) => (mode === "UNIFIED" ? 0 : 1),
    mostPerAccount: MAX_SINGLE_POSITIONS,
  },
  "Instrument.fees": joined("marginPairs", "spotSymbols"),
  ...eachOf(
    ["posLimit", "supportMarginCoins"].map((name) => `Instrument.${name}`),
    joined("contracts"),
  ),
  "Instrument.ticker": ticker,
  ...eachOf(
    ["changeUtc24h", "openUtc"].map((name) => `Ticker.${name}`),
    joined("classicTickers"),
  ),
  "Ticker.nextFundingTime": joined("fundingRates"),
  "SpotSymbol.ticker": usdtPrice,

  // Never so dear that a client's budget stands in the way of halting.
  "Mutation.haltTrading": { calls: ({ input }: AskedArguments) => (cancelsOpen(input) ? write.calls : 0) },
  "Mutation.resumeTrading": { calls: 0 },

  "Query.account": {
    finds({ name }, outlook) {
      const found = outlook.accounts().find((account, at) => (typeof name === "string" ? account.name === name : at === 0));
      return found === undefined ? [] : [{ count: 1, accounts: [found] }];
    },
  },
  "Query.accounts": { finds: (_asked, outlook) => outlook.accounts().map((account) => ({ count: 1, accounts: [account] })) },
  "Query.candles": candles,
  "Query.discountRates": {
    calls: unlessKept("discountRates"),
    rows: named("coins", (_asked, place) => rowsOf(place, "discountRates", COINS)),
  },
  "Query.fundingHistory": { calls: 1, rows: ({ first }) => bounded(first, PAGE, PAGE) },
  "Query.instrument": instrument,
  "Query.instruments": {
    ...instrument,
    rows: named("symbols", ({ category }, place) => rowsOf(place, "instruments", SYMBOLS, categoryNamed(category))),
  },
  "Query.loanTerms": { calls: unlessKept("loanCoins") },
  "Query.marginPairs": {
    lists: { marginPairs: ["MARGIN"] },
    rows: named("symbols", (_asked, place) => rowsOf(place, "marginPairs", SYMBOLS)),
  },
  "Query.node": lookup("id"),
  "Query.nodes": lookup("ids"),
  "Query.orderBook": { calls: 1 },
  "Query.positionTiers": { calls: 1, rows: TIERS },
  "Query.spotFundFlow": { calls: 1 },
  "Query.spotSymbol": { lists: { spotSymbols: ["SPOT"] }, category: () => "SPOT" },
  "Query.spotSymbols": {
    lists: { spotSymbols: ["SPOT"] },
    category: () => "SPOT",
    rows: named("symbols", (_asked, place) => rowsOf(place, "spotSymbols", SYMBOLS)),
  },
  "Query.ticker": ticker,
  "Query.tickers": {
    ...ticker,
    rows: named("symbols", ({ category }, place) => symbolsIn(place, [categoryNamed(category)])),
  },
  "Query.trades": { calls: 1, rows: ({ first }) => bounded(first, PAGE, PAGE) },

  ...eachOf(
    ["CancelOrder", "PlaceOrder"].map((name) => `${name}Payload.order`),
    { calls: TRIGGER_LOOKUP },
  ),
  "ModifyOrderPayload.order": { calls: 1 },
  "PlaceTpslOrderPayload.planOrder": { calls: TRIGGER_LOOKUP },
  "AdjustPositionMarginPayload.position": { calls: 1 },
  "UpgradeAccountPayload.upgrade": { calls: 1 },
  "WritePayload.userErrors": { rows: ERRORS },

  "AccountSettings.coinSettings": { rows: coins },
  "AccountSettings.symbolSettings": { rows: (_asked, place) => symbolsIn(place, CATEGORIES) },
  "AccountUpdate.balances": { rows: coins },
  "AccountUpdate.futuresAccounts": { rows: FUTURES.length * MARGIN_COINS },
  "Debts.loans": { rows: coins },
  "Debts.pledges": { rows: coins },
  "DiscountRate.tiers": { rows: (_asked, place) => rowsOf(place, "discountTiers", TIERS) },
  "Exchange.accounts": { rows: accounts },
  "Exchange.breakers": { rows: own("breakers") },
  "Exchange.budgets": { rows: own("budgets") },
  "Exchange.connections": { rows: own("connections") },
  "Exchange.halts": { rows: halts },
  "Exchange.sharedCounters": { rows: own("sharedCounters") },
  "Exchange.streams": { rows: STREAMS },
  "Fill.fees": { rows: FEES },
  "FuturesAccount.assets": { rows: marginCoins },
  "HaltTradingPayload.cancelFailures": { rows: MAX_FIRST },
  "HaltTradingPayload.halts": { rows: halts },
  "LoanTerms.loanCoins": { rows: (_asked, place) => namedOf(place.parent.coins, rowsOf(place, "loanCoins", COINS)) },
  "LoanTerms.pledgeCoins": { rows: (_asked, place) => namedOf(place.parent.coins, rowsOf(place, "pledgeCoins", COINS)) },
  "Order.fees": { rows: FEES },
  "OrderBook.asks": { rows: levels },
  "OrderBook.bids": { rows: levels },
  "ResumeTradingPayload.halts": { rows: halts },
  "SavingsHolding.apyTiers": { rows: TIERS },
  "SavingsProduct.apyTiers": { rows: TIERS },
  "SubAccountFuturesAssets.assets": { rows: marginCoins },
  "UnifiedAssets.assets": { rows: coins },
  "Viewer.scopes": { rows: SCOPE_NAMES.length },
  ...eachOf(
    ["candles", "fills", "liquidations", "orders", "planOrders", "positions", "trades"].map((name) => `Subscription.${name}`),
    {
      rows: EVENT_ROWS,
    },
  ),
} as const satisfies Readonly<Record<string, FieldCost>>;

/** What all mutations have in common: each sends a write, and its payload lists what stands against it. */
function costsOfMutations(graph: GraphQLSchema): Readonly<Record<string, FieldCost>> {
  const fields = Object.values(graph.getMutationType()?.getFields() ?? {});
  return {
    ...eachOf(
      fields.map(({ name }) => `Mutation.${name}`),
      write,
    ),
    ...eachOf(
      fields.map(({ type }) => `${getNamedType(type).name}.userErrors`),
      { rows: ERRORS },
    ),
  };
}

/** Notes on every field of the graph what it can cost. Throws where the table names a field that is not there. */
export function declareCosts(graph: GraphQLSchema): void {
  for (const [coordinate, cost] of Object.entries({ ...costsOfMutations(graph), ...COSTS })) {
    const [typeName = "", fieldName = ""] = coordinate.split(".");
    const type = graph.getType(typeName);
    const field = type && "getFields" in type && !isInputObjectType(type) ? type.getFields()[fieldName] : undefined;
    if (field === undefined) throw new Error(`a cost is declared for ${coordinate}, which is not in the graph`);
    declareCost(field, cost);
  }
}
