import { DAY_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { type GraphQLSchema, getNamedType, isInputObjectType } from "graphql";
import { isCursorLike } from "../datasources/paging/cursor.js";
import { DEFAULT_FIRST, MAX_FIRST, pagesAtMost } from "../datasources/paging/pager.js";
import { MAX_WINDOWS } from "../datasources/paging/windows.js";
import { candleCalls, DEFAULT_CANDLES, MAX_CANDLES } from "../datasources/queries/candles.js";
import {
  type Amount,
  type AskedArguments,
  declareCost,
  type FieldCost,
  FUTURES_KINDS,
  LIST_CATEGORIES,
  MARKET_LISTS,
  type MarketList,
} from "../schema/cost.js";
import { SCOPE_NAMES } from "../schema/scopes.js";
import { readGlobalId } from "./nodes/globalId.js";

/**
 * How long lists can be that are not asked for by number. Each is more than the exchange has today; none of them bounds
 * an answer, they only say what an operation may come to.
 */
const SYMBOLS = 3_000;
const COINS = 1_500;
/** Coins that one kind of futures is margined in. */
const MARGIN_COINS = 50;
const POSITIONS = 1_000;
const LOANS = 500;
const PRODUCTS = 1_000;
const SUB_ACCOUNTS = 500;
const BOOK_LEVELS = 1_000;
const BUDGETS = 1_000;
const STREAMS = 10;
const CONNECTIONS = 100;
const EVENT_ROWS = 500;
const TIERS = 50;
const FEES = 10;
const ERRORS = 20;

/** Trigger orders of a Classic account are three lists, its open orders two for spot and one for each kind of futures. */
const PLAN_LISTS = 3;
const SPOT_LISTS = 2;
const OPEN_LISTS = SPOT_LISTS + FUTURES_KINDS;
/** Lists of orders in a category: spot has one for each kind, unless one kind is asked for. */
const listsIn = ({ category, tpslType }: AskedArguments): number =>
  category === "SPOT" && (tpslType === null || tpslType === undefined) ? SPOT_LISTS : 1;
/** The look-up of an order that may wait for its trigger: in the book, among those that wait, among those that did. */
const ORDER_LOOKUP = 3;
/** The look-up of what is known to wait for a trigger: among those that wait, and among those that did. */
const TRIGGER_LOOKUP = 2;
/** Windows of the exchange that its longest memory takes. */
const OWN_WINDOWS = 5;

/** A whole number between bounds; whatever else was asked for is refused before it costs anything. */
const bounded = (asked: unknown, otherwise: number, max: number): number =>
  typeof asked === "number" && Number.isInteger(asked) ? Math.min(Math.max(asked, 0), max) : otherwise;
const first = ({ first }: AskedArguments): number => bounded(first, DEFAULT_FIRST, MAX_FIRST);
/** As many rows as were named, all of them otherwise. */
const named =
  (argument: string, all: number): Amount =>
  (asked) => {
    const names = asked[argument];
    return Array.isArray(names) ? names.length : typeof names === "string" ? 1 : all;
  };

/** Rows of the exchange's largest page, whatever the list. */
const PAGE = 100;
/** Pages of a list; what is no cursor of any list is refused before the first. */
const pagesOf = (asked: AskedArguments, windows: number): number =>
  typeof asked.after === "string" && !isCursorLike(asked.after) ? 0 : pagesAtMost(first(asked), PAGE, windows);
/** A list without windows of time; `lists` of them as one. */
const pages = (lists: number): FieldCost => ({ calls: (asked) => lists * pagesOf(asked, 1), rows: first });
/** When a time that was asked for is, Unix ms; nothing where none can be read. */
function timeOf(asked: unknown): number | undefined {
  const at = typeof asked === "string" ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/**
 * How many of the exchange's windows a query covers at most. A time that cannot be read may be any; without an end it is
 * that of the reading, which may come a while after the judging.
 */
function windowsOf({ from, to }: AskedArguments, now: number, days: number, own: number): number {
  if (from === null || from === undefined) return own;
  const start = timeOf(from);
  const end = to === null || to === undefined ? now + MINUTE_MS : timeOf(to);
  if (start === undefined || end === undefined || start > now) return MAX_WINDOWS;
  return Math.min(Math.max(Math.ceil((end - start) / (days * DAY_MS)), 0) + 1, MAX_WINDOWS);
}

/**
 * A list over time. `days` are in its shortest window, whichever endpoint it is read from; without `from` it goes back as
 * far as the exchange does, over at most `own` of them. `lists` of them are read as one.
 */
const history = (days: number, own: number, lists = (_: AskedArguments) => 1): FieldCost => ({
  calls: (asked, now) => lists(asked) * pagesOf(asked, windowsOf(asked, now, days, own)),
  overTime: true,
  rows: first,
});
/** Three months at their shortest. */
const QUARTER = 89;
const wholeHistory = pagesAtMost(MAX_FIRST, PAGE, OWN_WINDOWS);

/** How many of a list's categories rows of this category are looked up in; of all where it is not known. */
function categoriesOf(list: MarketList, category: string | undefined): number {
  if (category === undefined) return LIST_CATEGORIES[list];
  if (list === "contracts" || list === "fundingRates") return category.endsWith("FUTURES") ? 1 : 0;
  if (list === "marginPairs") return category === "MARGIN" ? 1 : 0;
  return list === "spotSymbols" && category !== "SPOT" ? 0 : 1;
}
/** What rows are looked up in by their category. */
const joined = (...lists: readonly MarketList[]): FieldCost => ({
  lists: (_asked, category) => Object.fromEntries(lists.map((list) => [list, categoriesOf(list, category)])),
});
/** Tickers of margin are picked by its instruments. */
const ticker: FieldCost = {
  lists: (_asked, category) => ({
    tickers: categoriesOf("tickers", category),
    instruments: category === undefined || category === "MARGIN" ? 1 : 0,
  }),
};
const instrument = joined("instruments");
/** Every coin is valued at its pair with USDT. */
const usdtPrice = { lists: { tickers: 1 } };

/** What finding a thing of an account can take, by the name of its type, when the account's mode is known. */
const LOOKUPS: ReadonlyMap<string, number> = new Map([
  ["Balance", 1],
  ["Fill", wholeHistory],
  ["FundingBalance", 1],
  ["FuturesAccount", 1],
  ["HistoricalPosition", wholeHistory],
  ["LoanOrder", 1],
  ["Order", ORDER_LOOKUP],
  ["PlanOrder", 2 * PLAN_LISTS * wholeHistory],
  ["Position", 1],
  ["SharkFinProduct", 2 * wholeHistory],
]);
/** The lists by which a thing of the market is found, by the name of its type: those of its category. */
const MARKET_LOOKUPS: ReadonlyMap<string, readonly MarketList[]> = new Map([
  ["Instrument", ["instruments"]],
  ["SpotSymbol", ["spotSymbols"]],
  ["Ticker", ["tickers", "instruments"]],
]);

/** The types that identifiers lead to. One that the graph has not given is refused, and costs nothing. */
const typesOf = (argument: string, ids: unknown): readonly string[] =>
  (Array.isArray(ids) ? ids : [ids]).flatMap((id: unknown) => {
    if (typeof id !== "string") return [];
    try {
      return [readGlobalId(argument, id).typeName];
    } catch {
      return [];
    }
  });

/** What finding things by identifiers costs. */
const lookup = (argument: string): FieldCost => ({
  types: (asked) => typesOf(argument, asked[argument]),
  calls: (asked) =>
    typesOf(argument, asked[argument])
      .flatMap((type) => LOOKUPS.get(type) ?? [])
      .reduce((sum, calls) => sum + 1 + calls, 0),
  lists(asked) {
    const found = typesOf(argument, asked[argument]).flatMap((type) => MARKET_LOOKUPS.get(type) ?? []);
    return Object.fromEntries(MARKET_LISTS.map((list) => [list, found.filter((one) => one === list).length]));
  },
});

/** A write reads what its rules ask for, is sent, and is looked up when its answer is lost. */
const write = { calls: 12, lists: LIST_CATEGORIES };

const cancelsOpen = (input: unknown): boolean =>
  typeof input === "object" && input !== null && "cancelOpen" in input && input.cancelOpen === true;

const eachOf = (names: readonly string[], cost: FieldCost): Readonly<Record<string, FieldCost>> =>
  Object.fromEntries(names.map((name) => [name, cost]));

/** Every field that can cost a call, and every list whose length is not its connection's: `Type.field`. */
const COSTS = {
  "Account.balances": { calls: 1, rows: named("coins", COINS) },
  "Account.convertCurrencies": { calls: 1, rows: COINS },
  "Account.convertRecords": history(90, 1),
  "Account.convertQuote": { calls: 1, neverShared: true },
  "Account.fills": history(7, 4),
  "Account.fundingBalances": { calls: 1, rows: named("coins", COINS) },
  "Account.futuresAccounts": { calls: 1, rows: MARGIN_COINS },
  "Account.futuresSettings": { calls: 2 },
  "Account.journal": { rows: first },
  "Account.mode": { calls: 0 },
  "Account.openOrders": {
    calls: (asked) => (asked.category === null || asked.category === undefined ? OPEN_LISTS : listsIn(asked)) * pagesOf(asked, 1),
    lists: { instruments: 1 + FUTURES_KINDS },
    rows: first,
  },
  "Account.order": { calls: ORDER_LOOKUP },
  "Account.orderHistory": history(30, 4, listsIn),
  "Account.planOrderHistory": pages(PLAN_LISTS),
  "Account.planOrders": pages(PLAN_LISTS),
  "Account.positionHistory": history(30, 4),
  "Account.positions": {
    calls: ({ category }) => (category === null || category === undefined ? FUTURES_KINDS : 1),
    rows: POSITIONS,
  },
  "Account.settings": { calls: 1 },
  "Account.subAccountFuturesAssets": { calls: 1, rows: SUB_ACCOUNTS },
  "Account.totalEquity": { calls: 2 + FUTURES_KINDS, ...usdtPrice },
  "Account.unifiedAssets": { calls: 1 },
  "Account.upgradeStatus": { calls: 1 },
  "Broker.info": { calls: 1 },
  "Broker.subAccounts": pages(1),
  "Broker.withdrawals": history(QUARTER, 2),
  "Loans.debts": { calls: 1 },
  "Loans.history": history(Number.POSITIVE_INFINITY, 1),
  "Loans.reductions": history(Number.POSITIVE_INFINITY, 1),
  "Loans.repayments": history(Number.POSITIVE_INFINITY, 1),
  "Loans.ongoing": { calls: 1, rows: LOANS },
  "Savings.assets": pages(1),
  "Savings.products": { calls: 1, rows: PRODUCTS },
  "Savings.records": history(QUARTER, 2),
  "Savings.totals": { calls: 1 },
  "SharkFin.assets": history(QUARTER, 2),
  "SharkFin.offers": pages(1),
  "SharkFin.records": history(QUARTER, 2),
  "SharkFin.totals": { calls: 1 },
  "SetMarginModePayload.futuresSettings": { calls: 2 },
  "SubAccount.contact": { calls: 1 },
  "SubAccount.futuresAssets": { calls: 1, rows: MARGIN_COINS },
  "SubAccount.profile": { calls: pagesAtMost(MAX_FIRST, PAGE, 1), perAccount: true },
  "SubAccount.spotAssets": { calls: 1, rows: COINS },

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
  "Position.autoMargin": { calls: 1 },
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
  "Mutation.haltTrading": { calls: ({ input }) => (cancelsOpen(input) ? write.calls : 0) },
  "Mutation.resumeTrading": { calls: 0 },

  "Query.accounts": { rows: "accounts" },
  "Query.candles": {
    calls: ({ first }) => candleCalls(bounded(first, DEFAULT_CANDLES, MAX_CANDLES)),
    rows: ({ first }) => bounded(first, DEFAULT_CANDLES, MAX_CANDLES),
  },
  "Query.discountRates": { calls: 1, rows: named("coins", COINS) },
  "Query.fundingHistory": { calls: 1, rows: ({ first }) => bounded(first, PAGE, PAGE) },
  "Query.instrument": instrument,
  "Query.instruments": { ...instrument, rows: named("symbols", SYMBOLS) },
  "Query.loanTerms": { calls: 1 },
  "Query.marginPairs": { lists: { marginPairs: 1 }, rows: named("symbols", SYMBOLS) },
  "Query.node": lookup("id"),
  "Query.nodes": { ...lookup("ids"), rows: ({ ids }) => (Array.isArray(ids) ? ids.length : 1) },
  "Query.orderBook": { calls: 1 },
  "Query.positionTiers": { calls: 1, rows: TIERS },
  "Query.spotFundFlow": { calls: 1 },
  "Query.spotSymbol": { lists: { spotSymbols: 1 } },
  "Query.spotSymbols": { lists: { spotSymbols: 1 }, rows: named("symbols", SYMBOLS) },
  "Query.ticker": ticker,
  "Query.tickers": { ...ticker, rows: named("symbols", SYMBOLS) },
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

  "AccountSettings.coinSettings": { rows: COINS },
  "AccountSettings.symbolSettings": { rows: SYMBOLS },
  "AccountUpdate.balances": { rows: COINS },
  "AccountUpdate.futuresAccounts": { rows: FUTURES_KINDS * MARGIN_COINS },
  "Debts.loans": { rows: COINS },
  "Debts.pledges": { rows: COINS },
  "DiscountRate.tiers": { rows: TIERS },
  "Exchange.accounts": { rows: "accounts" },
  "Exchange.breakers": { rows: BUDGETS },
  "Exchange.budgets": { rows: BUDGETS },
  "Exchange.connections": { rows: CONNECTIONS },
  "Exchange.halts": { rows: "accounts" },
  "Exchange.sharedCounters": { rows: BUDGETS },
  "Exchange.streams": { rows: STREAMS },
  "Fill.fees": { rows: FEES },
  "FuturesAccount.assets": { rows: MARGIN_COINS },
  "HaltTradingPayload.cancelFailures": { rows: MAX_FIRST },
  "HaltTradingPayload.halts": { rows: "accounts" },
  "LoanTerms.loanCoins": { rows: COINS },
  "LoanTerms.pledgeCoins": { rows: COINS },
  "Order.fees": { rows: FEES },
  "OrderBook.asks": { rows: BOOK_LEVELS },
  "OrderBook.bids": { rows: BOOK_LEVELS },
  "ResumeTradingPayload.halts": { rows: "accounts" },
  "SavingsHolding.apyTiers": { rows: TIERS },
  "SavingsProduct.apyTiers": { rows: TIERS },
  "SubAccountFuturesAssets.assets": { rows: MARGIN_COINS },
  "UnifiedAssets.assets": { rows: COINS },
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
