import type { MarketSource } from "./topicFeed.js";

/** A source that pushes its whole state each time it has changed. */
export class Picture implements MarketSource {
  #version: bigint;
  #shown: string;

  /** What is rendered can only have changed if `version` has. */
  constructor(
    private readonly version: () => bigint,
    private readonly render: () => unknown,
  ) {
    this.#version = version();
    this.#shown = JSON.stringify(render());
  }

  opening(): string {
    return this.#shown;
  }

  advance(): string | undefined {
    const version = this.version();
    if (version === this.#version) return undefined;
    this.#version = version;
    const present = JSON.stringify(this.render());
    if (present === this.#shown) return undefined;
    this.#shown = present;
    return present;
  }
}
