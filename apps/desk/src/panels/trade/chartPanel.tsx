import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { useClient } from "urql";
import { graphql, textOf } from "../../graph/document.js";
import { useLive } from "../../graph/useLive.js";
import { useRead } from "../../graph/useRead.js";
import { useAccount } from "../../live/accounts.js";
import { type Order, useOrders } from "../../live/orders.js";
import { type Position, usePositions } from "../../live/positions.js";
import { change, useSettings } from "../../state/settings.js";
import { Store, useStore } from "../../state/store.js";
import { Choice } from "../../ui/controls.js";
import { Panel } from "../../ui/panel.js";
import type { Candle, Executed, Line } from "./chart.js";
import type { Instrument, Market } from "./instrument.js";

const Chart = lazy(async () => ({ default: (await import("./chart.js")).Chart }));

const WatchCandles = graphql(`
  subscription WatchCandles($category: ProductCategoryInput!, $symbol: String!, $interval: CandleInterval!) {
    candles(category: $category, symbol: $symbol, interval: $interval) {
      candles {
        start
        open
        high
        low
        close
        volume
      }
    }
  }
`);

const PastCandles = graphql(`
  query PastCandles($category: ProductCategoryInput!, $symbol: String!, $interval: CandleInterval!, $to: DateTime!) {
    candles(category: $category, symbol: $symbol, interval: $interval, to: $to, first: 300) {
      start
      open
      high
      low
      close
      volume
    }
  }
`);

const FillsOf = graphql(`
  query FillsOf($account: String, $category: ProductCategoryInput!) {
    account(name: $account) {
      fills(category: $category, first: 100) {
        nodes {
          id
          symbol
          side
          qty
          createdTime
        }
      }
    }
  }
`);

const FILLS_EVERY_MS = 10_000;
const NO_FILLS: readonly Executed[] = [];

/** Those of the account's latest executions in the category that are in a market, oldest first. */
function useFills(account: string, { category, symbol }: Market): readonly Executed[] {
  const { data } = useRead(FillsOf, { account, category }, { everyMs: FILLS_EVERY_MS, isPaused: account === "" });
  const nodes = data?.account?.fills?.nodes;
  return useMemo(
    () =>
      nodes
        ?.flatMap((fill) => (fill?.createdTime && fill.symbol === symbol ? [{ ...fill, time: fill.createdTime }] : []))
        .reverse() ?? NO_FILLS,
    [nodes, symbol],
  );
}

const INTERVALS = [
  { value: "MINUTE_1", text: "1m" },
  { value: "MINUTES_5", text: "5m" },
  { value: "MINUTES_15", text: "15m" },
  { value: "HOUR_1", text: "1h" },
  { value: "HOURS_4", text: "4h" },
  { value: "DAY_1", text: "1D" },
  { value: "WEEK_1", text: "1W" },
] as const;
type Interval = (typeof INTERVALS)[number]["value"];

interface Candles {
  readonly of: string;
  /** Oldest first, with distinct start times. */
  readonly rows: readonly Candle[];
}

/** Merges candles: a known start time is replaced. */
function merged(rows: readonly Candle[], more: readonly Candle[]): readonly Candle[] {
  const byStart = new Map([...rows, ...more].map((row) => [row.start, row]));
  return [...byStart.values()].sort((a, b) => a.start.localeCompare(b.start));
}

/** The rows of a market; none while they are not known. */
const ofMarket = <Row extends { readonly category: string; readonly symbol: string }>(
  { category, symbol }: Market,
  rows: readonly Row[] | undefined,
): readonly Row[] => rows?.filter((row) => row.category === category && row.symbol === symbol) ?? [];

const orderLine = ({ id, side, price, qty }: Order): readonly Line[] =>
  price === null
    ? []
    : [{ id, price, title: `${side === "BUY" ? "Buy" : "Sell"} ${qty ?? ""}`, tone: side === "BUY" ? "up" : "down" }];

const positionLines = ({ id, posSide, avgPrice, qty, liquidationPrice }: Position): readonly Line[] => [
  ...(avgPrice === null
    ? []
    : [{ id, price: avgPrice, title: `${posSide === "LONG" ? "Long" : "Short"} ${qty ?? ""}`, tone: "accent" as const }]),
  ...(liquidationPrice === null
    ? []
    : [{ id: `${id} liquidation`, price: liquidationPrice, title: "Liquidation", tone: "warn" as const }]),
];

/** The chart with the account's orders and position as lines; older candles are read on scrolling. */
export function ChartPanel({ market, instrument }: { readonly market: Market; readonly instrument: Instrument | undefined }) {
  const { category, symbol } = market;
  const kept = useSettings().interval;
  const interval: Interval = INTERVALS.find(({ value }) => value === kept)?.value ?? "MINUTES_15";
  const of = `${category}/${symbol}/${interval}`;
  const [store] = useState(() => new Store<Candles>({ of, rows: [] }));
  const feed = useLive(WatchCandles, { category, symbol, interval }, ({ candles: { candles } }) =>
    store.update((old) => ({ of, rows: merged(old.of === of ? old.rows : [], candles) })),
  );
  const client = useClient();
  const account = useAccount();
  const { rows: orders } = useOrders(account);
  const { rows: positions } = usePositions(account);
  const fills = useFills(account, market);
  const { rows, of: shown } = useStore(store);
  const busy = useRef("");
  const older = async () => {
    const [first] = store.value.rows;
    if (first === undefined || busy.current === first.start || store.value.of !== of) return;
    busy.current = first.start;
    const { data } = await client.query(textOf(PastCandles), { category, symbol, interval, to: first.start });
    const more = data?.candles?.filter((row) => row !== null) ?? [];
    store.update((old) => (old.of === of ? { of, rows: merged(more, old.rows) } : old));
  };
  const lines = [...ofMarket(market, orders).flatMap(orderLine), ...ofMarket(market, positions).flatMap(positionLines)];
  return (
    <Panel
      title="Chart"
      feeds={[feed]}
      has={feed.phase === "ready"}
      empty={shown === of && rows.length === 0 && "Nothing has been traded in this interval yet"}
      className="chart-panel"
      actions={<Choice label="Interval" value={interval} options={INTERVALS} onChange={(value) => change({ interval: value })} />}
    >
      <Suspense fallback={<p className="loading">Loading the chart…</p>}>
        <Chart
          key={of}
          label={`${symbol}, ${INTERVALS.find(({ value }) => value === interval)?.text ?? ""}`}
          candles={shown === of ? rows : []}
          lines={lines}
          fills={fills}
          decimals={instrument?.precision?.price ?? 2}
          onOldest={() => void older()}
        />
      </Suspense>
    </Panel>
  );
}
