import { subscribe } from "node:diagnostics_channel";

/** Number of HTTP calls of this process that are still pending. */
const underWay = new Set<object>();

const requestIn = (message: unknown): object => (message as { readonly request: object }).request;

subscribe("undici:request:create", (message) => underWay.add(requestIn(message)));
for (const end of ["undici:request:trailers", "undici:request:error"])
  subscribe(end, (message) => underWay.delete(requestIn(message)));

export const callsUnderWay = (): number => underWay.size;
