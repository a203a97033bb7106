import { CHECKED_LEVELS } from "@exchange-graph/contract/channels/checksum";
import { withoutPadding } from "@exchange-graph/contract/decimal";
import type { SandboxInMemory } from "@exchange-graph/sandbox";
import type { Depth } from "@exchange-graph/sandbox/world/market/depth";
import { BOOK_DEPTH } from "@exchange-graph/sandbox/world/market/houseBook";
import type { Market } from "@exchange-graph/sandbox/world/market/market";
import type { MarketName } from "./actions.js";
import type { VirtualTime } from "./time.js";

/** An order book as a client receives it. */
export interface ShownBook {
  readonly time: string | null;
  readonly asks: readonly ShownLevel[];
  readonly bids: readonly ShownLevel[];
}
interface ShownLevel {
  readonly price: string;
  readonly qty: string;
}

interface State {
  /** World time at which the exchange had it first. */
  readonly since: number;
  readonly depth: Depth;
}

/** A paused gateway may emit a book of this long ago, ms. */
const KEPT_MS = 150_000;

/** The watched states of a market's order book, and how many levels of each side they have at least. */
interface Watched {
  readonly states: State[];
  levels: number;
}

/** Every state of the exchange's order books that it has shown to anybody. */
export class Books {
  readonly #watched = new Map<Market, Watched>();

  constructor(
    private readonly time: VirtualTime,
    private readonly exchange: SandboxInMemory,
  ) {}

  /** Observes a market, and so many levels of each side of its book, from now on. */
  watch(name: MarketName, levels: number): void {
    const market = this.#marketOf(name);
    const known = this.#watched.get(market);
    if (known !== undefined) {
      known.levels = Math.max(known.levels, levels);
      return;
    }
    const states: State[] = [];
    const watched: Watched = { states, levels };
    this.#watched.set(market, watched);
    const depthAt = market.depth.bind(market);
    market.depth = (tick, wanted = BOOK_DEPTH) => {
      const depth = depthAt(tick, Math.min(BOOK_DEPTH, Math.max(wanted, watched.levels)));
      if (states.at(-1)?.depth.seq !== depth.seq) states.push({ since: this.time.now, depth });
      while ((states[1]?.since ?? Number.POSITIVE_INFINITY) < this.time.now - KEPT_MS) states.shift();
      return depth;
    };
  }

  /** Whether the exchange had this book at the time that it has; if several changes were made at that time, after one of them. */
  wasAt(name: MarketName, levels: number, book: ShownBook): boolean {
    const at = Date.parse(book.time ?? "");
    const isShown = shownIn(book, levels);
    return this.#of(name).some(({ depth }) => depth.at === at && isShown(depth));
  }

  /** Whether the exchange has had these levels at some time since `from`, world time. */
  hasBeen(name: MarketName, levels: number, book: ShownBook, from: number): boolean {
    const market = this.#marketOf(name);
    market.depth(this.exchange.world.state.markets.tick, levels);
    const states = this.#of(name);
    const isShown = shownIn(book, levels);
    return states.some(({ depth }, at) => (states[at + 1]?.since ?? Number.POSITIVE_INFINITY) >= from && isShown(depth));
  }

  #of(name: MarketName): readonly State[] {
    return this.#watched.get(this.#marketOf(name))?.states ?? [];
  }

  #marketOf({ category, symbol }: MarketName): Market {
    return this.exchange.world.state.markets.of(category, symbol);
  }
}

/** Whether a book is what a state of the exchange's is shown as: without a proven chain of changes, as far as checksums go. */
function shownIn(book: ShownBook, levels: number): (depth: Depth) => boolean {
  const shown = textOf(book);
  const isCut = levels > CHECKED_LEVELS && book.asks.length === CHECKED_LEVELS && book.bids.length === CHECKED_LEVELS;
  return (depth) => partOf(depth, isCut ? CHECKED_LEVELS : levels) === shown;
}

const textOf = ({ asks, bids }: ShownBook): string =>
  [asks, bids].map((side) => side.map(({ price, qty }) => `${withoutPadding(price)} ${withoutPadding(qty)}`).join()).join("|");

const partOf = ({ asks, bids }: Depth, levels: number): string => {
  const shown = (side: Depth["asks"]) => side.slice(0, levels).map(([price, qty]) => ({ price, qty }));
  return textOf({ time: null, asks: shown(asks), bids: shown(bids) });
};
