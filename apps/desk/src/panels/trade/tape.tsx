import { useState } from "react";
import { amount } from "../../format/format.js";
import { clockTime } from "../../format/time.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { useLive } from "../../graph/useLive.js";
import { useSettings } from "../../state/settings.js";
import { Store, useStore } from "../../state/store.js";
import { t } from "../../text/text.js";
import { Panel } from "../../ui/panel.js";
import { useRoom } from "../../ui/useRoom.js";
import type { Instrument, Market } from "./instrument.js";
import styles from "./tape.module.css";

const WatchTrades = graphql(`
  subscription WatchTrades($category: ProductCategoryInput!, $symbol: String!) {
    trades(category: $category, symbol: $symbol) {
      trades {
        execId
        price
        qty
        side
        time
      }
    }
  }
`);

type Trade = ResultOf<typeof WatchTrades>["trades"]["trades"][number];

const KEPT = 40;
const TRADE_PX = 18;
/** Minimum time between two updates, in ms: faster ones cannot be read, and each one costs layout and paint. */
const SHOWN_EVERY_MS = 100;

/** Trades of the market, newest first. */
export function TapePanel({
  market: { category, symbol },
  instrument,
}: {
  readonly market: Market;
  readonly instrument: Instrument | undefined;
}) {
  const { zone } = useSettings();
  const of = `${category}/${symbol}`;
  const [store] = useState(
    () =>
      new Store<{ readonly of: string; readonly trades: readonly Trade[] }>(
        { of, trades: [] },
        { everyMs: SHOWN_EVERY_MS, isLive: true },
      ),
  );
  const feed = useLive(WatchTrades, { category, symbol }, ({ trades: { trades } }, { kind }) =>
    store.update((old) => {
      const before = old.of === of && kind === "update" ? old.trades : [];
      const kept = new Set(before.slice(0, KEPT).map(({ execId }) => execId));
      const fresh = trades.filter(({ execId }) => !kept.has(execId));
      const all = [...fresh, ...before].sort((a, b) => (b.time ?? "").localeCompare(a.time ?? ""));
      return { of, trades: all.slice(0, KEPT) };
    }),
  );
  const { trades, of: shown } = useStore(store);
  const [list, { rows: room }] = useRoom(TRADE_PX);
  const rows = shown === of ? trades : [];
  return (
    <Panel
      title={t("Trades")}
      feeds={[feed]}
      has={feed.phase === "ready"}
      empty={rows.length === 0 && t("No trades yet")}
      bodyClassName={styles.tape}
    >
      <ol data-list="trades" className={styles.trades} ref={list}>
        {rows.slice(0, room).map(({ execId, price, qty, side, time }) => (
          <li key={execId}>
            <span className={side === "BUY" ? "up" : "down"}>{amount(price, instrument?.precision?.price)}</span>
            <span>{amount(qty, instrument?.precision?.quantity)}</span>
            <span className="muted">{clockTime(time, zone)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
