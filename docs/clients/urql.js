import { cacheExchange } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";

/** Keys of types that have none called `id`. */
const KEYS = {
  OrderBook: ({ category, symbol, depth }) => `${category}:${symbol}:${depth}`,
  Trade: ({ execId }) => execId,
};

/** A schema-aware cache for this graph, from the answer to an introspection query. */
export const cacheOf = (introspection) =>
  cacheExchange({
    schema: introspection,
    keys: { ...withoutKey(introspection), ...KEYS },
    // All pages of such a list are one list, whatever their size. It is asked for with `first`: one without arguments is not
    // found again. Leave out what screens ask for with different fields.
    resolvers: {
      Account: { openOrders: relayPagination(), positionHistory: relayPagination(), convertRecords: relayPagination() },
      Loans: { history: relayPagination() },
    },
  });

/** Every other object without an `id` is a part of the one that it stands in. */
const withoutKey = ({ __schema }) => {
  const roots = [__schema.queryType, __schema.mutationType, __schema.subscriptionType].map(({ name }) => name);
  return Object.fromEntries(
    __schema.types
      .filter(({ kind, name, fields }) => kind === "OBJECT" && !name.startsWith("__") && !fields.some((one) => one.name === "id"))
      .filter(({ name }) => !roots.includes(name))
      .map(({ name }) => [name, () => null]),
  );
};
