import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  roundToStep,
  subtractDecimals,
} from "@exchange-graph/client";
import { type KeyboardEvent, useMemo, useState } from "react";
import { amount, percent, stepOf } from "../../format/format.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { useLive } from "../../graph/useLive.js";
import { Store, useStore } from "../../state/store.js";
import { Select } from "../../ui/controls.js";
import { Panel } from "../../ui/panel.js";
import type { Instrument, Market } from "./instrument.js";

const WatchBook = graphql(`
  subscription WatchBook($category: ProductCategoryInput!, $symbol: String!) {
    orderBook(category: $category, symbol: $symbol, depth: L50, pace: { mode: LATEST, everyMs: 100 }) {
      orderBook {
        bids {
          price
          qty
        }
        asks {
          price
          qty
        }
        isStale
      }
    }
  }
`);

type Book = ResultOf<typeof WatchBook>["orderBook"]["orderBook"];

export interface Level {
  readonly price: string;
  readonly qty: string;
  /** Cumulative quantity at this price and better ones. */
  readonly total: string;
}

const SHOWN = 13;
const GROUPS = ["1", "2", "5", "10", "50", "100"] as const;

/** Levels merged to multiples of a step, bids rounded down and asks up, best first, with cumulative quantities. */
export function grouped(
  levels: readonly { readonly price: string; readonly qty: string }[],
  step: string,
  side: "bids" | "asks",
): readonly Level[] {
  const found: Level[] = [];
  let total = "0";
  for (const { price, qty } of levels) {
    const at = roundToStep(price, step, side === "bids" ? "down" : "up");
    total = addDecimals(total, qty);
    const last = found.at(-1);
    if (last !== undefined && compareDecimals(last.price, at) === 0)
      found[found.length - 1] = { ...last, qty: addDecimals(last.qty, qty), total };
    else if (found.length === SHOWN) return found;
    else found.push({ price: at, qty, total });
  }
  return found;
}

interface Props {
  readonly market: Market;
  readonly instrument: Instrument | undefined;
  readonly onPrice: (price: string) => void;
}

/**
 * The order book: depth as bars, levels grouped by multiples of the tick size; each level is a button that sets the price of the
 * ticket.
 */
export function BookPanel({ market: { category, symbol }, instrument, onPrice }: Props) {
  const of = `${category}/${symbol}`;
  const [store] = useState(() => new Store<{ readonly of: string; readonly book: Book } | undefined>(undefined));
  const feed = useLive(WatchBook, { category, symbol }, ({ orderBook: { orderBook } }) => store.set({ of, book: orderBook }));
  const found = useStore(store);
  const [group, setGroup] = useState<string>("1");
  const book = found?.of === of ? found.book : undefined;
  const decimals = instrument?.precision?.price ?? 2;
  const step = multiplyDecimals(stepOf(decimals), group);
  const bids = useMemo(() => grouped(book?.bids ?? [], step, "bids"), [book, step]);
  const asks = useMemo(() => grouped(book?.asks ?? [], step, "asks"), [book, step]);
  const most = [bids.at(-1)?.total, asks.at(-1)?.total].reduce<string>(
    (best, total) => (total !== undefined && compareDecimals(total, best) > 0 ? total : best),
    "0",
  );
  const [bid, ask] = [book?.bids[0]?.price, book?.asks[0]?.price];
  const spread = bid === undefined || ask === undefined ? undefined : subtractDecimals(ask, bid);
  const rows = (levels: readonly Level[], side: "bids" | "asks") =>
    levels.map(({ price, qty, total }, index) => (
      <button
        key={price}
        type="button"
        className={`level ${side}`}
        tabIndex={index === 0 ? 0 : -1}
        onClick={() => onPrice(price)}
      >
        <i style={{ width: widthOf(total, most) }} />
        <span className="hidden">{side === "bids" ? "Bid" : "Ask"}</span>
        <span className={side === "bids" ? "up" : "down"}>{amount(price, decimals)}</span>
        <span>{amount(qty, instrument?.precision?.quantity)}</span>
        <span className="muted">{amount(total, instrument?.precision?.quantity)}</span>
      </button>
    ));
  return (
    <Panel
      title="Book"
      feeds={[{ ...feed, stale: feed.stale || (book?.isStale ?? false) }]}
      has={book !== undefined}
      className="book"
      actions={
        <Select
          label="Group by"
          isLabelHidden
          value={group}
          onChange={setGroup}
          options={GROUPS.map((times) => ({ value: times, text: multiplyDecimals(stepOf(decimals), times) }))}
        />
      }
    >
      <fieldset className="levels" onKeyDown={walk} aria-label="Levels">
        <div className="level-head">
          <span>Price</span>
          <span>Quantity</span>
          <span>Total</span>
        </div>
        <div className="ask-side">{[...rows(asks, "asks")].reverse()}</div>
        <p className="spread">
          {amount(bid, decimals)} <span className="muted">spread {amount(spread, decimals)}</span>{" "}
          <span className="muted">
            {spread === undefined || bid === undefined ? "" : percent(divideDecimals(spread, bid, 8), 4)}
          </span>
        </p>
        <div>{rows(bids, "bids")}</div>
      </fieldset>
    </Panel>
  );
}

const widthOf = (total: string, most: string): string =>
  compareDecimals(most, "0") === 0 ? "0" : `${divideDecimals(multiplyDecimals(total, "100"), most, 2)}%`;

/** Arrow keys move between levels. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const levels = [...event.currentTarget.querySelectorAll<HTMLElement>("button.level")];
  const at = levels.findIndex((level) => level.matches(":focus"));
  levels[at + step]?.focus();
  event.preventDefault();
}
