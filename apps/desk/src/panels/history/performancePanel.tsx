import { useMemo, useState } from "react";
import type { PerformanceGroup } from "../../graph/generated/graphql.js";
import { useRead } from "../../graph/useRead.js";
import { useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import { Choice } from "../../ui/controls.js";
import { Panel } from "../../ui/panel.js";
import { Table } from "../../ui/table.js";
import { ReadPerformance } from "./documents.js";
import { FIGURES, nameColumn, type Row, timeColumns } from "./figures.js";
import styles from "./performancePanel.module.css";
import { Incomplete, missingIn, shown } from "./shown.js";

interface Props {
  readonly account: string;
  /** One account, or all of them. */
  readonly isOne: boolean;
  readonly from: string;
  readonly to: string | null;
}

const EVERY_MS = 60_000;

const keyOf = ({ account, category, symbol, endTime }: Row): string => `${account?.name} ${category} ${symbol} ${endTime}`;

/** Return, risk and trading statistics of the range, with what is not known and why. */
export function PerformancePanel({ account, isOne, from, to }: Props) {
  const [by, setBy] = useState<PerformanceGroup>("ACCOUNT");
  const { zone } = useSettings();
  const variables = { account: isOne ? account : null, one: isOne, from, to, by };
  const feed = useRead(ReadPerformance, variables, { everyMs: to === null ? EVERY_MS : undefined });
  const rows = (isOne ? feed.data?.account?.performance : feed.data?.performance) ?? undefined;
  const isByProduct = by === "CATEGORY" || by === "SYMBOL";
  const figures = useMemo(() => FIGURES.filter(({ isOfWhole }) => !(isOfWhole && isByProduct)), [isByProduct]);
  const columns = useMemo(() => [nameColumn(by), ...figures, ...timeColumns(zone)], [by, figures, zone]);
  const title = isOne ? t("Performance of {account}", { account }) : t("Performance of all accounts");
  const state = shown([feed], { has: rows !== undefined, empty: rows?.length === 0 && NOTHING[by] });
  const unknown = useMemo(() => reasonsIn(rows ?? NO_ROWS, figures), [rows, figures]);
  return (
    <Panel
      title={title}
      {...state}
      actions={
        <>
          <Choice
            label={t("Rows by")}
            value={by}
            onChange={setBy}
            options={[
              { value: "ACCOUNT", text: t("Accounts") },
              { value: "MONTH", text: t("Months") },
              { value: "CATEGORY", text: t("Categories") },
              { value: "SYMBOL", text: t("Markets") },
            ]}
          />
          <Incomplete missing={missingIn(rows)} />
        </>
      }
    >
      <Table name={title} columns={columns} rows={rows} keyOf={keyOf} choosable={CHOOSABLE} />
      <div className={styles.words}>
        {[...unknown].map(([reason, titles]) => (
          <p key={reason} className="muted">
            – {[...titles].join(", ")}: {reason}
          </p>
        ))}
        {isByProduct && (
          <p className="muted">{t("Equity, return and risk belong to an account as a whole: see the rows by account.")}</p>
        )}
        <details>
          <summary>{t("What the figures are")}</summary>
          <dl>
            {figures.map(({ id, title: name, help }) => (
              <div key={id}>
                <dt>{name}</dt>
                <dd>{help}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
    </Panel>
  );
}

/** Those that fit a screen of 1440 pixels. */
const CHOOSABLE = {
  id: "performance",
  standard: [
    ...["equityAtEnd", "total", "flows", "profit", "timeWeightedReturn", "maxDrawdown", "sharpe"],
    ...["realised", "fees", "funding", "winRate"],
  ],
};

const NO_ROWS: readonly Row[] = [];
const NOTHING: Readonly<Record<PerformanceGroup, string>> = {
  ACCOUNT: t("Nothing is recorded in this range"),
  MONTH: t("Nothing is recorded in this range"),
  CATEGORY: t("No change of a balance is recorded in this range"),
  SYMBOL: t("No change of a balance is recorded in this range"),
};

/** The figures that are not known, by the reason. */
function reasonsIn(rows: readonly Row[], figures: typeof FIGURES): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { title, value, why } of figures)
    for (const row of rows) {
      const reason = value(row) === null ? why(row) : undefined;
      if (reason !== undefined) found.set(reason, (found.get(reason) ?? new Set()).add(title));
    }
  return found;
}
