/**
 * A payload that violates the contract. The message has the position and the expected type, never the value. In a list it takes
 * the place of the row that could not be decoded.
 */
export class WireError extends Error {
  override readonly name = "WireError";
  /** Visible to clients: GraphQL copies it into the answer. */
  extensions: object = {};
  /** The identifier of the row, if it could be read: paging uses it. */
  rowId: string | undefined;
  /** The endpoint or channel, set by the reader of the answer. */
  source = "";
  #path = "";
  #field = "";

  constructor(readonly expected: string) {
    super(`data: expected ${expected}`);
  }

  /** The keys of the path, without list indexes, so that the number of distinct fields is bounded. */
  get field(): string {
    return this.#field;
  }

  /** Prepends one level to the path while the error is passed up. */
  within(step: string | number): this {
    if (typeof step === "number") this.#path = `[${step}]${this.#path}`;
    else {
      this.#path = `.${step}${this.#path}`;
      this.#field = this.#field === "" ? step : `${step}.${this.#field}`;
    }
    return this.#describe();
  }

  /** Adds the endpoint or channel, and extensions for readers. */
  of(source: string, extensions: object): this {
    this.source = source;
    this.extensions = extensions;
    return this.#describe();
  }

  #describe(): this {
    this.message = `${this.source === "" ? "" : `${this.source}: `}data${this.#path}: expected ${this.expected}`;
    return this;
  }
}

/** Prepends a step to the paths of errors that were found in a part. */
export function placeWithin(unread: readonly WireError[], from: number, step: string | number): void {
  for (let at = from; at < unread.length; at++) unread[at]?.within(step);
}
