import { inspect } from "node:util";

const REDACTED = "[secret]";

/**
 * Text that must never be shown. Every way in which JavaScript turns a value into text gives the same placeholder, so
 * that a secret that strays into a log line, an error or a trace shows nothing. `reveal` is the one way out.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself: for signing and for the header that carries it, nothing else. */
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
