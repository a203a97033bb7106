import { z } from "zod";
import { type ExchangeAccount, type RequestReads, rowWhere } from "../../datasources/index.js";
import { readBalances, readFundingBalances } from "../../datasources/queries/balances.js";
import { isFuturesCategory } from "../../datasources/queries/category.js";
import { readFuturesAccounts } from "../../datasources/queries/futuresAccounts.js";
import { findClosedPosition, findFill, findLoan, findPosition, findSharkFinHolding } from "../../datasources/queries/lookups.js";
import { readOrder } from "../../datasources/queries/order.js";
import { readPlanOrder } from "../../datasources/queries/planOrder.js";
import { readSpotSymbol } from "../../datasources/queries/reference.js";
import { findJournalEntry } from "../../datasources/writes/journal/readJournal.js";
import type { Balance, FundingBalance } from "../../schema/balance.js";
import type { SubAccount } from "../../schema/broker.js";
import { FuturesProductType, ProductCategory } from "../../schema/enums/category.js";
import { UNKNOWN } from "../../schema/enums/exchangeEnum.js";
import type { Fill } from "../../schema/fill.js";
import type { FuturesAccount } from "../../schema/futuresAccount.js";
import type { HistoricalPosition } from "../../schema/historicalPosition.js";
import type { Instrument } from "../../schema/instrument.js";
import type { LoanOrder } from "../../schema/loan.js";
import type { JournalEntry } from "../../schema/mutations/journal.js";
import type { Order } from "../../schema/order.js";
import type { SpotSymbol } from "../../schema/pair.js";
import type { PlanOrder } from "../../schema/planOrder.js";
import type { Position } from "../../schema/position.js";
import type { Scope } from "../../schema/scopes.js";
import type { SharkFinProduct } from "../../schema/sharkFin.js";
import type { Ticker } from "../../schema/ticker.js";
import { type AccountScoped, withAccount } from "../accountScoped.js";
import { journalEntryOf } from "../mutations/journal.js";
import { type Key, writeGlobalId } from "./globalId.js";

/** How the records of one type are identified, and found again. */
interface NodeType {
  /** What finding one again needs. */
  readonly scope: Scope;
  keysOf(record: object): readonly Key[];
  /** `undefined` when these cannot be keys of the type; `null` when there is no such record, or no more. */
  find(reads: RequestReads, keys: readonly Key[]): Promise<object | null> | undefined;
  /** The account that these keys lead to, if they lead to one. */
  ownerOf(reads: RequestReads, keys: readonly Key[]): ExchangeAccount | undefined;
}

const text = z.string();
const time = z.int();
const seq = z.string().regex(/^\d{1,15}$/);
const category = z.enum(Object.values(ProductCategory));

/** A type of what is the same for everybody. */
function marketType<R extends object, K extends [Key, ...Key[]]>(
  keys: z.ZodType<K>,
  keysOf: (record: R) => NoInfer<K>,
  find: (reads: RequestReads, keys: NoInfer<K>) => Promise<object | null>,
): NodeType {
  return {
    scope: "read:market",
    keysOf,
    find(reads, given) {
      const parsed = keys.safeParse(given);
      return parsed.success ? find(reads, parsed.data) : undefined;
    },
    ownerOf: () => undefined,
  };
}

/** A type of what an account has: its first key is the account's name, and it is looked for in that account. */
function accountType<R extends object, K extends [string, ...Key[]]>(
  keys: z.ZodType<K>,
  keysOf: (record: R) => NoInfer<K>,
  find: (reads: RequestReads, account: ExchangeAccount, keys: NoInfer<K>) => Promise<object | null>,
): NodeType {
  const ownerOf: NodeType["ownerOf"] = ({ exchange }, [name]) => (typeof name === "string" ? exchange.account(name) : undefined);
  const within = async (reads: RequestReads, given: K): Promise<object | null> => {
    const account = ownerOf(reads, given);
    const record = account === undefined ? null : await find(reads, account, given);
    return account === undefined || record === null ? null : withAccount(account, record);
  };
  return {
    scope: "read:account",
    keysOf,
    find(reads, given) {
      const parsed = keys.safeParse(given);
      return parsed.success ? within(reads, parsed.data) : undefined;
    },
    ownerOf,
  };
}

/** Every type with a global identifier, by its name in the graph. */
export const NODE_TYPES: ReadonlyMap<string, NodeType> = new Map([
  [
    "Account",
    accountType(
      z.tuple([text]),
      ({ name }: ExchangeAccount) => [name],
      async (_reads, account) => account,
    ),
  ],
  [
    "Balance",
    accountType(
      z.tuple([text, text]),
      ({ account, coin }: AccountScoped<Balance>) => [account.name, coin],
      async (reads, account, [, coin]) => rowWhere(await readBalances(reads, account), (balance) => balance.coin === coin),
    ),
  ],
  [
    "FundingBalance",
    accountType(
      z.tuple([text, text]),
      ({ account, coin }: AccountScoped<FundingBalance>) => [account.name, coin],
      async (reads, account, [, coin]) => rowWhere(await readFundingBalances(reads, account), (balance) => balance.coin === coin),
    ),
  ],
  [
    "FuturesAccount",
    accountType(
      z.tuple([text, z.enum(Object.values(FuturesProductType)), text]),
      ({ account, productType, marginCoin }: AccountScoped<FuturesAccount>) => [account.name, productType, marginCoin],
      async (reads, account, [, productType, marginCoin]) => {
        const wallets = await readFuturesAccounts(reads, account, productType);
        const wallet = rowWhere(wallets, (one) => one.marginCoin === marginCoin);
        return wallet === null ? null : { productType, ...wallet };
      },
    ),
  ],
  [
    "Fill",
    accountType(
      z.tuple([text, category, text.nullable(), text]),
      ({ account, category, orderId, execId }: AccountScoped<Fill>) => [account.name, category, orderId, execId],
      async (reads, account, [, category, orderId, execId]) =>
        category === UNKNOWN ? null : findFill(reads, account, { category, orderId, execId }),
    ),
  ],
  [
    "PlanOrder",
    accountType(
      z.tuple([text, text, text, text]),
      ({ account, category, symbol, orderId }: AccountScoped<PlanOrder>) => [account.name, category, symbol, orderId],
      async (reads, account, [, category, symbol, orderId]) =>
        isFuturesCategory(category) ? readPlanOrder(reads, account, { category, symbol, orderId }) : null,
    ),
  ],
  [
    "Ticker",
    marketType(
      z.tuple([category, text]),
      ({ category, symbol }: Ticker) => [category, symbol],
      (reads, [category, symbol]) => reads.loaders.ticker(category, symbol),
    ),
  ],
  [
    "SpotSymbol",
    marketType(
      z.tuple([text]),
      ({ symbol }: SpotSymbol) => [symbol],
      (reads, [symbol]) => readSpotSymbol(reads, symbol),
    ),
  ],
  [
    "HistoricalPosition",
    accountType(
      z.tuple([text, text, text, text.nullable(), time.nullable(), time.nullable()]),
      ({ account, category, symbol, positionId, createdTime, updatedTime }: AccountScoped<HistoricalPosition>) => [
        account.name,
        category,
        symbol,
        positionId,
        createdTime,
        updatedTime,
      ],
      (reads, account, [, category, symbol, positionId, createdTime, updatedTime]) =>
        findClosedPosition(reads, account, { category, symbol, positionId, createdTime, updatedTime }),
    ),
  ],
  [
    "Instrument",
    marketType(
      z.tuple([category, text]),
      ({ category, symbol }: Instrument) => [category, symbol],
      (reads, [category, symbol]) => reads.loaders.instrument(category, symbol),
    ),
  ],
  [
    "JournalEntry",
    accountType(
      z.tuple([text, seq, text]),
      ({ account, seq, idempotencyKey }: AccountScoped<JournalEntry>) => [account.name, seq, idempotencyKey],
      async (reads, account, [, seq, key]) => {
        const entry = await findJournalEntry(reads, account, { seq: Number.parseInt(seq, 10), key });
        return entry === null ? null : journalEntryOf(entry);
      },
    ),
  ],
  [
    "LoanOrder",
    accountType(
      z.tuple([text, text]),
      ({ account, orderId }: AccountScoped<LoanOrder>) => [account.name, orderId],
      (reads, account, [, orderId]) => findLoan(reads, account, orderId),
    ),
  ],
  [
    "Order",
    accountType(
      z.tuple([text, category, text, text]),
      ({ account, category, symbol, orderId }: AccountScoped<Order>) => [account.name, category, symbol, orderId],
      (reads, account, [, category, symbol, orderId]) =>
        readOrder(reads, account, { category: category === UNKNOWN ? null : category, symbol, orderId }),
    ),
  ],
  [
    "Position",
    accountType(
      z.tuple([text, text, text, text, text]),
      ({ account, category, symbol, marginCoin, posSide }: AccountScoped<Position>) => [
        account.name,
        category,
        symbol,
        marginCoin,
        posSide,
      ],
      (reads, account, [, category, symbol, marginCoin, posSide]) =>
        findPosition(reads, account, { category, symbol, marginCoin, posSide }),
    ),
  ],
  [
    "SharkFinProduct",
    accountType(
      z.tuple([text, text, text, time.nullable(), time.nullable()]),
      ({ account, productId, subscribeCoin, interestStartTime, settleTime }: AccountScoped<SharkFinProduct>) => [
        account.name,
        productId,
        subscribeCoin,
        interestStartTime,
        settleTime,
      ],
      (reads, account, [, productId, subscribeCoin, interestStartTime, settleTime]) =>
        findSharkFinHolding(reads, account, { productId, subscribeCoin, interestStartTime, settleTime }),
    ),
  ],
  [
    "SubAccount",
    accountType(
      z.tuple([text, text]),
      ({ account, subUid }: AccountScoped<SubAccount>) => [account.name, subUid],
      async (_reads, _account, [, subUid]) => ({ subUid }),
    ),
  ],
]);

/** The global identifier of a record of a type. Throws where the type has none. */
export function globalIdOf(typeName: string, record: object): string {
  const nodeType = NODE_TYPES.get(typeName);
  if (nodeType === undefined) throw new Error(`${typeName} has no global identifier`);
  return writeGlobalId(typeName, nodeType.keysOf(record));
}
