import { words } from "../../format/format.js";
import { dateTime } from "../../format/time.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
import { t } from "../../text/text.js";
import type { Column } from "../../ui/csv.js";
import { Panel } from "../../ui/panel.js";
import { Table } from "../../ui/table.js";
import styles from "./reconciliationPanel.module.css";

const ReadReconciliation = graphql(`
  query ReadReconciliation($account: String, $from: DateTime!, $to: DateTime) {
    account(name: $account) {
      reconciliation(from: $from, to: $to) {
        startTime
        balances {
          checked
          reason
        }
        fills {
          checked
          reason
        }
        journal {
          checked
          reason
        }
        differenceCount
        differences {
          kind
          pool
          coin
          category
          symbol
          orderId
          key
          expected
          found
        }
      }
    }
  }
`);

type Day = NonNullable<NonNullable<ResultOf<typeof ReadReconciliation>["account"]>["reconciliation"]>[number];
type Part = Day["balances"];

const EVERY_MS = 60_000;

const partColumn = (id: "balances" | "fills" | "journal", title: string): Column<Day> => ({
  id,
  title,
  value: (day) => textOf(day[id]),
  cell: (day) => textOf(day[id]),
  isNumber: true,
});

/** How many were compared, or why they were not. */
const textOf = ({ checked, reason }: Part): string => (reason === null ? String(checked) : words(reason));

/** Differences of a day that are shown before the user asks for all. */
const SHOWN = 3;

/** The differences in words, as far as the gateway keeps them. */
const differencesOf = ({ differences }: Day): readonly string[] =>
  differences.map(({ kind, pool, coin, category, symbol, orderId, key, expected, found }) => {
    const place = pool ?? category;
    const values = expected !== null && found !== null ? `${expected} / ${found}` : null;
    return [words(kind), coin ?? symbol, place && words(place), orderId, key, values].filter((part) => part !== null).join(" ");
  });

function Differences({ of }: { readonly of: readonly string[] }) {
  const rest = of.slice(SHOWN);
  if (of.length === 0) return "–";
  return (
    <div className={styles.differences}>
      <List of={of.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>{t("{count} more", { count: String(rest.length) })}</summary>
          <List of={rest} />
        </details>
      )}
    </div>
  );
}

const List = ({ of }: { readonly of: readonly string[] }) => (
  <ul>
    {of.map((difference) => (
      <li key={difference}>{difference}</li>
    ))}
  </ul>
);

const columns: readonly Column<Day>[] = [
  {
    id: "day",
    title: t("Day (UTC)"),
    value: (day) => day.startTime,
    cell: (day) => dateTime(day.startTime, "UTC").split(" ")[0],
    isHead: true,
  },
  partColumn("balances", t("Balances")),
  partColumn("fills", t("Executions")),
  partColumn("journal", t("Writes")),
  {
    id: "count",
    title: t("Differences"),
    value: (day) => String(day.differenceCount),
    cell: (day) => <span className={day.differenceCount > 0 ? "down" : ""}>{day.differenceCount}</span>,
    isNumber: true,
  },
  {
    id: "differences",
    title: t("Expected / found"),
    value: (day) => differencesOf(day).join("; "),
    cell: (day) => <Differences of={differencesOf(day)} />,
  },
];

interface Props {
  readonly account: string;
  readonly from: string;
  readonly to: string | null;
}

/** The days of an account that the gateway has compared with the exchange, the latest first. */
export function ReconciliationPanel({ account, from, to }: Props) {
  const feed = useRead(ReadReconciliation, { account, from, to }, { everyMs: EVERY_MS });
  const rows = feed.data?.account?.reconciliation?.toReversed();
  const title = t("Days of {account} compared with the exchange", { account });
  return (
    <Panel
      title={title}
      feeds={[feed]}
      has={rows !== undefined}
      empty={rows?.length === 0 && t("No day of this range was compared yet: each is compared soon after its end")}
    >
      <Table name={title} columns={columns} rows={rows} keyOf={(day) => day.startTime} />
    </Panel>
  );
}
