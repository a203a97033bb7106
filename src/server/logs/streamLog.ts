import { WireError } from "../../contract/codec.js";
import type { StreamObserver } from "../../datasources/streams/index.js";
import type { Logger } from "./log.js";

/** Writes down what an operator should know of the exchange's streams. */
export class StreamLog implements StreamObserver {
  constructor(private readonly log: Logger) {}

  disconnected(end: string): void {
    this.log.info({ end }, "a connection to the exchange's streams has ended; another takes its place");
  }

  unreadable(channel: string | undefined, error: unknown): void {
    // The text of a broken payload names the place and the expected type, and never a value.
    const reason = error instanceof WireError ? error.message : "not a message of the exchange's";
    this.log.warn({ channel, reason }, "a push that breaks the interface was left out");
  }

  listenerFailed(error: unknown): void {
    this.log.error({ err: error }, "unexpected error in a listener of a stream");
  }
}
