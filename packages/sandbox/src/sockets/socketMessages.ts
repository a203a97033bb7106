import type { Action, Argument, Channel } from "@exchange-graph/contract/channels/channel";
import type { SubscriptionOp } from "@exchange-graph/contract/channels/frame";
import type { SocketRefusal } from "./socketRefusals.js";

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
