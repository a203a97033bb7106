import type { Endpoint } from "../../contract/endpoint.js";
import { cancelOrder, modifyOrder, placeOrder } from "../../contract/orderWrites.js";
import type { Credential } from "../credentials.js";
import type { Refused } from "../refused.js";
import { SOCKET_REFUSAL, type SocketRefusal } from "./refusals.js";
import type { TradeRequest } from "./request.js";

/** Makes a call for somebody who has logged in: its data, or the refusal. */
export type Entrust = (
  endpoint: Endpoint,
  caller: Credential,
  given: Readonly<Record<string, unknown>>,
) => { readonly data: unknown } | { readonly refused: Refused };

/** An operation on orders over the private socket of v3: the endpoint behind it, and how many orders it takes at once. */
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

/** Success has a code of its own here, and every code is text. */
const ACCEPTED = { code: "0", msg: "success" } as const;

/** Does what was asked and writes the answer: of a batch one row per order, each with its own outcome. `now` is Unix ms. */
export function tradeAnswer(request: TradeRequest, caller: Credential | undefined, entrust: Entrust, now: number): string {
  const { id, topic, category, args } = request;
  const entry = ENTRIES.get(topic);
  const failed = ({ code, msg }: SocketRefusal | { readonly code: string; readonly msg: string }): string =>
    JSON.stringify({ event: "error", id, topic, code: String(code), msg, ts: String(now) });
  if (caller === undefined) return failed(SOCKET_REFUSAL.notLoggedIn);
  if (entry === undefined || args.length > entry.most) return failed(SOCKET_REFUSAL.badParameter);
  const rows: unknown[] = [];
  for (const arg of args) {
    const outcome = entrust(entry.endpoint, caller, bodyOf(request, arg));
    if ("data" in outcome) {
      const told = entry.most === 1 ? {} : ACCEPTED;
      rows.push({ ...told, ...placed(entry, arg, now), ...(outcome.data as object) });
    } else {
      const { refusal, message } = outcome.refused;
      if (entry.most === 1) return failed({ code: refusal.code, msg: message });
      rows.push({ code: refusal.code, msg: message, symbol: arg.symbol, orderId: arg.orderId, clientOid: arg.clientOid });
    }
  }
  return JSON.stringify({ event: "trade", id, category, topic, args: rows, ...ACCEPTED, ts: String(now) });
}

/** As the endpoint wants it: the category stands once over all orders, and presets are spelt in lower case here. */
function bodyOf(
  { category, requestTime }: TradeRequest,
  { takeprofit: takeProfit, stoploss: stopLoss, clientId, clientOid = clientId, ...arg }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return { category, requestTime, takeProfit, stopLoss, clientOid, ...arg };
}

const placed = ({ endpoint }: Entry, { symbol }: Readonly<Record<string, unknown>>, now: number) =>
  endpoint.name === placeOrder.name ? { symbol, cTime: String(now) } : {};
