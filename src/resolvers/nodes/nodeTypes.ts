import { z } from "zod";
import { type Exchange, type ExchangeAccount, type RequestReads, type RequestWrites, rowWhere } from "../../datasources/index.js";
import {
  findClosedPosition,
  findFill,
  findLoan,
  findPosition,
  findSharkFinHolding,
  findSubAccount,
  readBalances,
  readFundingBalances,
  readFuturesAccounts,
  readOrder,
  readPlanOrder,
  readSpotSymbol,
} from "../../datasources/reads/index.js";
import { findJournalEntry } from "../../datasources/writes/index.js";
import { Account } from "../../schema/account.js";
import { Balance, FundingBalance } from "../../schema/balance.js";
import { SubAccount } from "../../schema/broker.js";
import { FuturesProductType, ProductCategory } from "../../schema/enums/category.js";
import { UNKNOWN } from "../../schema/enums/exchangeEnum.js";
import { Fill } from "../../schema/fill.js";
import { FuturesAccount } from "../../schema/futuresAccount.js";
import { HistoricalPosition } from "../../schema/historicalPosition.js";
import { Instrument } from "../../schema/instrument.js";
import { LoanOrder } from "../../schema/loan.js";
import { JournalEntry } from "../../schema/mutations/journal.js";
import { Order } from "../../schema/order.js";
import { SpotSymbol } from "../../schema/pair.js";
import { PlanOrder } from "../../schema/planOrder.js";
import { Position } from "../../schema/position.js";
import type { Scope } from "../../schema/scopes.js";
import { SharkFinProduct } from "../../schema/sharkFin.js";
import { Ticker } from "../../schema/ticker.js";
import { type AccountScoped, withAccount } from "../accountScoped.js";
import type { RequestContext } from "../context.js";
import { journalEntryOf } from "../mutations/journal.js";
import { type Key, writeGlobalId } from "./globalId.js";

/** Identification and look-up of the records of one type. */
interface NodeType {
  /** Scope that the look-up requires. */
  readonly scope: Scope;
  /** What its identifier is made of: the name of its type, and its keys. */
  partsOf(record: object): readonly Key[];
  /** `undefined` if these cannot be keys of the type; `null` if there is no such record any more. */
  find(request: RequestContext, keys: readonly Key[]): Promise<object | null> | undefined;
  /** The account in these keys, if any. */
  ownerOf(exchange: Exchange, keys: readonly Key[]): ExchangeAccount | undefined;
}

const text = z.string();
const time = z.int();
const seq = z.string().regex(/^\d{1,15}$/);
const category = z.enum(Object.values(ProductCategory));

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

/** What an identifier is made of: the name of the type, `first`, and the keys that a record has under these names. */
function partsOf(record: object, names: readonly string[], ...first: readonly string[]): readonly Key[] {
  const parts: Key[] = [...first];
  for (const name of names) parts.push(Reflect.get(record, name));
  return parts;
}

/** A type of public data. */
function marketType<S extends Keys>(
  type: Keyed<S>,
  keys: S,
  find: (reads: RequestReads, keys: Given<S>) => Promise<object | null>,
): [string, NodeType] {
  const read = reading(keys);
  const names = Object.keys(keys);
  const found: NodeType["find"] = (request, values) => {
    const given = read(values);
    return given && find(request.reads, given);
  };
  return [
    type.name,
    { scope: "read:market", partsOf: (record) => partsOf(record, names, type.name), find: found, ownerOf: () => undefined },
  ];
}

/** The account that these keys lead to: its name is the first one of all that is an account's. */
const ownerOf: NodeType["ownerOf"] = (exchange, [name]) => (typeof name === "string" ? exchange.account(name) : undefined);

/** A type of account data, which is looked up in its account. */
function accountType<S extends Keys>(
  type: Keyed<S>,
  keys: S,
  find: (reads: RequestReads, account: ExchangeAccount, keys: Given<S>, writes: RequestWrites) => Promise<object | null>,
): [string, NodeType] {
  const read = reading(keys);
  const names = Object.keys(keys);
  const within = async (
    { reads, writes }: RequestContext,
    account: ExchangeAccount | undefined,
    given: Given<S>,
  ): Promise<object | null> => {
    const record = account === undefined ? null : await find(reads, account, given, writes);
    return account === undefined || record === null ? null : withAccount(account, record);
  };
  return [
    type.name,
    {
      scope: "read:account",
      partsOf: (record: AccountScoped<object>) => partsOf(record, names, type.name, record.account.name),
      find(request, [name, ...values]) {
        const given = typeof name === "string" ? read(values) : undefined;
        return given && within(request, ownerOf(request.exchange, [name ?? null]), given);
      },
      ownerOf,
    },
  ];
}

const [, account] = accountType(Account, {}, async (_reads, itself) => itself);

/** All types with a global identifier, by name. */
export const NODE_TYPES: ReadonlyMap<string, NodeType> = new Map([
  [Account.name, { ...account, partsOf: ({ name }: ExchangeAccount) => [Account.name, name] }],
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

/** The global identifier of a record. Throws if its type has none. */
export function globalIdOf(typeName: string, record: object): string {
  const nodeType = NODE_TYPES.get(typeName);
  if (nodeType === undefined) throw new Error(`${typeName} has no global identifier`);
  return writeGlobalId(nodeType.partsOf(record));
}
