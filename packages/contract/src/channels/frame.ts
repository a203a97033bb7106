import { shortened, withoutControls } from "../exchangeText.js";
import { isObject, type JsonObject, jsonIn, parseJson } from "../json.js";
import { loginSignature } from "../signing.js";
import type { Argument, Push } from "./channel.js";

/** Frames of a socket, one text each. */

/** Heartbeat: bare text, no JSON. Counted as a message. */
export const PING = "ping";
export const PONG = "pong";

/** Operation of a request on its arguments. */
export type SubscriptionOp = "subscribe" | "unsubscribe";

/** Subscribes or unsubscribes; the exchange answers once for each argument. */
export const requestFrame = (op: SubscriptionOp, args: readonly Argument[]): string => JSON.stringify({ op, args });

/** Opens the private channels. `now` is the exchange's time in Unix ms; the signature is good for 30 seconds. */
export function loginFrame(
  key: { readonly apiKey: string; readonly secret: string; readonly passphrase: string },
  now: number,
): string {
  const timestamp = String(Math.floor(now / 1000));
  const { apiKey, secret, passphrase } = key;
  return JSON.stringify({ op: "login", args: [{ apiKey, passphrase, timestamp, sign: loginSignature(secret, timestamp) }] });
}

/** A message of the exchange. */
export type Frame =
  | { readonly kind: "pong" }
  | { readonly kind: "login" }
  | { readonly kind: "ack"; readonly op: SubscriptionOp; readonly args: readonly Argument[] }
  /** `argument`: the refused one, if the exchange named it; `op`: the refused operation, if the exchange named it. */
  | {
      readonly kind: "error";
      readonly code: string;
      readonly msg: string;
      readonly op: string | undefined;
      readonly argument: Argument | undefined;
    }
  | { readonly kind: "push"; readonly push: Push }
  | { readonly kind: "unreadable" };

const UNREADABLE: Frame = { kind: "unreadable" };
const LOGGED_IN = "0";

/** The texts of an object: an argument has nothing else. */
function argumentOf(wire: unknown): Argument | undefined {
  if (!isObject(wire)) return undefined;
  return Object.fromEntries(Object.entries(wire).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** Reads one frame. Never throws: an unreadable frame is `unreadable`. */
export function readFrame(text: string): Frame {
  if (text === PONG) return { kind: "pong" };
  const wire = jsonIn(withoutControls(text), parseJson);
  if (!isObject(wire)) return UNREADABLE;
  if (wire.event !== undefined) return readEvent(wire);
  if (wire.data !== undefined) return readPush(wire);
  return isSubscriptionOp(wire.op) ? readAck(wire.op, wire) : UNREADABLE;
}

const isSubscriptionOp = (op: unknown): op is SubscriptionOp => op === "subscribe" || op === "unsubscribe";

function readEvent(wire: JsonObject): Frame {
  const { event } = wire;
  const code = typeof wire.code === "number" || typeof wire.code === "string" ? shortened(String(wire.code)) : undefined;
  if (event === "login" && (code === undefined || code === LOGGED_IN)) return { kind: "login" };
  if (isSubscriptionOp(event)) return readAck(event, wire);
  if (event !== "error" && event !== "login") return UNREADABLE;
  const msg = typeof wire.msg === "string" ? shortened(wire.msg) : "";
  return {
    kind: "error",
    code: code ?? "",
    msg,
    op: event === "login" ? "login" : typeof wire.op === "string" ? wire.op : undefined,
    argument: argumentOf(wire.arg) ?? argumentNamedIn(msg),
  };
}

/** One argument under `arg`, or the whole request, as the documentation shows it. */
function readAck(op: SubscriptionOp, wire: JsonObject): Frame {
  const listed: readonly unknown[] = Array.isArray(wire.args) ? wire.args : [wire.arg];
  const args = listed.map(argumentOf).filter((one) => one !== undefined);
  return args.length === 0 ? UNREADABLE : { kind: "ack", op, args };
}

function readPush(wire: JsonObject): Frame {
  const argument = argumentOf(wire.arg);
  if (argument === undefined || (wire.action !== "snapshot" && wire.action !== "update")) return UNREADABLE;
  const ts = typeof wire.ts === "string" ? Number.parseInt(wire.ts, 10) : wire.ts;
  const time = typeof ts === "number" && Number.isSafeInteger(ts) ? ts : null;
  return {
    kind: "push",
    push: { action: wire.action, argument, data: Array.isArray(wire.data) ? wire.data : [wire.data], time },
  };
}

/** The argument that the text of a refusal repeats: v3 as JSON, v2 as `instType:…,channel:…,instId:… doesn't exist`. */
function argumentNamedIn(msg: string): Argument | undefined {
  const json = /\{[^{}]*\}/.exec(msg)?.[0];
  if (json !== undefined) return argumentOf(jsonIn(json, parseJson));
  const pairs = [...msg.matchAll(/(instType|channel|instId|coin):([^,\s]*)/g)].map(([, name, value]) => [
    name ?? "",
    value ?? "",
  ]);
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}
