import { z } from "zod";
import { type DataSource, type ExchangeAccount, rowWhere } from "../../datasources/index.js";
import {
  closedLoans,
  conversions,
  deposits,
  findClosedPosition,
  findFill,
  findFinancialRecord,
  findLoan,
  findPosition,
  findSharkFinHolding,
  findSubOrder,
  findTransfer,
  loanReductions,
  loanRepayments,
  readBalances,
  readCoin,
  readConvertCurrencies,
  readFundingBalances,
  readFuturesAccounts,
  readMarginPairs,
  readOrder,
  readPlanOrder,
  readSavingsProducts,
  readSpotSymbol,
  readSubAccountFuturesAssets,
  readTrades,
  savingsHoldings,
  savingsRecords,
  sharkFinOffers,
  sharkFinRecords,
  withdrawals,
  withdrawalsOfSubAccounts,
} from "../../datasources/reads/index.js";
import { findJournalEntry } from "../../datasources/writes/index.js";
import { Account, Balance, FundingBalance, FuturesAccount, SubAccountFuturesAssets } from "../../schema/account.js";
import { SubAccount, SubAccountWithdrawal } from "../../schema/broker.js";
import {
  SavingsHolding,
  SavingsProduct,
  SavingsRecord,
  SharkFinOffer,
  SharkFinProduct,
  SharkFinRecord,
} from "../../schema/earn.js";
import { FuturesProductType, ProductCategory } from "../../schema/enums/category.js";
import { SavingsPeriodTypeInput, SharkFinRecordTypeInput } from "../../schema/enums/earn.js";
import { UNKNOWN } from "../../schema/enums/exchangeEnum.js";
import { Coin, Instrument, MarginPair, SpotSymbol } from "../../schema/instrument.js";
import { ClosedLoan, LoanOrder, LoanReduction, LoanRepayment } from "../../schema/loan.js";
import { Ticker, Trade } from "../../schema/market.js";
import { JournalEntry } from "../../schema/mutations/write.js";
import { Fill, Order } from "../../schema/order.js";
import { PlanOrder, SubOrder } from "../../schema/planOrder.js";
import { HistoricalPosition, Position } from "../../schema/position.js";
import { ConvertCurrency, ConvertRecord, Deposit, FinancialRecord, Transfer, Withdrawal } from "../../schema/wallet.js";
import { subAccountWithdrawalOf } from "../broker.js";
import { convertRecordOf } from "../convert.js";
import { journalEntryOf } from "../mutations/journal.js";
import { withdrawalOf } from "../wallet.js";
import { accountKeyOf, writeGlobalId } from "./globalId.js";
import { accountType, listedType, marketType, type NodeType } from "./nodeType.js";

const text = z.string();
const time = z.int();
const seq = z.string().regex(/^\d{1,15}$/);
const category = z.enum(Object.values(ProductCategory));
const productType = z.enum(Object.values(FuturesProductType));
const periodType = z.enum([...Object.values(SavingsPeriodTypeInput), UNKNOWN]);
const sharkFinType = z.enum([...Object.values(SharkFinRecordTypeInput), UNKNOWN]);

/** The most trades that the exchange lists at once. */
const LATEST = 100;

/** Records of the past, each of which is found again in the list that it came from. */
const PAST_RECORDS: readonly (readonly [string, NodeType])[] = [
  listedType(ClosedLoan, { orderId: text }, closedLoans, ({ orderId }) => ({ filter: { orderId } })),
  listedType(
    LoanRepayment,
    { orderId: text, repayTime: time.nullable(), amount: text.nullable() },
    loanRepayments,
    ({ orderId, repayTime }) => ({ filter: { orderId }, time: repayTime }),
  ),
  listedType(
    LoanReduction,
    { orderId: text, reduceTime: time.nullable(), principalAmount: text.nullable() },
    loanReductions,
    ({ orderId, reduceTime }) => ({ filter: { orderId }, time: reduceTime }),
  ),
  listedType(
    ConvertRecord,
    { recordId: text, createdTime: time.nullable() },
    conversions,
    ({ createdTime }) => ({ filter: {}, time: createdTime }),
    convertRecordOf,
  ),
  listedType(Deposit, { orderId: text }, deposits, ({ orderId }) => ({ filter: { coin: null, orderId } })),
  listedType(
    Withdrawal,
    { orderId: text },
    withdrawals,
    ({ orderId }) => ({ filter: { coin: null, orderId, clientOid: null } }),
    withdrawalOf,
  ),
  listedType(
    SubAccountWithdrawal,
    { orderId: text },
    withdrawalsOfSubAccounts,
    ({ orderId }) => ({ filter: { userId: null, orderId } }),
    subAccountWithdrawalOf,
  ),
  listedType(
    SavingsHolding,
    { periodType: periodType.nullable(), productId: text, orderId: text.nullable() },
    savingsHoldings,
    ({ periodType }) => (periodType === null || periodType === UNKNOWN ? undefined : { filter: { periodType } }),
  ),
  listedType(
    SavingsRecord,
    { periodType: periodType.nullable(), orderId: text, createdTime: time.nullable() },
    savingsRecords,
    ({ periodType, createdTime }) =>
      periodType === null || periodType === UNKNOWN ? undefined : { filter: { periodType }, time: createdTime },
  ),
  listedType(
    SharkFinRecord,
    { type: sharkFinType.nullable(), orderId: text, createdTime: time.nullable() },
    sharkFinRecords,
    ({ type, createdTime }) => (type === null || type === UNKNOWN ? undefined : { filter: { type }, time: createdTime }),
  ),
  listedType(SharkFinOffer, { subscribeCoin: text.nullable(), productId: text }, sharkFinOffers, ({ subscribeCoin: coin }) =>
    coin === null ? undefined : { filter: { coin } },
  ),
  accountType(
    FinancialRecord,
    { category: text.nullable(), symbol: text.nullable(), recordId: text, createdTime: time.nullable() },
    findFinancialRecord,
  ),
  accountType(
    Transfer,
    {
      coin: text.nullable(),
      transferId: text,
      fromUserId: text.nullable(),
      toUserId: text.nullable(),
      createdTime: time.nullable(),
    },
    findTransfer,
  ),
  accountType(
    SubOrder,
    { category, symbol: text, planOrderId: text, subOrderId: text },
    async (reads, account, { category, planOrderId, ...key }) => {
      const found = category === UNKNOWN ? null : await findSubOrder(reads, account, { category, planOrderId, ...key });
      return found === null ? null : { ...found, planOrderId };
    },
  ),
  accountType(SavingsProduct, { productId: text }, async (reads, account, { productId }) =>
    rowWhere(await readSavingsProducts(reads, account, { filter: "all" }), (product) => product.productId === productId),
  ),
];

const [, account] = accountType(Account, {}, async (_reads, itself) => itself);

/** All types with a global identifier, by name. */
export const NODE_TYPES: ReadonlyMap<string, NodeType> = new Map([
  [Account.name, { ...account, ownerOf: (record) => record as ExchangeAccount }],
  accountType(Balance, { coin: text }, async (reads, account, { coin }) =>
    rowWhere(await readBalances(reads, account), (balance) => balance.coin === coin),
  ),
  accountType(FundingBalance, { coin: text }, async (reads, account, { coin }) =>
    rowWhere(await readFundingBalances(reads, account), (balance) => balance.coin === coin),
  ),
  accountType(FuturesAccount, { productType, marginCoin: text }, async (reads, account, { productType, marginCoin }) => {
    const wallets = await readFuturesAccounts(reads, account, productType);
    const wallet = rowWhere(wallets, (one) => one.marginCoin === marginCoin);
    return wallet === null ? null : { productType, ...wallet };
  }),
  accountType(Fill, { category, orderId: text.nullable(), execId: text }, async (reads, account, { category, ...key }) =>
    category === UNKNOWN ? null : findFill(reads, account, { category, ...key }),
  ),
  accountType(PlanOrder, { category, symbol: text, orderId: text }, async (reads, account, { category, ...key }) =>
    category === UNKNOWN ? null : readPlanOrder(reads, account, { category, ...key }),
  ),
  marketType(Ticker, { category, symbol: text }, (reads, { category, symbol }) => reads.loaders.ticker(category, symbol)),
  marketType(MarginPair, { symbol: text }, async (reads, { symbol }) =>
    rowWhere(await readMarginPairs(reads, [symbol]), () => true),
  ),
  accountType(ConvertCurrency, { coin: text }, async (reads, account, { coin }) =>
    rowWhere(await readConvertCurrencies(reads, account), (one) => one.coin === coin),
  ),
  accountType(SubAccountFuturesAssets, { productType, subUid: text }, async (reads, account, { productType, subUid }) => {
    const funds = rowWhere(await readSubAccountFuturesAssets(reads, account, productType), (one) => one.subUid === subUid);
    return funds === null ? null : { productType, ...funds };
  }),
  marketType(SpotSymbol, { symbol: text }, (reads, { symbol }) => readSpotSymbol(reads, symbol)),
  accountType(
    HistoricalPosition,
    { category: text, symbol: text, positionId: text.nullable(), createdTime: time.nullable(), updatedTime: time.nullable() },
    findClosedPosition,
  ),
  marketType(Instrument, { category, symbol: text }, (reads, { category, symbol }) => reads.loaders.instrument(category, symbol)),
  accountType(JournalEntry, { seq, idempotencyKey: text }, async (_reads, account, { seq, idempotencyKey: key }, writes) => {
    const entry = await findJournalEntry(writes, account, { seq: Number.parseInt(seq, 10), key });
    return entry === null ? null : journalEntryOf(entry);
  }),
  ...PAST_RECORDS,
  marketType(Coin, { coin: text }, (reads, { coin }) => readCoin(reads, coin)),
  marketType(Trade, { category, symbol: text, execId: text }, async (reads, { category, symbol, execId }) =>
    category === UNKNOWN
      ? null
      : rowWhere(await readTrades(reads, { category, symbol, first: LATEST }), (trade) => trade.execId === execId),
  ),
  accountType(LoanOrder, { orderId: text }, (reads, account, { orderId }) => findLoan(reads, account, orderId)),
  accountType(Order, { category, symbol: text, orderId: text }, (reads, account, { category, ...key }) =>
    readOrder(reads, account, { category: category === UNKNOWN ? null : category, ...key }),
  ),
  accountType(Position, { category: text, symbol: text, marginCoin: text, posSide: text }, findPosition),
  accountType(
    SharkFinProduct,
    { productId: text, subscribeCoin: text, interestStartTime: time.nullable(), settleTime: time.nullable() },
    findSharkFinHolding,
  ),
  accountType(SubAccount, { subUid: text }, async (reads, account, { subUid }) => {
    const profile = await reads.loaders.account.subAccounts.find(account, subUid);
    return profile === null ? null : { subUid, profile };
  }),
]);

/** The global identifier of a record; a promise while the user of its account is not known. Throws if its type has none. */
export function globalIdOf(exchange: DataSource, typeName: string, record: object): string | Promise<string> {
  const nodeType = NODE_TYPES.get(typeName);
  if (nodeType === undefined) throw new Error(`${typeName} has no global identifier`);
  const keys = nodeType.keysOf(record);
  if (nodeType.ownerOf === undefined) return writeGlobalId([typeName, ...keys]);
  const account = accountKeyOf(exchange, nodeType.ownerOf(record));
  return typeof account === "string"
    ? writeGlobalId([typeName, account, ...keys])
    : account.then((key) => writeGlobalId([typeName, key, ...keys]));
}
