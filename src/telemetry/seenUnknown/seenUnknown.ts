import type { Unknown } from "../../instrumentation/events.js";

/** Maximum number of remembered names per endpoint or channel, because the exchange chooses them. */
const MAX_NAMES = 100;
/** Length at which names and values are cut. */
const MAX_LENGTH = 64;

/** Which fields and values outside of the contract have been seen, so that each is counted and logged once. */
export class SeenUnknown {
  /** By endpoint or channel, which are names of the contract. */
  readonly #names = new Map<string, Set<string>>();

  /** Whether this is the first time. False from the hundredth name of a source on. */
  isNew({ source, kind, field, value = "" }: Unknown): boolean {
    const names = this.#names.get(source) ?? new Set();
    this.#names.set(source, names);
    const name = `${kind} ${field.slice(0, MAX_LENGTH)} ${value.slice(0, MAX_LENGTH)}`;
    if (names.has(name) || names.size >= MAX_NAMES) return false;
    names.add(name);
    return true;
  }
}
