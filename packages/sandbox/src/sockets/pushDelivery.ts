import type { Clock } from "@exchange-graph/contract/clock";
import type { Faults, PushFault } from "../control/faults.js";
import type { Listener } from "./listener.js";

/** Sends the pushes of one topic to its listeners, in order and unchanged unless a fault applies. */
export class PushDelivery {
  #held: string | undefined;

  constructor(
    private readonly channel: string,
    private readonly faults: Faults,
    private readonly clock: Clock,
  ) {}

  push(frame: string, listeners: Iterable<Listener>): void {
    const struck = this.faults.drawPush(this.channel);
    if (struck.length === 0) this.#sendInOrder(frame, listeners);
    else this.#spoil(frame, listeners, struck);
  }

  #spoil(frame: string, listeners: Iterable<Listener>, struck: readonly PushFault[]): void {
    let text = frame;
    let delayMs = 0;
    let copies = 1;
    for (const fault of struck) {
      if (fault.kind === "silent") for (const listener of listeners) listener.silence();
      else if (fault.kind === "drop") for (const listener of listeners) listener.drop();
      else if (fault.kind === "skip") copies = 0;
      else if (fault.kind === "repeat") copies *= 2;
      else if (fault.kind === "wrong-checksum") text = withWrongChecksum(text);
      else if (fault.kind === "delay") delayMs += fault.delayMs;
      else if (this.#held === undefined) {
        this.#held = text;
        return;
      }
    }
    const send = () => {
      for (let sent = 0; sent < copies; sent++) this.#sendInOrder(text, listeners);
    };
    if (delayMs > 0) this.clock.after(delayMs, send);
    else send();
  }

  /** A delayed push is sent right after the one that should have followed it. */
  #sendInOrder(frame: string, listeners: Iterable<Listener>): void {
    sendAll(frame, listeners);
    if (this.#held === undefined) return;
    const held = this.#held;
    this.#held = undefined;
    sendAll(held, listeners);
  }
}

function sendAll(frame: string, listeners: Iterable<Listener>): void {
  const bytes = Buffer.from(frame);
  for (const listener of listeners) listener.send(bytes);
}

const withWrongChecksum = (frame: string): string =>
  frame.replace(/"checksum":(-?\d+)/, (_, sum: string) => `"checksum":${Number.parseInt(sum, 10) ^ 0x2a}`);
