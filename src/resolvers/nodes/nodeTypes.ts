import { z } from "zod";
import type { ExchangeAccount, RequestReads } from "../../datasources/index.js";
import { findClosedPosition, findLoan, findPosition, findSharkFinHolding } from "../../datasources/queries/lookups.js";
import { readOrder } from "../../datasources/queries/order.js";
import { readSpotSymbol } from "../../datasources/queries/reference.js";
import type { SubAccount } from "../../schema/broker.js";
import { ProductCategory } from "../../schema/enums/category.js";
import { UNKNOWN } from "../../schema/enums/exchangeEnum.js";
import type { HistoricalPosition } from "../../schema/historicalPosition.js";
import type { Instrument } from "../../schema/instrument.js";
import type { LoanOrder } from "../../schema/loan.js";
import type { Order } from "../../schema/order.js";
import type { Position } from "../../schema/position.js";
import type { SharkFinProduct } from "../../schema/sharkFin.js";
import type { SpotSymbol } from "../../schema/spotSymbol.js";
import { type Owned, ownedBy } from "../owned.js";
import type { Key } from "./globalId.js";

/** How the records of one type are told apart, and found again. */
export interface NodeType {
  keysOf(record: object): readonly Key[];
  /** `undefined` when these cannot be keys of the type; `null` when there is no such record, or no more. */
  find(reads: RequestReads, keys: readonly Key[]): Promise<object | null> | undefined;
}

const text = z.string();
const time = z.int();
const category = z.enum(Object.values(ProductCategory));

function nodeType<R extends object, K extends [Key, ...Key[]]>(
  keys: z.ZodType<K>,
  keysOf: (record: R) => NoInfer<K>,
  find: (reads: RequestReads, keys: NoInfer<K>) => Promise<object | null>,
): NodeType {
  return {
    keysOf,
    find(reads, given) {
      const parsed = keys.safeParse(given);
      return parsed.success ? find(reads, parsed.data) : undefined;
    },
  };
}

/** Looks in the account of this name, if there is one. */
async function within(
  reads: RequestReads,
  name: string,
  find: (account: ExchangeAccount) => Promise<object | null>,
): Promise<object | null> {
  const account = reads.exchange.account(name);
  const record = account === undefined ? null : await find(account);
  return account === undefined || record === null ? null : ownedBy(account, record);
}

/** Every type with a global identifier, by its name in the graph. */
export const NODE_TYPES: ReadonlyMap<string, NodeType> = new Map([
  [
    "Account",
    nodeType(
      z.tuple([text]),
      ({ name }: ExchangeAccount) => [name],
      async (reads, [name]) => reads.exchange.account(name) ?? null,
    ),
  ],
  [
    "SpotSymbol",
    nodeType(
      z.tuple([text]),
      ({ symbol }: SpotSymbol) => [symbol],
      (reads, [symbol]) => readSpotSymbol(reads, symbol),
    ),
  ],
  [
    "HistoricalPosition",
    nodeType(
      z.tuple([text, text, text, text, time, time]),
      ({ account, category, symbol, positionId, createdTime, updatedTime }: Owned<HistoricalPosition>) => [
        account.name,
        category,
        symbol,
        positionId,
        createdTime,
        updatedTime,
      ],
      (reads, [name, category, symbol, positionId, createdTime, updatedTime]) =>
        within(reads, name, (account) =>
          findClosedPosition(reads, account, { category, symbol, positionId, createdTime, updatedTime }),
        ),
    ),
  ],
  [
    "Instrument",
    nodeType(
      z.tuple([category, text]),
      ({ category, symbol }: Instrument) => [category, symbol],
      (reads, [category, symbol]) => reads.loaders.instrument(category, symbol),
    ),
  ],
  [
    "LoanOrder",
    nodeType(
      z.tuple([text, text]),
      ({ account, orderId }: Owned<LoanOrder>) => [account.name, orderId],
      (reads, [name, orderId]) => within(reads, name, (account) => findLoan(reads, account, orderId)),
    ),
  ],
  [
    "Order",
    nodeType(
      z.tuple([text, category, text, text]),
      ({ account, category, symbol, orderId }: Owned<Order>) => [account.name, category, symbol, orderId],
      (reads, [name, category, symbol, orderId]) =>
        within(reads, name, (account) =>
          readOrder(reads, account, { category: category === UNKNOWN ? null : category, symbol, orderId }),
        ),
    ),
  ],
  [
    "Position",
    nodeType(
      z.tuple([text, text, text, text, text]),
      ({ account, category, symbol, marginCoin, posSide }: Owned<Position>) => [
        account.name,
        category,
        symbol,
        marginCoin,
        posSide,
      ],
      (reads, [name, category, symbol, marginCoin, posSide]) =>
        within(reads, name, (account) => findPosition(reads, account, { category, symbol, marginCoin, posSide })),
    ),
  ],
  [
    "SharkFinProduct",
    nodeType(
      z.tuple([text, text, text, time.nullable(), time.nullable()]),
      ({ account, productId, subscribeCoin, interestStartTime, settleTime }: Owned<SharkFinProduct>) => [
        account.name,
        productId,
        subscribeCoin,
        interestStartTime,
        settleTime,
      ],
      (reads, [name, productId, subscribeCoin, interestStartTime, settleTime]) =>
        within(reads, name, (account) =>
          findSharkFinHolding(reads, account, { productId, subscribeCoin, interestStartTime, settleTime }),
        ),
    ),
  ],
  [
    "SubAccount",
    nodeType(
      z.tuple([text, text]),
      ({ account, subUid }: Owned<SubAccount>) => [account.name, subUid],
      (reads, [name, subUid]) => within(reads, name, async () => ({ subUid })),
    ),
  ],
]);
