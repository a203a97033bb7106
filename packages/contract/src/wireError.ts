/**
 * A payload that breaks the contract. The message names the place and the expected type, never the value. In a list it
 * stands where the row would stand that cannot be read.
 */
export class WireError extends Error {
  override readonly name = "WireError";
  /** What clients see of it: GraphQL copies it into the answer as it is. */
  extensions: object = {};
  /** The identifier of the unreadable row, where that can be read: what its list is paged by. */
  rowId: string | undefined;
  /** The endpoint or channel, once whoever has read the answer has named it. */
  source = "";
  #path = "";
  #field = "";

  constructor(readonly expected: string) {
    super(`data: expected ${expected}`);
  }

  /** The keys that lead to the place, without positions in lists: there is an end to them. */
  get field(): string {
    return this.#field;
  }

  /** Puts the place one level up in front: the path grows while the error travels outwards. */
  within(step: string | number): this {
    if (typeof step === "number") this.#path = `[${step}]${this.#path}`;
    else {
      this.#path = `.${step}${this.#path}`;
      this.#field = this.#field === "" ? step : `${step}.${this.#field}`;
    }
    return this.#describe();
  }

  /** Names the answer that it stands in, and what its readers get besides. */
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

/** Errors that were found in a part of what is read: they are further away than the part itself says. */
export function placeWithin(unread: readonly WireError[], from: number, step: string | number): void {
  for (let at = from; at < unread.length; at++) unread[at]?.within(step);
}
