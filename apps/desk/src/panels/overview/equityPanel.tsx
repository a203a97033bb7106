import { addDecimals, multiplyDecimals, subtractDecimals } from "@exchange-graph/client";
import { Suspense, useMemo, useState } from "react";
import { amount, signed, tone } from "../../format/format.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
import { Equity } from "../../live/accounts.js";
import type { Point } from "../../live/samples.js";
import { samples } from "../../live/samples.js";
import { useStore } from "../../state/store.js";
import { t } from "../../text/text.js";
import { Choice } from "../../ui/controls.js";
import { Panel } from "../../ui/panel.js";
import { lazily } from "../../ui/parts.js";
import { Loading } from "../../ui/state.js";

const Curve = lazily(
  () => import("../chart/curve.js"),
  ({ Curve }) => Curve,
);

const ClosedPositions = graphql(`
  query ClosedPositions($account: String) {
    account(name: $account) {
      usdt: positionHistory(category: USDT_FUTURES, first: 500) {
        ...ClosedOfCategory
      }
      usdc: positionHistory(category: USDC_FUTURES, first: 500) {
        ...ClosedOfCategory
      }
      coin: positionHistory(category: COIN_FUTURES, first: 500) {
        ...ClosedOfCategory
      }
    }
  }
  fragment ClosedOfCategory on HistoricalPositionConnection {
    pageInfo {
      hasNextPage
    }
    nodes {
      netProfit
      avgClosePrice
      updatedTime
    }
  }
`);

type Closed = NonNullable<ResultOf<typeof ClosedPositions>["account"]>;
type Category = keyof Closed & ("usdt" | "usdc" | "coin");

const CATEGORIES: readonly { readonly of: Category; readonly name: string }[] = [
  { of: "usdt", name: t("USDT futures") },
  { of: "usdc", name: t("USDC futures") },
  { of: "coin", name: t("Coin futures") },
];

/** Profit of a closed position in USDT: USDC counts as USDT, coins at the price of the close. */
function profitOf(row: NonNullable<Closed[Category]>["nodes"][number], category: Category): Point | undefined {
  if (row === null || row.netProfit === null || row.updatedTime === null) return undefined;
  if (category !== "coin") return { time: Date.parse(row.updatedTime), value: row.netProfit };
  return row.avgClosePrice === null
    ? undefined
    : { time: Date.parse(row.updatedTime), value: multiplyDecimals(row.netProfit, row.avgClosePrice) };
}

/** Cumulative profit of closed positions, oldest first, and what it does not contain. */
export function addedUp(closed: Closed): { readonly points: readonly Point[]; readonly without: readonly string[] } {
  const profits: Point[] = [];
  const without: string[] = [];
  for (const { of, name } of CATEGORIES) {
    const list = closed[of];
    const found = list?.nodes.map((row) => profitOf(row, of));
    if (found === undefined) without.push(name);
    else if (found.includes(undefined)) without.push(t("some {name}", { name }));
    else if (list?.pageInfo.hasNextPage === true) without.push(t("older {name}", { name }));
    profits.push(...(found ?? []).filter((point) => point !== undefined));
  }
  let total = "0";
  const points = profits
    .sort((a, b) => a.time - b.time)
    .map(({ time, value }) => {
      total = addDecimals(total, value);
      return { time, value: total };
    });
  return { points, without };
}

type View = "equity" | "realised";
const NOTHING: readonly Point[] = [];
const NO_PROFITS = { points: NOTHING, without: [] };

/** Equity of an account over time, and profit of its closed positions in the 90 days that the exchange keeps. */
export function EquityPanel({ account }: { readonly account: string }) {
  const [view, setView] = useState<View>("equity");
  const equity = useRead(Equity, { account }, { everyMs: 4_000, isPaused: view !== "equity" });
  const closed = useRead(ClosedPositions, { account }, { everyMs: 60_000, isPaused: view !== "realised" });
  const history = useStore(samples).get(account) ?? NOTHING;
  const past = closed.data?.account;
  const realised = useMemo(() => (past ? addedUp(past) : NO_PROFITS), [past]);
  const isEquity = view === "equity";
  const shown = isEquity ? equity : closed;
  const found = shown.data?.account;
  const rows = isEquity ? history : realised.points;
  const last = rows.at(-1)?.value;
  const gain = isEquity && last !== undefined ? subtractDecimals(last, rows[0]?.value ?? last) : last;
  return (
    <Panel
      title={account === "" ? t("Equity") : t("Equity of {account}", { account })}
      feeds={[shown]}
      has={found !== undefined && found !== null}
      empty={
        rows.length === 0 &&
        (isEquity ? t("The curve begins with the next reading") : t("No position was closed in the last 90 days"))
      }
      actions={
        <>
          <Choice
            label={t("Curve of")}
            value={view}
            onChange={setView}
            options={[
              { value: "equity", text: t("Equity") },
              { value: "realised", text: t("Realised, 90 days") },
            ]}
          />
          <span className="muted">
            USDT{isEquity && t(", since this tab was opened")} <b className={tone(gain)}>{signed(gain, 2)}</b>
            {!isEquity && realised.without.length > 0 && (
              <span className="warn">
                {" "}
                {t("without")} {realised.without.join(", ")}
              </span>
            )}
          </span>
        </>
      }
    >
      <Suspense fallback={<Loading>{t("Loading the curve…")}</Loading>}>
        <Curve
          rows={rows}
          isStepped={!isEquity}
          label={
            isEquity
              ? t("Equity of {account}: {last} USDT now", { account, last: amount(last, 2) })
              : t("Realised profit of {account}: {last} USDT", { account, last: signed(last, 2) })
          }
        />
      </Suspense>
    </Panel>
  );
}
