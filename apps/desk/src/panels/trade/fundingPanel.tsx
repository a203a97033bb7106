import { Suspense, useMemo } from "react";
import { percent } from "../../format/format.js";
import { graphql } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
import { t } from "../../text/text.js";
import { Panel } from "../../ui/panel.js";
import { lazily } from "../../ui/parts.js";
import { Loading } from "../../ui/state.js";
import type { Futures } from "../market.js";
import type { Settled } from "./fundingChart.js";

const FundingChart = lazily(
  () => import("./fundingChart.js"),
  ({ FundingChart }) => FundingChart,
);

const FundingHistory = graphql(`
  query FundingHistory($category: FuturesCategoryInput!, $symbol: String!) {
    fundingHistory(category: $category, symbol: $symbol, first: 100) {
      fundingRate
      time
    }
  }
`);

const NOTHING: readonly Settled[] = [];

/** Funding that longs have paid to shorts at each settlement, as a fraction of the position. */
export function FundingPanel({ category, symbol }: { readonly category: Futures; readonly symbol: string }) {
  const feed = useRead(FundingHistory, { category, symbol }, { everyMs: 300_000 });
  const found = feed.data?.fundingHistory;
  const rows = useMemo(
    () =>
      found
        ?.flatMap((row) => (row === null || row.fundingRate === null ? [] : [{ time: row.time, fundingRate: row.fundingRate }]))
        .sort((a, b) => a.time.localeCompare(b.time)) ?? NOTHING,
    [found],
  );
  const last = rows.at(-1)?.fundingRate;
  return (
    <Panel
      title={t("Funding")}
      feeds={[feed]}
      has={found !== undefined && found !== null}
      empty={rows.length === 0 && t("Nothing was settled yet")}
      actions={
        <span className="muted">
          {t("last")} {percent(last, 4)}
        </span>
      }
    >
      <Suspense fallback={<Loading>{t("Loading the curve…")}</Loading>}>
        <FundingChart
          rows={rows}
          label={t("Funding of {symbol}: {last} at the last settlement", { symbol, last: percent(last, 4) })}
        />
      </Suspense>
    </Panel>
  );
}
