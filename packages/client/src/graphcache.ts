import { type Cache, type CacheExchangeOpts, cacheExchange, type Resolver } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";
import { WITHOUT_ID } from "./documents/graphTypes.js";

/** An object without an `id` is part of its parent, except these two. */
export const keys: NonNullable<CacheExchangeOpts["keys"]> = {
  ...Object.fromEntries(WITHOUT_ID.map((name) => [name, () => null])),
  OrderBook: ({ category, symbol, depth }) => `${category}:${symbol}:${depth}`,
};

/**
 * `relayPagination` joins pages of different sizes, and a screen that lists fewer rows with more fields would lack these fields in the
 * rows of the other: its query would be sent again each time. Here, only pages of one size are one list.
 */
const pages = (): Resolver => {
  const paginate = relayPagination();
  return (parent, args, cache, info) => {
    const inspectFields: Cache["inspectFields"] = (entity) =>
      cache.inspectFields(entity).filter((field) => field.arguments?.first === args.first);
    const ofThisSize: Cache = Object.create(cache, { inspectFields: { value: inspectFields } });
    return paginate(parent, args, ofThisSize, info);
  };
};

/**
 * Pages of one list are merged if all arguments except `after` are the same. It has to be queried with `first`: a list without
 * arguments is not found again. Remove lists that screens query with the same arguments and different fields.
 */
export const resolvers: NonNullable<CacheExchangeOpts["resolvers"]> = {
  Account: { openOrders: pages(), positionHistory: pages(), convertRecords: pages() },
  Loans: { history: pages() },
};

/** urql's graphcache for this graph. With `schema`, the result of an introspection query, it returns partial results. */
export const graphCache = (options: Omit<CacheExchangeOpts, "keys" | "resolvers"> = {}) =>
  cacheExchange({ ...options, keys, resolvers });
