import { amount, percent, signed, tone, words } from "../format/format.js";
import { dateTime, type Zone } from "../format/time.js";
import type { Column } from "../ui/csv.js";

/** Columns that several tables share. */

type Text = string | null | undefined;

/** An amount with all its decimals and its coin. */
export const amountColumn = <Row,>(
  id: string,
  title: string,
  value: (row: Row) => Text,
  coin?: (row: NoInfer<Row>) => Text,
): Column<Row> => ({
  id,
  title,
  value,
  cell: (row) => (
    <span>
      {amount(value(row))} {coin !== undefined && value(row) && <small className="muted">{coin(row)}</small>}
    </span>
  ),
  isNumber: true,
});

/** A profit, or a loss in its colour. */
export const profitColumn = <Row,>(id: string, title: string, value: (row: Row) => string | null): Column<Row> => ({
  id,
  title,
  value,
  cell: (row) => <span className={tone(value(row))}>{signed(value(row))}</span>,
  isNumber: true,
});

export const percentColumn = <Row,>(id: string, title: string, value: (row: Row) => Text, decimals = 2): Column<Row> => ({
  id,
  title,
  value,
  cell: (row) => percent(value(row), decimals),
  isNumber: true,
});

/** An enum value of the graph, such as `IN_PROGRESS`. */
export const wordColumn = <Row,>(id: string, title: string, value: (row: Row) => Text): Column<Row> => ({
  id,
  title,
  value,
  cell: (row) => words(value(row)),
});

/** The date of a time. */
export const dayColumn = <Row,>(id: string, title: string, zone: Zone, time: (row: Row) => Text): Column<Row> => ({
  id,
  title,
  fileTitle: `${title} (UTC)`,
  value: time,
  cell: (row) => (
    <span className="muted" title={dateTime(time(row), zone)}>
      {dateTime(time(row), zone).split(" ")[0]}
    </span>
  ),
});

/** A time of a row, in the selected time zone. */
export const timeColumn = <Row,>(id: string, title: string, zone: Zone, time: (row: Row) => Text): Column<Row> => ({
  id,
  title,
  fileTitle: `${title} (UTC)`,
  value: time,
  cell: (row) => <span className="muted">{dateTime(time(row), zone)}</span>,
});
