import { addDecimals, subtractDecimals } from "@exchange-graph/client";
import { lazy, Suspense, useMemo, useState } from "react";
import { amount, signed, tone } from "../../format/format.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
import { Equity } from "../../live/accounts.js";
import { samples } from "../../live/samples.js";
import { useStore } from "../../state/store.js";
import { Choice } from "../../ui/controls.js";
import type { Point } from "../../ui/curve.js";
import { Panel } from "../../ui/panel.js";

const Curve = lazy(async () => ({ default: (await import("../../ui/curve.js")).Curve }));

const ClosedPositions = graphql(`
  query ClosedPositions($account: String) {
    account(name: $account) {
      usdt: positionHistory(category: USDT_FUTURES, first: 500) {
        nodes {
          netProfit
          updatedTime
        }
      }
      usdc: positionHistory(category: USDC_FUTURES, first: 500) {
        nodes {
          netProfit
          updatedTime
        }
      }
    }
  }
`);

type Closed = NonNullable<ResultOf<typeof ClosedPositions>["account"]>;

/** Cumulative profit of closed positions, oldest first; USDC counts as USDT. */
function addedUp({ usdt, usdc }: Closed): readonly Point[] {
  const closed = [...(usdt?.nodes ?? []), ...(usdc?.nodes ?? [])]
    .flatMap((row) =>
      row === null || row.netProfit === null || row.updatedTime === null
        ? []
        : [{ time: Date.parse(row.updatedTime), value: row.netProfit }],
    )
    .sort((a, b) => a.time - b.time);
  let total = "0";
  return closed.map(({ time, value }) => {
    total = addDecimals(total, value);
    return { time, value: total };
  });
}

type View = "equity" | "realised";
const NOTHING: readonly Point[] = [];

/** Equity of an account over time, and profit of its closed positions in the 90 days that the exchange keeps. */
export function EquityPanel({ account }: { readonly account: string }) {
  const [view, setView] = useState<View>("equity");
  const equity = useRead(Equity, { account }, { everyMs: 4_000, isPaused: view !== "equity" });
  const closed = useRead(ClosedPositions, { account }, { everyMs: 60_000, isPaused: view !== "realised" });
  const history = useStore(samples).get(account) ?? NOTHING;
  const past = closed.data?.account;
  const realised = useMemo(() => (past ? addedUp(past) : NOTHING), [past]);
  const isEquity = view === "equity";
  const shown = isEquity ? equity : closed;
  const found = shown.data?.account;
  const rows = isEquity ? history : realised;
  const last = rows.at(-1)?.value;
  const gain = isEquity && last !== undefined ? subtractDecimals(last, rows[0]?.value ?? last) : last;
  return (
    <Panel
      title={account === "" ? "Equity" : `Equity of ${account}`}
      feeds={[shown]}
      has={found !== undefined && found !== null}
      empty={!isEquity && rows.length === 0 && "No position was closed in the last 90 days"}
      className="equity"
      actions={
        <>
          <Choice
            label="Curve of"
            value={view}
            onChange={setView}
            options={[
              { value: "equity", text: "Equity" },
              { value: "realised", text: "Realised, 90 days" },
            ]}
          />
          <span className="muted">
            USDT{isEquity && ", since this tab was opened"} <b className={tone(gain)}>{signed(gain, 2)}</b>
          </span>
        </>
      }
    >
      <Suspense fallback={<p className="loading">Loading the curve…</p>}>
        <Curve
          rows={rows}
          isStepped={!isEquity}
          label={
            isEquity
              ? `Equity of ${account}: ${amount(last, 2)} USDT now`
              : `Realised profit of ${account}: ${signed(last, 2)} USDT`
          }
        />
      </Suspense>
    </Panel>
  );
}
