import { type Exchange, stringifyDocument, subscriptionExchange } from "@urql/core";
import { forward } from "./forward.js";
import type { Client } from "./types.js";

/**
 * The last of urql's exchanges: sends every operation through the client. Mutations are sent under a key, and subscriptions go
 * on after an interruption, with `extensions.gap` on their first event.
 */
export const clientExchange = (client: Client): Exchange =>
  subscriptionExchange({
    enableAllOperations: true,
    forwardSubscription: ({ variables }, { kind, query }) => ({
      subscribe(observer) {
        if (kind === "teardown") throw new TypeError("there is nothing to send");
        const operation = { kind, document: stringifyDocument(query), variables };
        return { unsubscribe: forward(client, operation, observer) };
      },
    }),
  });
