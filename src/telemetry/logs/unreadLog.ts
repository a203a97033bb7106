import type { WireError } from "@exchange-graph/contract/wireError";
import type { Unknown } from "../../instrumentation/events.js";
import { SeenUnknown } from "../seenUnknown/seenUnknown.js";
import type { Logger } from "./log.js";

/** More than the contract has fields. */
const MAX_PLACES = 2_000;

/** Maximum length of a name that the exchange chooses. */
const MAX_NAME = 64;

/** Logs data of the exchange that is not as the contract says, once per field and value, because it repeats. */
export class UnreadLog {
  readonly #logged = new Set<string>();
  readonly #seen = new SeenUnknown();

  constructor(private readonly log: Logger) {}

  /** `source` is the endpoint or the channel. The error names the field and the expected type, never a value. */
  unread(source: string, { field, message }: WireError): void {
    if (this.#isKnown(`${source} ${field}`)) return;
    this.log.warn({ source, field, reason: message }, "the exchange sent values that break its interface: they are left out");
  }

  /** A field or a value that the contract does not have. Its name and its text are the exchange's, and bounded. */
  unknown(event: Unknown): void {
    if (!this.#seen.isNew(event)) return;
    const { source, kind, field, value } = event;
    const line = { source, field: field.slice(0, MAX_NAME), ...(value === undefined ? {} : { value: value.slice(0, MAX_NAME) }) };
    this.log.warn(line, `the exchange sent a ${kind} that its interface does not have`);
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
