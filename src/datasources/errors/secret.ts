import { inspect } from "node:util";

const REDACTED = "[secret]";

/**
 * Text that must never be shown. Every conversion to text gives the same placeholder, so that a secret in a log line, an error or
 * a trace is not revealed. `reveal` is the only way to read it.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself, for signing and for the header that carries it only. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [Symbol.toPrimitive](): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
