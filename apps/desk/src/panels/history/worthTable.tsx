import { useMemo } from "react";
import { amount, percent, signed, tone } from "../../format/format.js";
import type { Zone } from "../../format/time.js";
import type { EquityInterval } from "../../graph/generated/graphql.js";
import { now } from "../../state/clock.js";
import { useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import type { Column } from "../../ui/csv.js";
import { Table } from "../../ui/table.js";
import { type Measure, type Tracked, valuesOf } from "./tracks.js";
import { gapWords, slotTime, sourceWords } from "./words.js";
import type { Slot } from "./worth.js";

const timeOf = (interval: EquityInterval, zone: Zone): Column<Slot> => ({
  id: "time",
  title: interval === "DAY" ? t("Day (UTC)") : t("Time"),
  fileTitle: "End of the interval (UTC)",
  value: ({ at }) => new Date(at).toISOString(),
  cell: (slot) => slotTime(slot, interval, zone, now()),
  isHead: true,
});

const figure = (id: string, title: string, value: Column<Slot>["value"], cell: (slot: Slot) => string): Column<Slot> => ({
  ...{ id, title, value, cell, isNumber: true },
});

const ownColumns = (interval: EquityInterval, zone: Zone): readonly Column<Slot>[] => [
  timeOf(interval, zone),
  figure(
    "equity",
    t("Equity, USDT"),
    ({ point }) => point?.equity,
    ({ point }) => amount(point?.equity, 2),
  ),
  figure(
    "drawdown",
    t("Drawdown"),
    ({ drawdown }) => drawdown,
    ({ drawdown }) => percent(drawdown),
  ),
  {
    ...figure(
      "change",
      t("Change of equity"),
      ({ point }) => point?.change?.total,
      () => "",
    ),
    cell: ({ point }) => <span className={tone(point?.change?.total)}>{signed(point?.change?.total, 2)}</span>,
  },
  figure(
    "flows",
    t("of it flows"),
    ({ point }) => point?.change?.flows,
    ({ point }) => signed(point?.change?.flows, 2),
  ),
  figure(
    "low",
    t("Low"),
    ({ point }) => point?.low,
    ({ point }) => amount(point?.low, 2),
  ),
  figure(
    "high",
    t("High"),
    ({ point }) => point?.high,
    ({ point }) => amount(point?.high, 2),
  ),
  {
    id: "source",
    title: t("Source"),
    value: ({ point, gap }) => point?.source ?? gap?.reason,
    cell: ({ point, gap }) =>
      point !== undefined
        ? sourceWords(point.source)
        : `${t("No sample")}${gap === undefined ? "" : `: ${gapWords(gap.reason)}`}`,
  },
];

interface Props {
  readonly name: string;
  readonly tracks: readonly Tracked[];
  readonly measure: Measure;
  readonly isEach: boolean;
  readonly interval: EquityInterval;
  readonly slots: readonly Slot[];
}

/** The curves as a table, newest first, for those who do not see the chart. */
export function WorthTable({ name, tracks, measure, isEach, interval, slots }: Props) {
  const { zone } = useSettings();
  const rows = useMemo(() => [...slots].reverse(), [slots]);
  const columns = useMemo(() => {
    if (!isEach) return ownColumns(interval, zone);
    return [timeOf(interval, zone), ...tracks.map((track) => comparedColumn(track, measure))];
  }, [isEach, interval, zone, tracks, measure]);
  return <Table name={name} columns={columns} rows={rows} keyOf={({ at }) => String(at)} />;
}

function comparedColumn({ name = "", track }: Tracked, measure: Measure): Column<Slot> {
  const byTime = new Map([...valuesOf(track, measure)].map(([{ at }, value]) => [at, value]));
  return figure(
    name,
    name,
    ({ at }) => byTime.get(at),
    ({ at }) => amount(byTime.get(at), 2),
  );
}
