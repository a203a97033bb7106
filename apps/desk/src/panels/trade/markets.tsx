import { useMemo, useRef, useState } from "react";
import { amount, highestFirst, percent, short, signedPercent, tone } from "../../format/format.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
import { go } from "../../state/route.js";
import { favour, useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import buttons from "../../ui/button.module.css";
import { Tabs } from "../../ui/controls.js";
import controls from "../../ui/controls.module.css";
import type { Column } from "../../ui/csv.js";
import { Dialog } from "../../ui/dialog.js";
import { Panel } from "../../ui/panel.js";
import { Empty, Loading } from "../../ui/state.js";
import { Table } from "../../ui/table.js";
import { CATEGORIES, type Category } from "../market.js";
import { SymbolCell } from "../symbolCell.js";
import type { Market } from "./instrument.js";
import styles from "./markets.module.css";

const MarketsOf = graphql(`
  query MarketsOf($category: ProductCategoryInput!) {
    tickers(category: $category) {
      symbol
      lastPrice
      change24h
      turnover24h
      fundingRate
    }
  }
`);

type Row = NonNullable<NonNullable<ResultOf<typeof MarketsOf>["tickers"]>[number]> & { readonly category: Category };

const EVERY_MS = 5_000;

/** Markets of a category with their figures of 24 hours, the highest turnover first. */
function useMarkets(category: Category, isPaused = false) {
  const feed = useRead(MarketsOf, { category }, { everyMs: EVERY_MS, isPaused });
  const rows = useMemo(
    () =>
      feed.data?.tickers
        ?.filter((row) => row !== null)
        .map((row): Row => ({ ...row, category }))
        .sort((a, b) => highestFirst(a.turnover24h, b.turnover24h)),
    [feed.data, category],
  );
  return { feed, rows };
}

export const nameOf = ({ category, symbol }: Market): string => `${category}/${symbol}`;

/** A button that adds a market to the favourites, or removes it. */
const star = (favourites: ReadonlySet<string>): Column<Row> => ({
  id: "favourite",
  title: "★",
  spokenTitle: t("Favourite"),
  value: (row) => (favourites.has(nameOf(row)) ? "1" : "0"),
  cell: (row) => {
    const isFavourite = favourites.has(nameOf(row));
    return (
      <button
        type="button"
        className={styles.star}
        aria-pressed={isFavourite}
        aria-label={t("Favourite {symbol}", { symbol: row.symbol })}
        onClick={() => favour(nameOf(row))}
      >
        {isFavourite ? "★" : "☆"}
      </button>
    );
  },
});

const figures: readonly Column<Row>[] = [
  { id: "last", title: t("Last"), value: (row) => row.lastPrice, cell: (row) => amount(row.lastPrice), isNumber: true },
  {
    id: "change",
    title: "24 h",
    value: (row) => row.change24h,
    cell: (row) => <span className={tone(row.change24h)}>{signedPercent(row.change24h)}</span>,
    isNumber: true,
  },
  {
    id: "turnover",
    title: t("Turnover"),
    value: (row) => row.turnover24h,
    cell: (row) => short(row.turnover24h),
    isNumber: true,
  },
  {
    id: "funding",
    title: t("Funding"),
    value: (row) => row.fundingRate,
    cell: (row) => percent(row.fundingRate, 4),
    isNumber: true,
  },
];

interface PickerProps {
  readonly market: Market;
  readonly onClose: () => void;
}

/** All markets of the exchange, with a search. Enter opens the first one that is shown. */
export function MarketPicker({ market, onClose }: PickerProps) {
  const [category, setCategory] = useState<Category>(market.category);
  const [text, setText] = useState("");
  const { favourites } = useSettings();
  const { rows, feed } = useMarkets(category);
  const shown = useRef<HTMLDivElement>(null);
  const words = text.trim().toUpperCase();
  const found = rows?.filter(({ symbol }) => symbol.toUpperCase().includes(words));
  const columns = useMemo((): readonly Column<Row>[] => {
    const open = ({ symbol }: Row) => {
      onClose();
      go("trade", category, symbol);
    };
    const symbol: Column<Row> = {
      id: "symbol",
      title: t("Market"),
      value: (row) => row.symbol,
      cell: (row) => (
        <button type="button" className={buttons.link} onClick={() => open(row)}>
          {row.symbol}
        </button>
      ),
      isHead: true,
    };
    return [star(new Set(favourites)), symbol, ...figures];
  }, [favourites, category, onClose]);
  return (
    <Dialog title={t("Markets")} onClose={onClose} className={styles.picker}>
      <input
        type="text"
        className={controls.search}
        role="combobox"
        aria-label={t("Search a market")}
        aria-expanded="true"
        aria-controls="picker-markets"
        placeholder={t("Search")}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          // An input method's Enter ends its word, such as 龙虾.
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          // The focus returns to the button that opened the dialog: the key must not press it.
          event.preventDefault();
          shown.current?.querySelector<HTMLElement>(`tbody .${buttons.link}`)?.click();
        }}
      />
      <Tabs label={t("Category")} tabs={CATEGORIES} value={category} onChange={setCategory} />
      <div id="picker-markets" className={styles.found} ref={shown}>
        {rows === undefined && <Loading>{feed.faults[0]?.message ?? t("Loading…")}</Loading>}
        {found?.length === 0 && <Empty>{t("No market of this kind has that name")}</Empty>}
        {found !== undefined && found.length > 0 && (
          <Table name={t("Markets")} columns={columns} rows={found} keyOf={({ symbol }) => symbol} />
        )}
      </div>
    </Dialog>
  );
}

const watchColumns: readonly Column<Row>[] = [
  { id: "symbol", title: t("Market"), value: (row) => row.symbol, cell: (row) => <SymbolCell {...row} />, isHead: true },
  ...figures.slice(0, 2),
];

/** The favourite markets of all categories. */
export function WatchListPanel() {
  const { favourites } = useSettings();
  const has = (category: Category) => favourites.some((name) => name.startsWith(`${category}/`));
  const lists = {
    SPOT: useMarkets("SPOT", !has("SPOT")),
    MARGIN: useMarkets("MARGIN", !has("MARGIN")),
    USDT_FUTURES: useMarkets("USDT_FUTURES", !has("USDT_FUTURES")),
    USDC_FUTURES: useMarkets("USDC_FUTURES", !has("USDC_FUTURES")),
    COIN_FUTURES: useMarkets("COIN_FUTURES", !has("COIN_FUTURES")),
  };
  const byName = new Map(CATEGORIES.flatMap(({ value }) => (lists[value].rows ?? []).map((row) => [nameOf(row), row] as const)));
  const shown = favourites.flatMap((name) => byName.get(name) ?? []);
  const feeds = CATEGORIES.filter(({ value }) => has(value)).map(({ value }) => lists[value].feed);
  const isLoading = feeds.length > 0 && feeds.every(({ data }) => data === undefined);
  return (
    <Panel
      title={t("Watch list")}
      feeds={feeds.length === 0 ? [lists.USDT_FUTURES.feed] : feeds}
      has={!isLoading}
      empty={favourites.length === 0 && t("Mark markets with ☆ in the list of markets")}
    >
      <Table name={t("Watch list")} columns={watchColumns} rows={shown} keyOf={nameOf} />
    </Panel>
  );
}
