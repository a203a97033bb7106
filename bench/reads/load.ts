import autocannon from "autocannon";
import type { Body } from "./documents.js";

const CONNECTIONS = 32;
const DAY_SECONDS = 86_400;

type Length = { readonly duration: number } | { readonly amount: number };

let turn = 0;
const requestsTo = (url: string, body: Body, length: Length): autocannon.Options => ({
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

/** Sends successive bodies over all connections, for `duration` seconds or `amount` requests. */
export const load = (url: string, body: Body, length: Length) => autocannon(requestsTo(url, body, length));

/** Sends bodies until `work` is settled, and returns its result. */
export async function loadWhile<T>(url: string, body: Body, work: Promise<T>): Promise<T> {
  const sent = new Promise<autocannon.Result>((resolve, reject) => {
    const sending = autocannon(requestsTo(url, body, { duration: DAY_SECONDS }), (error, result) =>
      error ? reject(error) : resolve(result),
    );
    const stop = (): void => sending.stop();
    work.then(stop, stop);
  });
  const [result, { non2xx, errors }] = await Promise.all([work, sent]);
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`);
  return result;
}
