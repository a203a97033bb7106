import { liquidationChannel } from "../../../contract/channels/liquidation.js";
import type { FuturesCategory } from "../../../contract/vocabulary.js";
import { type Exact, plain } from "../../../decimal.js";
import type { WorldEvent } from "../../world/events.js";
import { openedBy } from "../../world/positions/position.js";
import type { Feed, Source } from "./feed.js";

/** Forced closings: per second, symbol and side the largest. */
export const liquidationFeed: Feed = {
  channel: liquidationChannel,
  subject(argument) {
    const parameters = liquidationChannel.parameters(argument);
    if (parameters === undefined) return undefined;
    return {
      channel: liquidationChannel,
      argument: liquidationChannel.argument(parameters),
      periodMs: liquidationChannel.frequency.futures,
      follow: () => new Liquidations(parameters.category),
    };
  },
};

interface Liquidated {
  readonly symbol: string;
  /** What the position was opened with: `buy` a long one. */
  readonly side: string;
  readonly price: Exact;
  readonly size: Exact;
  readonly at: number;
}

class Liquidations implements Source {
  /** The largest of each symbol and side since the last push. */
  readonly #largest = new Map<string, Liquidated>();

  constructor(private readonly category: FuturesCategory) {}

  opening(): undefined {
    return undefined;
  }

  notice(event: WorldEvent): undefined {
    if (event.kind !== "liquidation" || event.position.category !== this.category) return undefined;
    const { position, price, size } = event;
    const side = openedBy(position.side);
    const key = `${position.symbol} ${side}`;
    const known = this.#largest.get(key);
    if (known?.size.gte(size)) return undefined;
    this.#largest.set(key, { symbol: position.symbol, side, price, size, at: position.updatedTime });
    return undefined;
  }

  advance(): string | undefined {
    if (this.#largest.size === 0) return undefined;
    const largest = [...this.#largest.values()].map(({ symbol, side, price, size, at }) => ({
      symbol,
      side,
      price: plain(price),
      amount: plain(size),
      ts: String(at),
    }));
    this.#largest.clear();
    return JSON.stringify(largest);
  }
}
