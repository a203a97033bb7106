import type { WireError } from "@exchange-graph/contract/wireError";
import type { StreamObserver } from "../../datasources/streams/index.js";
import type { Logger } from "./log.js";
import type { UnreadLog } from "./unreadLog.js";

/** Hears what is counted besides. */
interface Counts {
  unread(source: string, field: string): void;
  unplaced(channel: string): void;
}

/** Writes down what an operator should know of the exchange's streams. */
export class StreamLog implements StreamObserver {
  constructor(
    private readonly log: Logger,
    private readonly unread: UnreadLog,
    private readonly counts: Counts,
  ) {}

  disconnected(end: string): void {
    this.log.info({ end }, "a connection to the exchange's streams has ended; another takes its place");
  }

  unreadable(channel: string, error: WireError): void {
    this.counts.unread(channel, error.field);
    this.unread.unread(channel, error);
  }

  unreadableFrame(): void {
    this.counts.unplaced("(none)");
    this.log.warn("a frame that is no message of the exchange's was left out");
  }

  unplaced(channel: string): void {
    this.counts.unplaced(channel);
    this.unread.unplaced(channel);
  }

  listenerFailed(error: unknown): void {
    this.log.error({ err: error }, "unexpected error in a listener of a stream");
  }
}
