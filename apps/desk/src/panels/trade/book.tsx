import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  roundToStep,
  subtractDecimals,
} from "@exchange-graph/client";
import { type KeyboardEvent, Suspense, useMemo, useRef, useState } from "react";
import { amount, NONE, percent, short, stepOf } from "../../format/format.js";
import { graphql } from "../../graph/document.js";
import { Latest } from "../../graph/latest.js";
import { useLatest } from "../../graph/useLatest.js";
import { useAccount } from "../../live/accounts.js";
import { useOrders } from "../../live/orders.js";
import { useIsPhone } from "../../state/media.js";
import { t } from "../../text/text.js";
import buttons from "../../ui/button.module.css";
import { Select } from "../../ui/controls.js";
import { Panel } from "../../ui/panel.js";
import { lazily } from "../../ui/parts.js";
import { useRoom } from "../../ui/useRoom.js";
import styles from "./book.module.css";
import type { Instrument, Market } from "./instrument.js";
import type { Level } from "./level.js";

const Depth = lazily(
  () => import("./depth.js"),
  ({ Depth }) => Depth,
);

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

const books = new Latest(WatchBook, ({ orderBook: { orderBook } }) => orderBook);

/** Levels per side; fewer are drawn where there is no room. */
const SHOWN = 20;
const LEVEL_PX = 18;
const LEVEL_ON_PHONE_PX = 24;
const PLACES = Array.from({ length: SHOWN }, (_, place) => place);
const GROUPS = ["1", "2", "5", "10", "50", "100"] as const;

/** Levels merged to multiples of a step, bids rounded down and asks up, best first, with cumulative quantities. */
export function grouped(
  levels: readonly { readonly price: string; readonly qty: string }[],
  step: string,
  side: "bids" | "asks",
): readonly Level[] {
  const found: Level[] = [];
  let [total, worth] = ["0", "0"];
  for (const { price, qty } of levels) {
    const at = roundToStep(price, step, side === "bids" ? "down" : "up");
    total = addDecimals(total, qty);
    worth = addDecimals(worth, multiplyDecimals(price, qty));
    const last = found.at(-1);
    if (last !== undefined && compareDecimals(last.price, at) === 0)
      found[found.length - 1] = { ...last, qty: addDecimals(last.qty, qty), total, worth };
    else if (found.length === SHOWN) return found;
    else found.push({ price: at, qty, total, worth });
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
  const { value: book, feed } = useLatest(books, { category, symbol });
  const [group, setGroup] = useState<(typeof GROUPS)[number]>("1");
  const [view, setView] = useState<"levels" | "depth">("levels");
  const [isInQuote, countInQuote] = useState(false);
  const decimals = instrument?.precision?.price ?? 2;
  const step = multiplyDecimals(stepOf(decimals), group);
  const bids = useMemo(() => grouped(book?.bids ?? [], step, "bids"), [book, step]);
  const asks = useMemo(() => grouped(book?.asks ?? [], step, "asks"), [book, step]);
  const [bid, ask] = [book?.bids[0]?.price, book?.asks[0]?.price];
  const spread = bid === undefined || ask === undefined ? undefined : subtractDecimals(ask, bid);
  const own = useOwnPrices({ category, symbol }, step);
  const [side, { rows: room, widthPx }] = useRoom(useIsPhone() ? LEVEL_ON_PHONE_PX : LEVEL_PX);
  const most = [bids, asks].reduce<string>((best, levels) => {
    const { total = "0" } = levels.slice(0, room).at(-1) ?? {};
    return compareDecimals(total, best) > 0 ? total : best;
  }, "0");
  const hasTotals = widthOf(amount(bid, decimals), widest(most, instrument)) <= widthPx;
  const pressed = useRef("");
  // A row keeps its place and changes its level: rows that move with the market would shift the layout with each price.
  const rows = (levels: readonly Level[], side: "bids" | "asks") =>
    PLACES.slice(0, Math.min(room, levels.length)).map((place) => {
      const { price = "", qty, total = "0", worth } = levels[place] ?? {};
      return (
        <button
          key={place}
          type="button"
          className={`${styles.level} ${hasTotals ? styles.withTotal : ""}`}
          data-side={side}
          data-own={own.has(`${side} ${price}`) || undefined}
          tabIndex={place === 0 ? 0 : -1}
          // The price that was there when it was pressed: at the release it may be another one. Nothing happens before the release: a
          // finger may be scrolling, and on a phone its click would go to what replaces the book.
          onPointerDown={() => {
            pressed.current = price;
          }}
          onClick={({ detail }) => onPrice(detail === 0 ? price : pressed.current)}
        >
          <i style={{ backgroundSize: `${shareOf(total, most)}% 100%` }} />
          <span className="hidden">{`${side === "bids" ? t("Bid") : t("Ask")}${own.has(`${side} ${price}`) ? t(", with an order of yours") : ""}`}</span>
          <span className={side === "bids" ? "up" : "down"}>{amount(price, decimals)}</span>
          <span>{sizeIn(qty, instrument)}</span>
          {hasTotals && <span className="muted">{isInQuote ? short(worth) : sizeIn(total, instrument)}</span>}
        </button>
      );
    });
  return (
    <Panel
      title={t("Book")}
      feeds={[{ ...feed, stale: feed.stale || (book?.isStale ?? false) }]}
      has={book !== undefined}
      className={styles.book}
      bodyClassName={styles.body}
      actions={
        <>
          <button type="button" aria-pressed={view === "depth"} onClick={() => setView(view === "depth" ? "levels" : "depth")}>
            {view === "depth" ? t("Levels") : t("Depth")}
          </button>
          <Select
            label={t("Group by")}
            isLabelHidden
            value={group}
            onChange={(value) => setGroup(GROUPS.find((one) => one === value) ?? "1")}
            options={GROUPS.map((times) => ({ value: times, text: amount(multiplyDecimals(stepOf(decimals), times)) }))}
          />
        </>
      }
    >
      {view === "depth" ? (
        <Suspense>
          <Depth
            bids={bids}
            asks={asks}
            decimals={decimals}
            coin={instrument?.baseCoin}
            label={t("Depth of {symbol}: {bids} of it are bids", { symbol, bids: share(bids, asks) })}
          />
        </Suspense>
      ) : (
        <fieldset
          className={styles.levels}
          onKeyDown={(event) => {
            walk(event);
            const by = event.key === "+" ? 1 : event.key === "-" ? -1 : 0;
            const next = GROUPS[GROUPS.indexOf(group) + by];
            if (by !== 0 && next !== undefined) setGroup(next);
          }}
          aria-label={t("Levels. Plus and minus change the grouping")}
        >
          <div className={styles.head}>
            <span>{t("Price")}</span>
            <span>{t("Quantity")}</span>
            {hasTotals && (
              <button type="button" className={buttons.link} aria-pressed={isInQuote} onClick={() => countInQuote(!isInQuote)}>
                {t("Total,")} {isInQuote ? instrument?.quoteCoin : instrument?.baseCoin}
              </button>
            )}
          </div>
          <div className={styles.asks} ref={side}>
            {[...rows(asks, "asks")].reverse()}
          </div>
          <p className={styles.spread}>
            {amount(bid, decimals)}{" "}
            <span className="muted" title={t("spread")}>
              <span className={decimals > MANY_DECIMALS ? "hidden" : ""}>{t("spread")}</span> {amount(spread, decimals)}
            </span>{" "}
            <span className="muted">
              {spread === undefined || bid === undefined ? "" : percent(divideDecimals(spread, bid, 8), 4)}
            </span>
          </p>
          <div className={styles.bids}>{rows(bids, "bids")}</div>
          <p className={styles.summary}>
            <span>
              {share(bids, asks)} <span className={styles.spare}>{t("bids")}</span>
            </span>
            <span>
              {short(bids.at(-1)?.worth)} / {short(asks.at(-1)?.worth)}{" "}
              <span className={styles.spare}>{instrument?.quoteCoin}</span>
            </span>
          </p>
        </fieldset>
      )}
    </Panel>
  );
}

/** With more decimals than this there is no room for a word beside two prices. */
const MANY_DECIMALS = 6;

/** Digits of the whole part of a quantity that a column has room for. */
const ROOM = 6;

/** A quantity in the base coin; in its short form where the columns would meet. */
const sizeIn = (qty: string | undefined, instrument: Instrument | undefined): string =>
  (qty?.replace(/\..*/, "").length ?? 0) > ROOM ? short(qty) : amount(qty, instrument?.precision?.quantity);

/** Digits of the whole part of the quantity whose short form is the widest: `999.99M`. */
const WIDEST = 9;

/** The widest quantity up to this one, of two digits or more: the columns stay as they are while quantities change. */
function widest(qty: string, instrument: Instrument | undefined): string {
  const digits = qty.replace(/\..*/, "").length;
  return sizeIn("9".repeat(digits > ROOM ? WIDEST : Math.max(2, digits)), instrument);
}

/** Width of a digit, and of what is around and between the columns, px. */
const [DIGIT_PX, AROUND_PX] = [7.5, 32];

/** Width of a level with its price, its quantity and the total: bars show the total where it has no room. */
const widthOf = (price: string, size: string): number => (price.length + 2 * size.length) * DIGIT_PX + AROUND_PX;

/** Share of the bids in the quantity of the levels. */
function share(bids: readonly Level[], asks: readonly Level[]): string {
  const [bid, ask] = [bids.at(-1)?.total, asks.at(-1)?.total];
  if (bid === undefined || ask === undefined) return NONE;
  const both = addDecimals(bid, ask);
  return compareDecimals(both, "0") > 0 ? percent(divideDecimals(bid, both, 4), 0) : NONE;
}

/** Levels at which the account has orders of this market, as `bids 60000.0`. */
function useOwnPrices({ category, symbol }: Market, step: string): ReadonlySet<string> {
  const { rows } = useOrders(useAccount());
  return useMemo(
    () =>
      new Set(
        rows?.flatMap((order) => {
          if (order.category !== category || order.symbol !== symbol || order.price === null) return [];
          const side = order.side === "BUY" ? "bids" : "asks";
          return [`${side} ${roundToStep(order.price, step, side === "bids" ? "down" : "up")}`];
        }),
      ),
    [rows, category, symbol, step],
  );
}

/** Length of a level's bar, %. The bar is a background: a new length lays out nothing and shifts nothing. */
const shareOf = (total: string, most: string): string =>
  compareDecimals(most, "0") === 0 ? "0" : multiplyDecimals(divideDecimals(total, most, 4), "100");

/** Arrow keys move between levels. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const levels = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-side]")];
  const at = levels.findIndex((level) => level.matches(":focus"));
  levels[at + step]?.focus();
  event.preventDefault();
}
