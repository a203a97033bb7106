import type { Action, Argument, Channel } from "@exchange-graph/contract/channels/channel";
import type { SubscriptionOp } from "@exchange-graph/contract/channels/frame";

export interface SocketRefusal {
  readonly code: number;
  readonly msg: string;
}

const no = (code: number, msg: string): SocketRefusal => ({ code, msg });

/** Every refusal of the sockets by name. */
export const SOCKET_REFUSAL = {
  unreadable: no(30002, "Unrecognized request"),
  unknownOp: no(30003, "Invalid op"),
  notLoggedIn: no(30004, "User not logged in"),
  loginFailed: no(30005, "Login failed"),
  tooManyRequests: no(30006, "Too many requests"),
  wrongKey: no(30011, "Invalid ACCESS_KEY"),
  wrongPassphrase: no(30012, "Invalid ACCESS_PASSPHRASE"),
  badTimestamp: no(30013, "Invalid ACCESS_TIMESTAMP"),
  staleTimestamp: no(30014, "Request timestamp expired"),
  wrongSignature: no(30015, "Invalid sign"),
  badParameter: no(30016, "Param error"),
  closingSoon: no(30033, "The connection will be closed in 60 seconds"),
} as const;

/**
 * The refusal of an unknown channel, product type or symbol. The text names the argument, in a different form per API version.
 */
export function unknownArgument(apiVersion: Channel["apiVersion"], argument: Argument): SocketRefusal {
  const named = Object.entries(argument);
  const text =
    apiVersion === "v3"
      ? JSON.stringify(Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1))))
      : named.map(([name, value]) => `${name}:${value}`).join(",");
  return no(30001, `${text} doesn't exist`);
}

/**
 * Messages of a socket. v3 adds the connection's id to every answer, v2 has none; the two also write the keys of a push in
 * different orders.
 */
export class SocketMessages {
  readonly #tail: Readonly<Record<string, string>>;

  constructor(
    readonly apiVersion: Channel["apiVersion"],
    connId: string,
  ) {
    this.#tail = apiVersion === "v3" ? { connId } : {};
  }

  loggedIn(): string {
    return JSON.stringify({ event: "login", code: 0, ...(this.apiVersion === "v2" ? { msg: "" } : this.#tail) });
  }

  /** The answer to one argument, which it repeats unchanged. */
  ack(op: SubscriptionOp, argument: Argument): string {
    return JSON.stringify({ event: op, arg: argument, ...this.#tail });
  }

  /** `op`: what was asked, where a request as a whole is refused. */
  refused({ code, msg }: SocketRefusal, op?: string): string {
    return JSON.stringify({ event: "error", code, msg, ...(op === undefined ? {} : { op }), ...this.#tail });
  }
}

/** A push. `data` is the text of a JSON list; its numbers may have more digits than a JavaScript number. */
export function pushFrame(channel: Channel, argument: string, action: Action, data: string, now: number): string {
  return channel.apiVersion === "v3"
    ? `{"data":${data},"arg":${argument},"action":"${action}","ts":${now}}`
    : `{"action":"${action}","arg":${argument},"data":${data},"ts":${now}}`;
}
