import { useMemo } from "react";
import { amount, short, words } from "../../format/format.js";
import type { Zone } from "../../format/time.js";
import { useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import type { Column } from "../../ui/csv.js";
import { Table } from "../../ui/table.js";
import { timeColumn } from "../columns.js";
import type { Candle } from "./candle.js";

const columnsOf = (zone: Zone, decimals: number): readonly Column<Candle>[] => [
  { ...timeColumn<Candle>("start", t("Start"), zone, ({ startTime }) => startTime), isHead: true },
  ...(["open", "high", "low", "close"] as const).map((part) => ({
    id: part,
    title: words(part),
    value: (candle: Candle) => candle[part],
    cell: (candle: Candle) => amount(candle[part], decimals),
    isNumber: true,
  })),
  { id: "volume", title: t("Volume"), value: ({ volume }) => volume, cell: ({ volume }) => short(volume), isNumber: true },
];

interface Props {
  readonly name: string;
  /** Oldest first. */
  readonly candles: readonly Candle[];
  readonly decimals: number;
}

/** The candles as a table, newest first, for those who do not see the chart. */
export function CandleTable({ name, candles, decimals }: Props) {
  const { zone } = useSettings();
  const columns = useMemo(() => columnsOf(zone, decimals), [zone, decimals]);
  const rows = useMemo(() => [...candles].reverse(), [candles]);
  return <Table name={name} columns={columns} rows={rows} keyOf={({ startTime }) => startTime} />;
}
