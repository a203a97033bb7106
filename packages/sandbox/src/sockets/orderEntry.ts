import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { cancelOrder, modifyOrder, placeOrder } from "@exchange-graph/contract/orderWrites";
import type { Credential } from "../credentials.js";
import type { Dispatcher } from "../http/dispatch.js";
import type { UncheckedParameters } from "../http/parameters.js";
import type { Refused } from "../refused.js";
import { SOCKET_REFUSAL, type SocketRefusal } from "./socketMessages.js";
import type { TradeRequest } from "./socketRequest.js";

/** Executes calls for a logged-in client: the data or refusal of each, or one refusal for all. */
export type Entrust = Dispatcher["entrusted"];

/** An order operation of the private v3 socket: its endpoint, and its maximum number of orders. */
interface Entry {
  readonly endpoint: Endpoint;
  readonly most: number;
}

const MOST = 20;
const ENTRIES: ReadonlyMap<string, Entry> = new Map([
  ["place-order", { endpoint: placeOrder, most: 1 }],
  ["batch-place", { endpoint: placeOrder, most: MOST }],
  ["modify-order", { endpoint: modifyOrder, most: 1 }],
  ["batch-modify", { endpoint: modifyOrder, most: MOST }],
  ["cancel-order", { endpoint: cancelOrder, most: 1 }],
  ["batch-cancel", { endpoint: cancelOrder, most: MOST }],
]);

/** Success has its own code here, and every code is text. */
const ACCEPTED = { code: "0", msg: "success" } as const;

/** Executes a request and writes the answer: for a batch one row per order, each with its own outcome. `now` is Unix ms. */
export function tradeAnswer(request: TradeRequest, caller: Credential | undefined, entrust: Entrust, now: number): string {
  const { id, topic, category, args } = request;
  const entry = ENTRIES.get(topic);
  const failed = ({ code, msg }: SocketRefusal | { readonly code: string; readonly msg: string }): string =>
    JSON.stringify({ event: "error", id, topic, code: String(code), msg, ts: String(now) });
  if (caller === undefined) return failed(SOCKET_REFUSAL.notLoggedIn);
  if (entry === undefined || args.length > entry.most) return failed(SOCKET_REFUSAL.badParameter);
  const bodies = args.map((arg) => bodyOf(request, arg));
  const done = entrust(entry.endpoint, caller, bodies);
  if ("refused" in done) return failed(refusedFrame(done.refused));
  const rows: unknown[] = [];
  for (const [at, outcome] of done.outcomes.entries()) {
    const { symbol, orderId, clientOid } = bodies[at] ?? {};
    if ("data" in outcome) {
      const status = entry.most === 1 ? {} : ACCEPTED;
      rows.push({ ...status, ...placed(entry, symbol, now), ...(outcome.data as object) });
    } else if (entry.most === 1) {
      return failed(refusedFrame(outcome.refused));
    } else {
      rows.push({ ...refusedFrame(outcome.refused), symbol, orderId, clientOid });
    }
  }
  return JSON.stringify({ event: "trade", id, category, topic, args: rows, ...ACCEPTED, ts: String(now) });
}

/** Converts to the endpoint's form: the category is given once for all orders, and presets are in lower case here. */
function bodyOf(
  { category, requestTime }: TradeRequest,
  { takeprofit: takeProfit, stoploss: stopLoss, clientId, clientOid = clientId, ...arg }: UncheckedParameters,
): UncheckedParameters {
  return { category, requestTime, takeProfit, stopLoss, clientOid, ...arg };
}

const refusedFrame = ({ refusal, message }: Refused) => ({ code: refusal.code, msg: message });

const placed = ({ endpoint }: Entry, symbol: unknown, now: number) =>
  endpoint.name === placeOrder.name ? { symbol, cTime: String(now) } : {};
