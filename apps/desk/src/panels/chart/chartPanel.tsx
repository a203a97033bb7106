import { newKey } from "@exchange-graph/client";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useClient } from "urql";
import { graphql, textOf } from "../../graph/document.js";
import { useLive } from "../../graph/useLive.js";
import { useRead } from "../../graph/useRead.js";
import { useAccount, useMay } from "../../live/accounts.js";
import { useOrders, usePlanOrders } from "../../live/orders.js";
import { usePositions } from "../../live/positions.js";
import { change, useSettings } from "../../state/settings.js";
import { Store, useStore } from "../../state/store.js";
import { t } from "../../text/text.js";
import { Choice } from "../../ui/controls.js";
import { Panel } from "../../ui/panel.js";
import { atRest, lazily, loaded } from "../../ui/parts.js";
import { Loading } from "../../ui/state.js";
import type { Instrument, Market } from "../trade/instrument.js";
import { type Candle, type Executed, followed, merged } from "./candle.js";
import styles from "./chartPanel.module.css";
import { draw, type Point, put, useDrawings } from "./drawings.js";
import { INDICATORS } from "./indicatorNames.js";
import type { IndicatorLine } from "./indicators.js";
import { levelsOf, type Move } from "./levels.js";

// It is loaded while its candles are.
const loading = loaded(() => import("./chart.js"));
const Chart = lazily(
  () => loading,
  ({ Chart }) => Chart,
);
const CandleTable = lazily(
  () => import("./candleTable.js"),
  ({ CandleTable }) => CandleTable,
);
const IndicatorDialog = lazily(
  () => import("./indicatorDialog.js"),
  ({ IndicatorDialog }) => IndicatorDialog,
);
const PointDialog = lazily(
  atRest(() => import("./pointDialog.js")),
  ({ PointDialog }) => PointDialog,
);
const MoveDialog = lazily(
  atRest(() => import("./moveDialog.js")),
  ({ MoveDialog }) => MoveDialog,
);

const WatchCandles = graphql(`
  subscription WatchCandles($category: ProductCategoryInput!, $symbol: String!, $interval: CandleInterval!) {
    candles(category: $category, symbol: $symbol, interval: $interval) {
      candles {
        startTime
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
      startTime
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

/** The chart is drawn anew at most this often, ms: that takes longer than all the rest of a price. */
const DRAWN_EVERY_MS = 250;

interface Candles {
  readonly of: string;
  /** Oldest first, with distinct start times. */
  readonly rows: readonly Candle[];
}

/** The lines of the chosen indicators; their library is loaded with the first one. */
function useIndicators(candles: readonly Candle[]): readonly IndicatorLine[] {
  const { indicators } = useSettings();
  const [library, setLibrary] = useState<typeof import("./indicators.js")>();
  const isNeeded = indicators.length > 0;
  useEffect(() => {
    if (isNeeded) void loaded(() => import("./indicators.js")).then(setLibrary);
  }, [isNeeded]);
  return useMemo(() => {
    const chosen = INDICATORS.flatMap(({ value }) => (indicators.includes(value) ? [value] : []));
    return library?.indicatorLines(chosen, candles) ?? NO_LINES;
  }, [library, indicators, candles]);
}

const NO_LINES: readonly IndicatorLine[] = [];

/** What a click on the chart does. */
type Tool = "none" | "order" | "level" | "trend";

const TOOLS = [
  { value: "order", text: "⊕", name: t("Order at a price") },
  { value: "level", text: "─", name: t("Draw a level") },
  { value: "trend", text: "╱", name: t("Draw a trend line") },
] as const;

interface ChartProps {
  readonly market: Market;
  readonly instrument: Instrument | undefined;
  /** Called with an order that is to be composed. */
  readonly onOrder: (side: "BUY" | "SELL", price: string) => void;
}

/**
 * The chart with the account's orders, exits and positions as levels that are dragged, indicators, and the user's lines. Older
 * candles are read on scrolling.
 */
export function ChartPanel({ market, instrument, onOrder }: ChartProps) {
  const { category, symbol } = market;
  const kept = useSettings().interval;
  const interval: Interval = INTERVALS.find(({ value }) => value === kept)?.value ?? "MINUTES_15";
  const of = `${category}/${symbol}/${interval}`;
  const name = `${category}/${symbol}`;
  const [store] = useState(() => new Store<Candles>({ of, rows: [] }, { everyMs: DRAWN_EVERY_MS, isLive: true }));
  const feed = useLive(WatchCandles, { category, symbol, interval }, ({ candles: { candles } }, { kind }) =>
    store.update((old) => ({ of, rows: followed(old.of === of ? old.rows : [], candles, kind) })),
  );
  const client = useClient();
  const account = useAccount();
  const mayTrade = useMay("trade", account) && account !== "";
  const { rows: orders } = useOrders(account);
  const { rows: plans } = usePlanOrders(account);
  const { rows: positions } = usePositions(account);
  const fills = useFills(account, market);
  const found = useStore(store);
  const candles = found.of === of ? found.rows : NO_CANDLES;
  const indicators = useIndicators(candles);
  const drawings = useDrawings(name);
  const [tool, setTool] = useState<Tool>("none");
  const [from, setFrom] = useState<Point>();
  const [isTable, setTable] = useState(false);
  const [isChoosing, choose] = useState(false);
  const [point, setPoint] = useState<string>();
  const [exit, setExit] = useState<{ readonly move: Move; readonly price: string }>();
  const busy = useRef("");
  const decimals = instrument?.precision?.price ?? 2;
  const older = async () => {
    const [first] = store.value.rows;
    if (first === undefined || busy.current === first.startTime || store.value.of !== of) return;
    busy.current = first.startTime;
    const { data } = await client.query(textOf(PastCandles), { category, symbol, interval, to: first.startTime });
    const more = data?.candles?.filter((row) => row !== null);
    if (more === undefined) busy.current = "";
    else store.update((old) => (old.of === of ? { of, rows: merged(more, old.rows) } : old));
  };
  const levels = useMemo(
    () => levelsOf({ category, symbol }, { orders, plans, positions, drawings, mayTrade }),
    [category, symbol, orders, plans, positions, drawings, mayTrade],
  );
  function pointed(price: string, time: string | undefined): void {
    if (tool === "trend" && time !== undefined) {
      if (from === undefined) {
        setFrom({ time, price });
        return;
      }
      put(name, { id: newKey(), kind: "trend", from, to: { time, price } });
    } else if (tool === "level") put(name, { id: newKey(), kind: "level", price });
    else setPoint(price);
    setFrom(undefined);
    setTool("none");
  }
  const text = `${symbol}, ${INTERVALS.find(({ value }) => value === interval)?.text ?? ""}`;
  return (
    <Panel
      title={t("Chart")}
      feeds={[feed]}
      has={feed.phase === "ready"}
      empty={found.of === of && candles.length === 0 && t("Nothing has been traded in this interval yet")}
      bodyClassName={styles.body}
      actions={
        <>
          <Choice label={t("Interval")} value={interval} options={INTERVALS} onChange={(value) => change({ interval: value })} />
          <button
            type="button"
            title={t("Chart as table")}
            aria-label={t("Chart as table")}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            ▤
          </button>
        </>
      }
    >
      <Suspense fallback={<Loading>{t("Loading the chart…")}</Loading>}>
        {isTable ? (
          <CandleTable name={t("Candles of {text}", { text })} candles={candles} decimals={decimals} />
        ) : (
          <>
            <div className={styles.chartTools} role="toolbar" aria-label={t("Tools of the chart")}>
              <button type="button" title={t("Indicators")} aria-label={t("Indicators")} onClick={() => choose(true)}>
                ƒ
              </button>
              {TOOLS.filter(({ value }) => value !== "order" || mayTrade).map(({ value, text: sign, name: title }) => (
                <button
                  key={value}
                  type="button"
                  title={title}
                  aria-label={title}
                  aria-pressed={tool === value}
                  onClick={() => {
                    setFrom(undefined);
                    setTool(tool === value ? "none" : value);
                  }}
                >
                  {sign}
                </button>
              ))}
              {drawings.length > 0 && (
                <button
                  type="button"
                  title={t("Erase all lines")}
                  aria-label={t("Erase all lines")}
                  onClick={() => draw(name, () => [])}
                >
                  ⌫
                </button>
              )}
            </div>
            <Chart
              key={of}
              label={text}
              account={account}
              candles={candles}
              levels={levels}
              fills={fills}
              indicators={indicators}
              drawings={drawings}
              decimals={decimals}
              isPointing={tool !== "none"}
              onOldest={() => void older()}
              onPoint={pointed}
              onDrawn={(line) => put(name, line)}
              onErased={({ id }) => draw(name, (lines) => lines.filter((line) => line.id !== id))}
            />
          </>
        )}
      </Suspense>
      {tool === "trend" && (
        <p className="hidden" role="status">
          {from === undefined ? t("Choose the first point") : t("Choose the second point")}
        </p>
      )}
      <Suspense>
        {isChoosing && <IndicatorDialog onClose={() => choose(false)} />}
        {point !== undefined && (
          <PointDialog
            price={point}
            decimals={decimals}
            account={account}
            mayTrade={mayTrade}
            positions={positions?.filter((row) => row.category === category && row.symbol === symbol) ?? []}
            onOrder={(side) => onOrder(side, point)}
            onExit={(position) => setExit({ move: { kind: "position", position }, price: point })}
            onLine={() => put(name, { id: newKey(), kind: "level", price: point })}
            onClose={() => setPoint(undefined)}
          />
        )}
        {exit !== undefined && <MoveDialog account={account} {...exit} onClose={() => setExit(undefined)} />}
      </Suspense>
    </Panel>
  );
}

const NO_CANDLES: readonly Candle[] = [];
