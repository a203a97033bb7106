import type { WireError } from "@exchange-graph/contract/wireError";
import type { Logger } from "./log.js";

/** More than the contract has fields. */
const MAX_PLACES = 2_000;

/** Logs values of the exchange that could not be decoded, once per field, because they repeat. */
export class UnreadLog {
  readonly #logged = new Set<string>();

  constructor(private readonly log: Logger) {}

  /** `source` is the endpoint or the channel. The error names the field and the expected type, never a value. */
  unread(source: string, { field, message }: WireError): void {
    if (this.#isKnown(`${source} ${field}`)) return;
    this.log.warn({ source, field, reason: message }, "the exchange sent values that break its interface: they are left out");
  }

  /** A push without a subscription. */
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
