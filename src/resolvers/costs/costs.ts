import { type GraphQLSchema, getNamedType, isInputObjectType } from "graphql";
import { MAX_FIRST, pagesAtMost } from "../../datasources/paging/pager.js";
import { DEFAULT_DEPTH } from "../../datasources/queries/orderBook.js";
import { orderCalls } from "../../datasources/queries/pageCounts.js";
import {
  type AskedArguments,
  declareCost,
  type FieldCost,
  MARKET_LISTS,
  type MarketList,
  type OwnList,
  type Place,
} from "../../schema/cost.js";
import { categoryNamed, FuturesCategoryInput, ProductCategoryInput } from "../../schema/enums/category.js";
import { SCOPE_NAMES } from "../../schema/scopes.js";
import {
  bounded,
  COINS,
  candles,
  coinsIn,
  first,
  named,
  namedOf,
  paged,
  rowsOf,
  SYMBOLS,
  symbolsIn,
  unlessKept,
} from "./amounts.js";
import { lookup } from "./lookups.js";

/**
 * How long lists can be that are not asked for by number. Each is more than the exchange has today; none of them bounds
 * an answer, they only say what an operation may come to.
 */
/** Coins that one kind of futures is margined in. */
const MARGIN_COINS = 50;
const POSITIONS = 1_000;
const LOANS = 500;
const PRODUCTS = 1_000;
const SUB_ACCOUNTS = 500;
const BOOK_LEVELS = 1_000;
const STREAMS = 10;
const EVENT_ROWS = 500;
const TIERS = 50;
/** The look-up of what is known to wait for a trigger: among those that wait, and among those that did. */
const TRIGGER_LOOKUP = 2;
const FEES = 10;
const ERRORS = 20;

const FUTURES: readonly string[] = Object.values(FuturesCategoryInput);
const CATEGORIES: readonly string[] = Object.values(ProductCategoryInput);

/** Rows of the exchange's largest page, whatever the list. */
const PAGE = 100;

/** The category that was asked for, or all of some. */
const asked = (category: unknown, otherwise: readonly string[]): readonly string[] => {
  const one = categoryNamed(category);
  return one === undefined ? otherwise : [one];
};

/** What rows are looked up in by their category, or by the one that is asked for. */
const joined = (...lists: readonly MarketList[]): FieldCost => ({
  lists: (asked, place) => Object.fromEntries(lists.map((list) => [list, [categoryNamed(asked.category) ?? place.category]])),
});
/** Tickers of margin are picked by its instruments. */
const ticker: FieldCost = {
  lists(asked, place) {
    const category = categoryNamed(asked.category) ?? place.category;
    return { tickers: [category], instruments: category === undefined || category === "MARGIN" ? ["MARGIN"] : [] };
  },
};
const instrument = joined("instruments");
/** Every coin is valued at its pair with USDT. */
const IN_USDT = { tickers: ["SPOT"] };
const usdtPrice: FieldCost = { lists: IN_USDT };

/** A list that accounts of one mode alone have: it is refused to others before anything is sent. */
const only = (mode: NonNullable<Place["mode"]>, cost: FieldCost): FieldCost => ({
  ...cost,
  refused: (_asked, place) => place.mode !== undefined && place.mode !== mode,
  calls: 1,
});

/** Open positions that a symbol can have: one of each side, on coin margin in each of a few coins. */
const positionsOf = (category: string): number => (category === "COIN-FUTURES" ? 6 : 2);
const positionRows = ({ category, symbol }: AskedArguments, place: Place): number =>
  asked(category, FUTURES)
    .map((one) => positionsOf(one) * (typeof symbol === "string" ? 1 : symbolsIn(place, [one])))
    .reduce((sum, rows) => Math.min(sum + rows, POSITIONS), 0);

/** Levels of a side. A book that is not asked for by a number of levels is that of a stream. */
const levels = (_asked: AskedArguments, { parent: { depth } }: Place): number =>
  depth === null ? DEFAULT_DEPTH : bounded(depth, BOOK_LEVELS, BOOK_LEVELS);

const coins = (_asked: AskedArguments, place: Place): number => coinsIn(place);
const marginCoins = (_asked: AskedArguments, place: Place): number => coinsIn(place, MARGIN_COINS);

/** What the gateway has at the moment may grow until it is shown. */
const own =
  (list: OwnList) =>
  (_asked: AskedArguments, { outlook }: Place): number =>
    2 * outlook.own(list) + 5;
const accounts = (_asked: AskedArguments, { outlook }: Place): number => outlook.accounts().length;
/** One of each account, and one of all. */
const halts = (...given: Parameters<typeof accounts>): number => accounts(...given) + 1;

/** A write reads what its rules ask for, is sent, and is looked up when its answer is lost. */
const write = {
  calls: 12,
  lists: Object.fromEntries(MARKET_LISTS.map((list) => [list, [undefined]])),
} satisfies FieldCost;

const cancelsOpen = (input: unknown): boolean =>
  typeof input === "object" && input !== null && "cancelOpen" in input && input.cancelOpen === true;

const eachOf = (names: readonly string[], cost: FieldCost): Readonly<Record<string, FieldCost>> =>
  Object.fromEntries(names.map((name) => [name, cost]));

/** The settings, and the rules of the symbol. */
const futuresSettings: FieldCost = {
  calls: (_asked, { mode }) => (mode === "UNIFIED" ? 1 : 2),
  lists: ({ category }, { mode }) => (mode === "CLASSIC" ? {} : { instruments: [categoryNamed(category)] }),
};

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
  "Position.autoMargin": { calls: (_asked, { mode }) => (mode === "UNIFIED" ? 0 : 1) },
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
