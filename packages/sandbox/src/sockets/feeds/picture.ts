import type { MarketSource } from "./feed.js";

/** A source that pushes its whole state each time it has changed. */
export class Picture implements MarketSource {
  #shown: string;

  constructor(private readonly render: () => unknown) {
    this.#shown = JSON.stringify(render());
  }

  opening(): string {
    return this.#shown;
  }

  advance(): string | undefined {
    const present = JSON.stringify(this.render());
    if (present === this.#shown) return undefined;
    this.#shown = present;
    return present;
  }
}
