import autocannon from "autocannon";
import type { Body } from "./documents.js";

const CONNECTIONS = 32;

type Length = { readonly duration: number } | { readonly amount: number };

let turn = 0;

/** Sends successive bodies over all connections, for `duration` seconds or `amount` requests. */
export const load = (url: string, body: Body, length: Length) =>
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
