import type { Push } from "@exchange-graph/contract/channels/channel";
import { isObject, type JsonObject, jsonIn } from "@exchange-graph/contract/json";
import { FAULTS, Fault, type FaultCode } from "../../../../src/datasources/errors/index.js";

/** A message to other replicas about a topic. */
export type Message =
  | { readonly kind: "up" }
  | { readonly kind: "down" }
  /** Pushes of the exchange are overdue, or have all arrived. */
  | { readonly kind: "stalled" }
  | { readonly kind: "caughtUp" }
  | { readonly kind: "push"; readonly push: Push }
  /** The exchange refuses the topic, or refuses it to this replica. */
  | { readonly kind: "failed"; readonly fault: Fault };

const STATUSES = ["up", "down", "stalled", "caughtUp"] as const;

/** Version of the format: two versions of the gateway may run at the same time. */
const FORMAT = 1;

export function writeMessage(message: Message): string {
  if (message.kind !== "failed") return JSON.stringify({ v: FORMAT, ...message });
  const { code, message: text, extensions } = message.fault;
  return JSON.stringify({ v: FORMAT, kind: "failed", code, text, exchange: extensions.exchange });
}

/** Parses a message of another replica; undefined if it has another format or is damaged. */
export function readMessage(text: string): Message | undefined {
  const wire = jsonIn(text);
  if (!isObject(wire) || wire.v !== FORMAT) return undefined;
  const [status] = STATUSES.filter((kind) => kind === wire.kind);
  if (status !== undefined) return { kind: status };
  if (wire.kind === "failed") return { kind: "failed", fault: faultOf(wire) };
  const push = wire.kind === "push" ? pushOf(wire.push) : undefined;
  return push === undefined ? undefined : { kind: "push", push };
}

/** An unknown code counts as an unreachable exchange, after which the topic is tried again. */
function faultOf({ code, text, exchange }: JsonObject): Fault {
  const faultCode = Object.keys(FAULTS).find((name): name is FaultCode => name === code) ?? "EXCHANGE_UNAVAILABLE";
  if (!isObject(exchange)) return new Fault(faultCode, String(text));
  const detail = { code: String(exchange.code), msg: String(exchange.msg), endpoint: String(exchange.endpoint) };
  return new Fault(faultCode, String(text), { exchange: detail });
}

function pushOf(wire: unknown): Push | undefined {
  if (!isObject(wire) || !isObject(wire.argument) || !Array.isArray(wire.data)) return undefined;
  const { action, argument, data, time } = wire;
  if (action !== "snapshot" && action !== "update") return undefined;
  if (time !== null && typeof time !== "number") return undefined;
  const texts = Object.entries(argument).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return { action, argument: Object.fromEntries(texts), data, time };
}
