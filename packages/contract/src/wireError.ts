/** A finding of decoding besides the value. */
export interface Finding {
  /** The keys of its path, without list indexes, so that the number of distinct fields is bounded. */
  readonly field: string;
  /** Prepends one level to the path while it is passed up. */
  within(step: string | number): this;
}

/** A value of an enum that the contract does not list. The record has `UNKNOWN` in its place, and the exchange's text. */
export class UnknownValue implements Finding {
  #field: string;

  constructor(
    key: string,
    readonly raw: string,
  ) {
    this.#field = key;
  }

  get field(): string {
    return this.#field;
  }

  within(step: string | number): this {
    if (typeof step === "string") this.#field = `${step}.${this.#field}`;
    return this;
  }
}

/**
 * A payload that violates the contract. The message has the position and the expected type, never the value. In a list it takes
 * the place of the row that could not be decoded.
 */
export class WireError extends Error implements Finding {
  override readonly name = "WireError";
  /** Visible to clients: GraphQL copies it into the answer. */
  extensions: object = {};
  /** The identifier of the row, if it could be read: paging uses it. */
  rowId: string | undefined;
  /** Whether the rest of its record was read: only the field is missing, and `null`. */
  isOfField = false;
  /** The endpoint or channel, set by the reader of the answer. */
  source = "";
  #title = "";
  #path = "";
  #field = "";

  constructor(readonly expected: string) {
    super(`data: expected ${expected}`);
  }

  get field(): string {
    return this.#field;
  }

  within(step: string | number): this {
    if (typeof step === "number") this.#path = `[${step}]${this.#path}`;
    else {
      this.#path = `.${step}${this.#path}`;
      this.#field = this.#field === "" ? step : `${step}.${this.#field}`;
    }
    return this.#describe();
  }

  /** Adds the endpoint or channel, its title, and extensions for readers. */
  of(source: string, title: string, extensions: object): this {
    this.source = source;
    this.#title = title;
    this.extensions = extensions;
    return this.#describe();
  }

  #describe(): this {
    this.message = `${this.#title === "" ? "" : `${this.#title}: `}data${this.#path}: expected ${this.expected}`;
    return this;
  }
}

/** Prepends a step to the paths of the findings in a part. */
export function placeWithin(found: readonly Finding[], from: number, step: string | number): void {
  for (let at = from; at < found.length; at++) found[at]?.within(step);
}
