import { amount, NONE, percent, signed, signedPercent, tone, words } from "../../format/format.js";
import { dateTime, span, type Zone } from "../../format/time.js";
import type { PerformanceGroup, PerformanceRowFragment } from "../../graph/generated/graphql.js";
import { now } from "../../state/clock.js";
import { t } from "../../text/text.js";
import type { Column } from "../../ui/csv.js";
import { profitIn } from "./month.js";
import { monthOf, reasonWords } from "./words.js";

export type Row = PerformanceRowFragment;
type Figure = Row["sharpe"];

/** A figure of a performance, with its formula in short. */
export interface FigureColumn extends Column<Row> {
  readonly help: string;
  /** Why it is not known; undefined if it is, or the row does not say. */
  readonly why: (row: Row) => string | undefined;
  /** Whether it belongs to an account as a whole, and not to a category or a symbol. */
  readonly isOfWhole: boolean;
}

const why = ({ reason }: Figure): string | undefined => (reason === null ? undefined : reasonWords(reason));
/** Why equity, or a change of it, is not known: the same as of the return. */
const whyReturn = (row: Row): string | undefined => why(row.timeWeightedReturn);

interface Parts {
  readonly id: keyof Row | "profit" | "flows" | "total";
  readonly title: string;
  readonly help: string;
  readonly value: (row: Row) => string | null;
  readonly text: (value: string) => string;
  readonly why?: (row: Row) => string | undefined;
  readonly isToned?: boolean;
  readonly isOfWhole?: boolean;
}

const column = ({
  id,
  title,
  help,
  value,
  text,
  why: reason = () => undefined,
  isToned = false,
  isOfWhole = false,
}: Parts): FigureColumn => ({
  ...{ id, title, help, value, why: reason, isOfWhole },
  isNumber: true,
  cell(row) {
    const found = value(row);
    if (found !== null) return <span className={isToned ? tone(found) : ""}>{text(found)}</span>;
    const words = reason(row);
    return (
      <span title={words}>
        {NONE}
        {words !== undefined && <span className="hidden">{words}</span>}
      </span>
    );
  },
});

type FigureId = { [Name in keyof Row]: Row[Name] extends Figure ? Name : never }[keyof Row];

const figure = (id: FigureId, title: string, help: string, text: (value: string) => string, isOfWhole = true): FigureColumn =>
  column({ ...{ id, title, help, text, isOfWhole }, value: (row) => row[id].value, why: (row) => why(row[id]) });

const usdt = (value: string): string => amount(value, 2);
const change = (value: string): string => signed(value, 2);
const ratio = (value: string): string => amount(value, 2);
const SECOND_MS = 1_000;

const WHOLE = { isOfWhole: true, why: whyReturn } as const;

/** Every figure of a performance. The formulas are those of the graph's descriptions. */
export const FIGURES: readonly FigureColumn[] = [
  column({
    ...WHOLE,
    id: "equityAtStart",
    title: t("At the start, USDT"),
    help: t("equity at the first sample of the range"),
    value: (row) => row.equityAtStart,
    text: usdt,
  }),
  column({
    ...WHOLE,
    id: "equityAtEnd",
    title: t("At the end, USDT"),
    help: t("equity at the last sample whose changes are known"),
    value: (row) => row.equityAtEnd,
    text: usdt,
  }),
  column({
    ...WHOLE,
    id: "total",
    title: t("Change of equity"),
    help: t("difference of the two"),
    value: (row) => row.change?.total ?? null,
    text: change,
    isToned: true,
  }),
  column({
    ...WHOLE,
    id: "flows",
    title: t("Flows"),
    help: t("deposits, withdrawals, transfers, loans and earn products: no profit"),
    value: (row) => row.change?.flows ?? null,
    text: change,
  }),
  column({
    ...WHOLE,
    id: "profit",
    title: t("Profit"),
    help: t("change less flows"),
    value: (row) => profitIn(row.change),
    text: change,
    isToned: true,
  }),
  figure(
    "timeWeightedReturn",
    t("Return, time-weighted"),
    t("product of (equity at the end − flows) ÷ equity at the start, of all intervals, − 1"),
    (value) => signedPercent(value),
  ),
  figure(
    "moneyWeightedReturn",
    t("Return, money-weighted"),
    t("(equity at the end − at the start − flows) ÷ (equity at the start + each flow by the share of the time after it)"),
    (value) => signedPercent(value),
  ),
  figure(
    "maxDrawdown",
    t("Largest drawdown"),
    t("largest fall of the time-weighted index from a peak, as a share of the peak"),
    (value) => percent(value),
  ),
  column({
    ...WHOLE,
    id: "longestDrawdownSeconds",
    title: t("Longest drawdown"),
    help: t("longest time from a peak until it was reached again, or until the end"),
    value: (row) => row.longestDrawdownSeconds?.toString() ?? null,
    text: (value) => span(Number.parseInt(value, 10) * SECOND_MS),
  }),
  figure("volatility", t("Volatility"), t("standard deviation of daily returns × √365"), (value) => percent(value)),
  figure("sharpe", t("Sharpe"), t("mean daily return ÷ standard deviation of daily returns × √365"), ratio),
  figure("sortino", t("Sortino"), t("mean daily return ÷ root of the mean square of daily returns below zero × √365"), ratio),
  figure("calmar", t("Calmar"), t("mean daily return × 365 ÷ largest drawdown"), ratio),
  column({
    id: "realised",
    title: t("Realised"),
    help: t("profit and loss of closed futures positions, without fees and funding"),
    value: (row) => row.realised,
    text: change,
    isToned: true,
  }),
  column({
    id: "fees",
    title: t("Fees"),
    help: t("trading fees, below zero where they were paid"),
    value: (row) => row.fees,
    text: change,
  }),
  column({
    id: "funding",
    title: t("Funding"),
    help: t("paid (below zero) and received"),
    value: (row) => row.funding,
    text: change,
  }),
  column({
    id: "closings",
    title: t("Closings"),
    help: t("executions that closed or reduced a position with a profit or loss"),
    value: (row) => String(row.closings),
    text: (value) => value,
  }),
  figure("winRate", t("Win rate"), t("share of closings with a profit"), (value) => percent(value, 1), false),
  figure("profitFactor", t("Profit factor"), t("profits of closings ÷ their losses"), ratio, false),
  figure("expectancy", t("Expectancy"), t("mean profit and loss of closings"), change, false),
];

export const nameColumn = (by: PerformanceGroup): Column<Row> => {
  const { title, value } = {
    ACCOUNT: { title: t("Account"), value: (row: Row) => row.account?.name ?? t("All together") },
    CATEGORY: { title: t("Category"), value: (row: Row) => words(row.category) },
    SYMBOL: {
      title: t("Market"),
      value: (row: Row) => row.symbol ?? t("{category}, without a market", { category: words(row.category) }),
    },
    // The last sample belongs to the month that it ends.
    MONTH: { title: t("Month (UTC)"), value: (row: Row) => monthOf(Date.parse(row.endTime) - 1) },
  }[by];
  return { id: "name", title, value, cell: value, isHead: true };
};

export const timeColumns = (zone: Zone): readonly Column<Row>[] => [
  {
    id: "startTime",
    title: t("From"),
    fileTitle: "From (UTC)",
    value: (row) => row.startTime,
    cell: (row) => dateTime(row.startTime, zone).slice(0, -3),
  },
  {
    id: "endTime",
    title: t("Until"),
    fileTitle: "Until (UTC)",
    value: (row) => row.endTime,
    // An unfinished interval ends later.
    cell: (row) => dateTime(Math.min(Date.parse(row.endTime), now()), zone).slice(0, -3),
  },
];
