import type { Argument } from "@exchange-graph/contract/channels/channel";
import { PING, type SubscriptionOp } from "@exchange-graph/contract/channels/frame";
import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import { isObject, type JsonObject, jsonIn, parseJson } from "@exchange-graph/contract/json";
import { SOCKET_REFUSAL, type SocketRefusal } from "./socketMessages.js";

/** The claim of a login. Missing members are empty. */
export interface LoginClaim {
  readonly apiKey: string;
  readonly passphrase: string;
  /** As received, because the signature covers it: seconds or milliseconds. */
  readonly timestamp: string;
  readonly sign: string;
}

/** A request about orders. The client's `id` is repeated in the answer. */
export interface TradeRequest {
  readonly id: string;
  readonly topic: string;
  /** Product category in lower case, for placements. */
  readonly category: string | undefined;
  readonly requestTime: unknown;
  readonly args: readonly JsonObject[];
}

type SocketRequest =
  | { readonly kind: "ping" }
  | { readonly kind: "login"; readonly claim: LoginClaim }
  | { readonly kind: "trade"; readonly trade: TradeRequest }
  | { readonly kind: SubscriptionOp; readonly args: readonly Argument[] }
  | { readonly kind: "refused"; readonly refusal: SocketRefusal; readonly op?: string };

/** Reads one text frame. Never throws: an unreadable frame is `refused`. */
export function readRequest(text: string): SocketRequest {
  if (text === PING) return { kind: "ping" };
  const wire = jsonIn(text, parseJson);
  if (!isObject(wire) || typeof wire.op !== "string") return { kind: "refused", refusal: SOCKET_REFUSAL.unreadable };
  const { op, args } = wire;
  if (op === "trade") return tradeOf(wire);
  if (op !== "login" && op !== "subscribe" && op !== "unsubscribe") return { kind: "refused", refusal: SOCKET_REFUSAL.unknownOp };
  const bad: SocketRequest = { kind: "refused", refusal: SOCKET_REFUSAL.badParameter, op };
  if (!Array.isArray(args) || args.length === 0) return bad;
  if (op === "login") return isObject(args[0]) ? { kind: "login", claim: claimOf(args[0]) } : bad;
  if (Buffer.byteLength(text) > SOCKET_LIMITS.requestBytes) return bad;
  const named = args.map(argumentOf).filter((argument) => argument !== undefined);
  return named.length === args.length ? { kind: op, args: named } : bad;
}

const textOf = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

const claimOf = ({ apiKey, passphrase, timestamp, sign }: JsonObject): LoginClaim => ({
  apiKey: textOf(apiKey),
  passphrase: textOf(passphrase),
  timestamp: textOf(timestamp),
  sign: textOf(sign),
});

function tradeOf({ id, topic, category, requestTime, args }: JsonObject): SocketRequest {
  const orders = Array.isArray(args) ? args.filter(isObject) : [];
  if (typeof topic !== "string" || orders.length === 0 || !Array.isArray(args) || orders.length < args.length)
    return { kind: "refused", refusal: SOCKET_REFUSAL.badParameter, op: "trade" };
  const named = typeof category === "string" ? category : undefined;
  return { kind: "trade", trade: { id: textOf(id), topic, category: named, requestTime, args: orders } };
}

function argumentOf(wire: unknown): Argument | undefined {
  if (!isObject(wire)) return undefined;
  const entries = Object.entries(wire);
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return texts.length < entries.length ? undefined : Object.fromEntries(texts);
}
