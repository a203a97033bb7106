import {
  ApolloLink,
  type FieldPolicy,
  InMemoryCache,
  Observable,
  type Reference,
  type StoreObject,
  type TypePolicies,
} from "@apollo/client";
import { print, relayStylePagination } from "@apollo/client/utilities";
import { POSSIBLE_TYPES, WITHOUT_ID } from "./documents/graphTypes.js";
import { forward } from "./forward.js";
import type { Client } from "./types.js";

/**
 * Apollo Client's terminating link: sends every operation through the client. Mutations are sent with an idempotency key, and
 * subscriptions resume after an interruption, with `extensions.gap` on their first event.
 */
export const clientLink = (client: Client): ApolloLink =>
  new ApolloLink(
    ({ operationType: kind, query, variables }) =>
      new Observable((observer) =>
        forward(
          client,
          { kind, document: print(query), variables },
          {
            next: (answer) => observer.next(answer),
            error: (error) => observer.error(error),
            complete: () => observer.complete(),
          },
        ),
      ),
  );

type Row = Reference | StoreObject;

/** Rows that are identified by one field within their parent object. */
const rowsBy = (field: string): FieldPolicy<readonly Row[]> => ({
  merge(existing, incoming, { readField, mergeObjects }) {
    const rows = new Map((existing ?? []).map((row) => [readField(field, row), row]));
    return incoming.map((row) => mergeObjects(rows.get(readField(field, row)) ?? row, row));
  },
});

/**
 * Cache keys: objects by their `id`, and objects without one as part of their parent. Pages of one list are merged if all
 * arguments except `after` are the same.
 */
export const typePolicies: TypePolicies = {
  // Fields of a part from several queries are merged.
  ...Object.fromEntries(WITHOUT_ID.map((name) => [name, { merge: true }])),
  Account: {
    fields: {
      openOrders: relayStylePagination(["first", "category", "symbol", "tpslType"]),
      positionHistory: relayStylePagination(["first", "category", "symbol", "from", "to"]),
      convertRecords: relayStylePagination(["first", "from", "to"]),
    },
  },
  Broker: { merge: true, fields: { subAccounts: relayStylePagination(["first", "status", "from", "to"]) } },
  Loans: {
    merge: true,
    fields: { history: relayStylePagination(["first", "orderId", "loanCoin", "pledgeCoin", "status", "from", "to"]) },
  },
  SubAccount: { fields: { spotAssets: rowsBy("coin"), futuresAssets: rowsBy("marginCoin") } },
  OrderBook: { keyFields: ["category", "symbol", "depth"] },
};

/** The types of each interface and union, for a custom cache. */
export const possibleTypes = POSSIBLE_TYPES;

/** Apollo Client's cache for this graph. */
export const graphCache = (): InMemoryCache => new InMemoryCache({ possibleTypes, typePolicies });
