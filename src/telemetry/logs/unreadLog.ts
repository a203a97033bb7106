import type { WireError } from "@exchange-graph/contract/wireError";
import type { Logger } from "./log.js";

/** More places than the contract has. */
const MAX_PLACES = 2_000;

/** Writes down what could not be read of the exchange's answers and pushes: each field once, since it comes again and again. */
export class UnreadLog {
  readonly #logged = new Set<string>();

  constructor(private readonly log: Logger) {}

  /** `source` is the endpoint or the channel. The error names the place and the expected type, and never a value. */
  unread(source: string, { field, message }: WireError): void {
    if (this.#isKnown(`${source} ${field}`)) return;
    this.log.warn(
      { source, field, reason: message },
      "the exchange sent values that break its interface: what could not be read is left out",
    );
  }

  /** A push that belongs to no subscription. */
  unplaced(channel: string): void {
    if (this.#isKnown(`${channel} (push)`)) return;
    this.log.warn({ channel }, "the exchange pushed a channel that is not subscribed: it was ignored");
  }

  #isKnown(place: string): boolean {
    if (this.#logged.has(place) || this.#logged.size >= MAX_PLACES) return true;
    this.#logged.add(place);
    return false;
  }
}
