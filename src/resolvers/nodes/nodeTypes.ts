import { z } from "zod";
import { type Exchange, type ExchangeAccount, type RequestReads, type RequestWrites, rowWhere } from "../../datasources/index.js";
import {
  closedLoans,
  conversions,
  deposits,
  findClosedPosition,
  findFill,
  findLoan,
  findPosition,
  findSharkFinHolding,
  findSubAccount,
  loanReductions,
  loanRepayments,
  MAX_FIRST,
  readBalances,
  readCoin,
  readFundingBalances,
  readFuturesAccounts,
  readOrder,
  readPlanOrder,
  readSpotSymbol,
  readTrades,
  rowsOf,
  savingsHoldings,
  savingsRecords,
  sharkFinRecords,
  withdrawals,
  withdrawalsOfSubAccounts,
} from "../../datasources/reads/index.js";
import { findJournalEntry } from "../../datasources/writes/index.js";
import { Account } from "../../schema/account.js";
import { Balance, FundingBalance } from "../../schema/balance.js";
import { SubAccount, SubAccountWithdrawal } from "../../schema/broker.js";
import { Coin } from "../../schema/coin.js";
import { ConvertRecord } from "../../schema/convert.js";
import { FuturesProductType, ProductCategory } from "../../schema/enums/category.js";
import { UNKNOWN } from "../../schema/enums/exchangeEnum.js";
import { SavingsPeriodTypeInput } from "../../schema/enums/savings.js";
import { SharkFinRecordTypeInput } from "../../schema/enums/sharkFin.js";
import { Fill } from "../../schema/fill.js";
import { FuturesAccount } from "../../schema/futuresAccount.js";
import { HistoricalPosition } from "../../schema/historicalPosition.js";
import { Instrument } from "../../schema/instrument.js";
import { ClosedLoan, LoanOrder, LoanReduction, LoanRepayment } from "../../schema/loan.js";
import { JournalEntry } from "../../schema/mutations/journal.js";
import { Order } from "../../schema/order.js";
import { SpotSymbol } from "../../schema/pair.js";
import { PlanOrder } from "../../schema/planOrder.js";
import { Position } from "../../schema/position.js";
import { SavingsHolding, SavingsRecord } from "../../schema/savings.js";
import type { Scope } from "../../schema/scopes.js";
import { SharkFinProduct, SharkFinRecord } from "../../schema/sharkFin.js";
import { Ticker } from "../../schema/ticker.js";
import { Trade } from "../../schema/trade.js";
import { Deposit, Withdrawal } from "../../schema/wallet.js";
import { type AccountScoped, withAccount } from "../accountScoped.js";
import { subAccountWithdrawalOf } from "../broker.js";
import type { RequestContext } from "../context.js";
import { convertRecordOf } from "../convert.js";
import { journalEntryOf } from "../mutations/journal.js";
import { withdrawalOf } from "../wallet.js";
import { accountKeyOf } from "./accountKey.js";
import { type Key, writeGlobalId } from "./globalId.js";

/** Finds a record with certain keys, in its account if it has one; `null` if there is no such record any more. */
type Find = (request: RequestContext, account?: ExchangeAccount) => Promise<object | null>;

/** Identification and look-up of the records of one type. */
interface NodeType {
  /** Scope that the look-up requires. */
  readonly scope: Scope;
  /** The account of a record; undefined for public data. */
  readonly ownerOf: ((record: object) => ExchangeAccount) | undefined;
  /** What identifies a record within its account, or within its type. */
  keysOf(record: object): readonly Key[];
  /** `undefined` if these cannot be keys of the type. */
  lookup(keys: readonly Key[]): Find | undefined;
}

const text = z.string();
const time = z.int();
const seq = z.string().regex(/^\d{1,15}$/);
const category = z.enum(Object.values(ProductCategory));
const periodType = z.enum([...Object.values(SavingsPeriodTypeInput), UNKNOWN]);
const sharkFinType = z.enum([...Object.values(SharkFinRecordTypeInput), UNKNOWN]);

/** What identifies a record of a type: the names of its fields in their order, and what each can be. */
type Keys = Readonly<Record<string, z.ZodType<Key>>>;
type Given<S extends Keys> = z.infer<z.ZodObject<S>>;
/** A type whose records have these fields. */
type Keyed<S extends Keys> = new () => { readonly [N in keyof S]: Key };

/** Reads keys by their names; nothing where they are not of the type. */
function reading<S extends Keys>(keys: S): (values: readonly Key[]) => Given<S> | undefined {
  const names = Object.keys(keys);
  const parser = z.object(keys);
  return (values) =>
    values.length === names.length
      ? parser.safeParse(Object.fromEntries(names.map((name, at) => [name, values[at]]))).data
      : undefined;
}

/** The keys that a record has under these names. */
const keysUnder =
  (names: readonly string[]) =>
  (record: object): readonly Key[] =>
    names.map((name) => Reflect.get(record, name));

/** A type of public data. */
function marketType<S extends Keys>(
  type: Keyed<S>,
  keys: S,
  find: (reads: RequestReads, keys: Given<S>) => Promise<object | null>,
): [string, NodeType] {
  const read = reading(keys);
  const lookup: NodeType["lookup"] = (values) => {
    const given = read(values);
    return given && (({ reads }) => find(reads, given));
  };
  return [type.name, { scope: "read:market", ownerOf: undefined, keysOf: keysUnder(Object.keys(keys)), lookup }];
}

/** A type of account data, which is looked up in its account. */
function accountType<S extends Keys>(
  type: Keyed<S>,
  keys: S,
  find: (reads: RequestReads, account: ExchangeAccount, keys: Given<S>, writes: RequestWrites) => Promise<object | null>,
): [string, NodeType] {
  const read = reading(keys);
  const lookup: NodeType["lookup"] = (values) => {
    const given = read(values);
    if (given === undefined) return undefined;
    return async ({ reads, writes }, account) => {
      const record = account === undefined ? null : await find(reads, account, given, writes);
      return account === undefined || record === null ? null : withAccount(account, record);
    };
  };
  const ownerOf = (record: object) => (record as AccountScoped<object>).account;
  return [type.name, { scope: "read:account", ownerOf, keysOf: keysUnder(Object.keys(keys)), lookup }];
}

/** The most trades that the exchange lists at once. */
const LATEST = 100;

/** The moment of a record, by which its list is read. */
const at = (time: number | null) => (time === null ? { first: MAX_FIRST } : { first: MAX_FIRST, from: time, to: time });

/** Records of the past, each of which is found again in the list that it came from. */
const PAST_RECORDS: readonly (readonly [string, NodeType])[] = [
  accountType(ClosedLoan, { orderId: text }, async (reads, account, { orderId }) =>
    rowWhere(rowsOf(await closedLoans.read(reads, account, { orderId }, at(null))), (row) => row.orderId === orderId),
  ),
  accountType(
    LoanRepayment,
    { orderId: text, repayTime: time.nullable(), amount: text.nullable() },
    async (reads, account, { orderId, repayTime, amount }) =>
      rowWhere(
        rowsOf(await loanRepayments.read(reads, account, { orderId }, at(repayTime))),
        (row) => row.orderId === orderId && row.repayTime === repayTime && row.amount === amount,
      ),
  ),
  accountType(
    LoanReduction,
    { orderId: text, reduceTime: time.nullable(), principalAmount: text.nullable() },
    async (reads, account, { orderId, reduceTime, principalAmount }) =>
      rowWhere(
        rowsOf(await loanReductions.read(reads, account, { orderId }, at(reduceTime))),
        (row) => row.orderId === orderId && row.reduceTime === reduceTime && row.principalAmount === principalAmount,
      ),
  ),
  accountType(
    ConvertRecord,
    { recordId: text, createdTime: time.nullable() },
    async (reads, account, { recordId, createdTime }) => {
      const found = rowWhere(rowsOf(await conversions.read(reads, account, {}, at(createdTime))), (row) => row.id === recordId);
      return found === null ? null : convertRecordOf(account, found);
    },
  ),
  accountType(Deposit, { orderId: text }, async (reads, account, { orderId }) =>
    rowWhere(rowsOf(await deposits.read(reads, account, { coin: null, orderId }, at(null))), (row) => row.orderId === orderId),
  ),
  accountType(Withdrawal, { orderId: text }, async (reads, account, { orderId }) => {
    const rows = rowsOf(await withdrawals.read(reads, account, { coin: null, orderId, clientOid: null }, at(null)));
    const found = rowWhere(rows, (row) => row.orderId === orderId);
    return found === null ? null : withdrawalOf(account, found);
  }),
  accountType(SubAccountWithdrawal, { orderId: text }, async (reads, account, { orderId }) => {
    const rows = rowsOf(await withdrawalsOfSubAccounts.read(reads, account, { userId: null, orderId }, at(null)));
    const found = rowWhere(rows, (row) => row.orderId === orderId);
    return found === null ? null : subAccountWithdrawalOf(account, found);
  }),
  accountType(
    SavingsHolding,
    { periodType: periodType.nullable(), productId: text, orderId: text.nullable() },
    async (reads, account, { periodType, productId, orderId }) =>
      periodType === null || periodType === UNKNOWN
        ? null
        : rowWhere(
            rowsOf(await savingsHoldings.read(reads, account, { periodType }, at(null))),
            (row) => row.productId === productId && row.orderId === orderId,
          ),
  ),
  accountType(
    SavingsRecord,
    { periodType: periodType.nullable(), orderId: text, createdTime: time.nullable() },
    async (reads, account, { periodType, orderId, createdTime }) =>
      periodType === null || periodType === UNKNOWN
        ? null
        : rowWhere(
            rowsOf(await savingsRecords.read(reads, account, { periodType }, at(createdTime))),
            (row) => row.orderId === orderId,
          ),
  ),
  accountType(
    SharkFinRecord,
    { type: sharkFinType.nullable(), orderId: text, createdTime: time.nullable() },
    async (reads, account, { type, orderId, createdTime }) =>
      type === null || type === UNKNOWN
        ? null
        : rowWhere(
            rowsOf(await sharkFinRecords.read(reads, account, { type }, at(createdTime))),
            (row) => row.orderId === orderId,
          ),
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
  accountType(
    FuturesAccount,
    { productType: z.enum(Object.values(FuturesProductType)), marginCoin: text },
    async (reads, account, { productType, marginCoin }) => {
      const wallets = await readFuturesAccounts(reads, account, productType);
      const wallet = rowWhere(wallets, (one) => one.marginCoin === marginCoin);
      return wallet === null ? null : { productType, ...wallet };
    },
  ),
  accountType(Fill, { category, orderId: text.nullable(), execId: text }, async (reads, account, { category, ...key }) =>
    category === UNKNOWN ? null : findFill(reads, account, { category, ...key }),
  ),
  accountType(PlanOrder, { category, symbol: text, orderId: text }, async (reads, account, { category, ...key }) =>
    category === UNKNOWN ? null : readPlanOrder(reads, account, { category, ...key }),
  ),
  marketType(Ticker, { category, symbol: text }, (reads, { category, symbol }) => reads.loaders.ticker(category, symbol)),
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
    const profile = await findSubAccount(reads, account, subUid);
    return profile === null ? null : { subUid, profile };
  }),
]);

/** The global identifier of a record; a promise while the user of its account is not known. Throws if its type has none. */
export function globalIdOf(exchange: Exchange, typeName: string, record: object): string | Promise<string> {
  const nodeType = NODE_TYPES.get(typeName);
  if (nodeType === undefined) throw new Error(`${typeName} has no global identifier`);
  const keys = nodeType.keysOf(record);
  if (nodeType.ownerOf === undefined) return writeGlobalId([typeName, ...keys]);
  const account = accountKeyOf(exchange, nodeType.ownerOf(record));
  return typeof account === "string"
    ? writeGlobalId([typeName, account, ...keys])
    : account.then((key) => writeGlobalId([typeName, key, ...keys]));
}
