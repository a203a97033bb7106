import { type CacheExchangeOpts, cacheExchange } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";
import { WITHOUT_ID } from "./graphTypes.js";

/** An object without an `id` is part of its parent, except these two. */
export const keys: NonNullable<CacheExchangeOpts["keys"]> = {
  ...Object.fromEntries(WITHOUT_ID.map((name) => [name, () => null])),
  OrderBook: ({ category, symbol, depth }) => `${category}:${symbol}:${depth}`,
  Trade: ({ execId }) => String(execId),
};

/**
 * All pages of such a list are one list, whatever their size. It has to be queried with `first`: a list without arguments is not
 * found again. Remove lists that screens query with different fields.
 */
export const resolvers: NonNullable<CacheExchangeOpts["resolvers"]> = {
  Account: { openOrders: relayPagination(), positionHistory: relayPagination(), convertRecords: relayPagination() },
  Loans: { history: relayPagination() },
};

/** urql's graphcache for this graph. With `schema`, the result of an introspection query, it returns partial results. */
export const graphCache = (options: Omit<CacheExchangeOpts, "keys" | "resolvers"> = {}) =>
  cacheExchange({ ...options, keys, resolvers });
