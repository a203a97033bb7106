import autocannon from "autocannon";
import type { Body } from "./documents.js";

const CONNECTIONS = 32;

let turn = 0;
/** Sends bodies one after the other over all connections: for `duration` seconds, or `amount` of them. */
export const load = (url: string, body: Body, length: { readonly duration: number } | { readonly amount: number }) =>
  autocannon({
    url,
    connections: CONNECTIONS,
    ...length,
    requests: [
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        setupRequest: (request) => ({ ...request, body: body(turn++) }),
      },
    ],
  });
