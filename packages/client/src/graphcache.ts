import { type CacheExchangeOpts, cacheExchange } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";
import { WITHOUT_ID } from "./graphTypes.js";

/** An object without an `id` is a part of the one that it stands in, but for these two. */
export const keys: NonNullable<CacheExchangeOpts["keys"]> = {
  ...Object.fromEntries(WITHOUT_ID.map((name) => [name, () => null])),
  OrderBook: ({ category, symbol, depth }) => `${category}:${symbol}:${depth}`,
  Trade: ({ execId }) => String(execId),
};

/**
 * All pages of such a list are one list, whatever their size. It is asked for with `first`: one without arguments is not found
 * again. Leave out what screens ask for with different fields.
 */
export const resolvers: NonNullable<CacheExchangeOpts["resolvers"]> = {
  Account: { openOrders: relayPagination(), positionHistory: relayPagination(), convertRecords: relayPagination() },
  Loans: { history: relayPagination() },
};

/**
 * urql's graphcache for this graph. With `schema`, the answer to an introspection query, it answers in part what it has in part.
 */
export const graphCache = (options: Omit<CacheExchangeOpts, "keys" | "resolvers"> = {}) =>
  cacheExchange({ ...options, keys, resolvers });
