import { InMemoryCache } from "@apollo/client";
import { relayStylePagination } from "@apollo/client/utilities";

/** A cache for this graph, from the answer to an introspection query. */
export const cacheOf = ({ __schema }) => {
  const objects = __schema.types.filter(({ kind, name }) => kind === "OBJECT" && !name.startsWith("__"));
  const interfaces = __schema.types.filter(({ kind }) => kind === "INTERFACE");
  const parts = objects.filter(({ fields }) => !fields.some(({ name }) => name === "id"));
  return new InMemoryCache({
    possibleTypes: Object.fromEntries(
      interfaces.map(({ name, possibleTypes }) => [name, possibleTypes.map((type) => type.name)]),
    ),
    // An object without an identifier is a part of the one that it stands in: what queries ask of it adds up.
    typePolicies: withFields(Object.fromEntries(parts.map(({ name }) => [name, { merge: true }]))),
  });
};

/** The arguments that make another list: all but `after`. Pages of one size are put together. */
const FIELDS = {
  Account: {
    openOrders: relayStylePagination(["first", "category", "symbol", "tpslType"]),
    positionHistory: relayStylePagination(["first", "category", "symbol", "from", "to"]),
    convertRecords: relayStylePagination(["first", "from", "to"]),
  },
  Broker: { subAccounts: relayStylePagination(["first", "status", "from", "to"]) },
  Loans: { history: relayStylePagination(["first", "orderId", "loanCoin", "pledgeCoin", "status", "from", "to"]) },
};

/** Rows that one field tells apart within the object that they stand in. */
const rowsBy = (field) => ({
  merge(existing, incoming, { readField, mergeObjects }) {
    const known = new Map((existing ?? []).map((row) => [readField(field, row), row]));
    return incoming.map((row) => mergeObjects(known.get(readField(field, row)) ?? row, row));
  },
});

const withFields = (policies) => ({
  ...policies,
  ...Object.fromEntries(Object.entries(FIELDS).map(([name, fields]) => [name, { ...policies[name], fields }])),
  SubAccount: { fields: { spotAssets: rowsBy("coin"), futuresAssets: rowsBy("marginCoin") } },
  OrderBook: { keyFields: ["category", "symbol", "depth"] },
  Trade: { keyFields: ["execId"] },
});
