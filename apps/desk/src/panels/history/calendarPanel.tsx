import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { amount, signed, signedPercent, tone } from "../../format/format.js";
import { useRead } from "../../graph/useRead.js";
import { now } from "../../state/clock.js";
import { LOCALE, t } from "../../text/text.js";
import { Panel } from "../../ui/panel.js";
import { sideways } from "../../ui/sideways.js";
import { Empty } from "../../ui/state.js";
import { Together } from "../../ui/together.js";
import styles from "./calendarPanel.module.css";
import { ReadCalendar } from "./documents.js";
import { type Day, monthAt, monthBeside, totalsOf, weeksOf } from "./month.js";
import { DAY_MS } from "./ranges.js";
import { Incomplete, missingIn, shown } from "./shown.js";
import { monthOf, reasonWords, utcDay } from "./words.js";

interface Props {
  readonly account: string;
  /** One account, or all of them together. */
  readonly isOne: boolean;
}

const EVERY_MS = 60_000;

/** Profit of each day of a month. */
export function CalendarPanel({ account, isOne }: Props) {
  const [month, setMonth] = useState(() => monthAt(now()));
  const from = new Date(month).toISOString();
  const to = new Date(monthBeside(month, 1)).toISOString();
  const isCurrent = month >= monthAt(now());
  const variables = { account: isOne ? account : null, one: isOne, from, to };
  const feed = useRead(ReadCalendar, variables, { everyMs: isCurrent ? EVERY_MS : undefined });
  const rows = isOne ? feed.data?.account?.profitCalendar : feed.data?.profitCalendar;
  const has = rows !== undefined && rows !== null;
  const isHere = has && rows.some(({ startTime }) => Date.parse(startTime) >= month);
  const state = shown([feed], { has, empty: false });
  const title = isOne ? t("Calendar of {account}", { account }) : t("Calendar of all accounts");
  return (
    <Panel
      title={title}
      {...state}
      actions={
        <>
          <button type="button" aria-label={t("Month before")} onClick={() => setMonth(monthBeside(month, -1))}>
            ‹
          </button>
          <b aria-live="polite">{monthOf(month)}</b>
          <button type="button" aria-label={t("Next month")} disabled={isCurrent} onClick={() => setMonth(monthBeside(month, 1))}>
            ›
          </button>
          <Incomplete missing={missingIn(rows)} />
        </>
      }
    >
      {has && (
        <>
          <Month key={`${month} ${account} ${isOne}`} month={month} rows={rows} title={title} />
          {isHere ? <Sums month={month} rows={rows} /> : <Empty>{t("Nothing is recorded in this month")}</Empty>}
        </>
      )}
    </Panel>
  );
}

interface MonthProps {
  readonly month: number;
  readonly rows: Parameters<typeof weeksOf>[1];
}

function Sums({ month, rows }: MonthProps) {
  const { profit, flows, skipped } = totalsOf(month, rows);
  return (
    <p className={styles.line}>
      <Together label={t("Profit")} total={profit} /> <Together label={t("Flows")} total={flows} />
      {skipped > 0 && (
        <span>{t("Days without a sample: {count}. Their profit is in that of the next day", { count: skipped })}</span>
      )}
    </p>
  );
}

const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: "short", timeZone: "UTC" });
const MONDAY = Date.UTC(2024, 0, 1);
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => weekday.format(new Date(MONDAY + day * DAY_MS)));

/** Days that a key goes forwards; 0 for keys that do not. */
const stepOf = (key: string, grid: Element): number => (key === "ArrowDown" ? 7 : key === "ArrowUp" ? -7 : sideways(key, grid));

/** The grid of a month: one of its days is in the tab order, and arrow keys go to the others. */
function Month({ month, rows, title }: MonthProps & { readonly title: string }) {
  const weeks = useMemo(() => weeksOf(month, rows), [month, rows]);
  const days = weeks.flat().filter((day) => day !== undefined);
  const lastWithProfit = days.findLast(({ profit }) => profit !== undefined) ?? days[0];
  const [chosen, choose] = useState<number>();
  const current = days.find(({ start }) => start === chosen) ?? lastWithProfit;
  const grid = useRef<HTMLTableElement>(null);
  function pressed({ key, currentTarget }: KeyboardEvent): boolean {
    const at = current === undefined ? -1 : days.indexOf(current);
    const step = stepOf(key, currentTarget);
    const to = key === "Home" ? 0 : key === "End" ? days.length - 1 : step === 0 ? undefined : at + step;
    const next = to === undefined ? undefined : days[to];
    if (to === undefined) return false;
    if (next !== undefined) {
      choose(next.start);
      grid.current?.querySelector<HTMLElement>(`[data-day="${next.start}"]`)?.focus();
    }
    return true;
  }
  return (
    <>
      <table
        ref={grid}
        className={styles.month}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of days that arrow keys move in
        role="grid"
        aria-label={`${title}, ${monthOf(month)}`}
        onKeyDown={(event) => {
          if (pressed(event)) event.preventDefault();
        }}
      >
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, at) => (
            <tr key={week.find((day) => day !== undefined)?.start ?? at}>
              {week.map((day, place) =>
                day === undefined ? (
                  <td key={WEEKDAYS[place]} />
                ) : (
                  <DayCell key={day.start} day={day} isCurrent={day === current} onChoose={() => choose(day.start)} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {current !== undefined && (
        <p className={styles.line} aria-hidden="true">
          {wordsOf(current)}
        </p>
      )}
    </>
  );
}

interface DayProps {
  readonly day: Day;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

const DayCell = ({ day, isCurrent, onChoose }: DayProps) => {
  const { start, profit } = day;
  const value = profit?.profit;
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a day of the grid
      role="gridcell"
      data-day={start}
      tabIndex={isCurrent ? 0 : -1}
      aria-selected={isCurrent}
      data-tone={profit === undefined ? "none" : tone(value)}
      onFocus={onChoose}
    >
      <span aria-hidden="true">
        <span className={styles.dayNumber}>{new Date(start).getUTCDate()}</span>
        {profit !== undefined && (
          <>
            <b>{signed(value, 0)}</b>
            <small>{signedPercent(profit.dailyReturn.value)}</small>
          </>
        )}
      </span>
      <span className="hidden">{wordsOf(day)}</span>
    </td>
  );
};

/** A day with all its figures, and why one is missing. */
function wordsOf({ start, profit }: Day): string {
  const day = utcDay(start);
  if (profit === undefined) return start > now() ? `${day}: ${t("not yet")}` : `${day}: ${t("no sample")}`;
  const { value, reason } = profit.dailyReturn;
  const why = profit.profit === null ? ` (${reasonWords(reason ?? "CHANGES_NOT_KNOWN")})` : "";
  return [
    `${day}: ${t("profit")} ${signed(profit.profit, 2)} USDT${why}`,
    `${t("return")} ${signedPercent(value)}${value === null && why === "" ? ` (${reasonWords(reason ?? undefined)})` : ""}`,
    `${t("flows")} ${signed(profit.flows, 2)} USDT`,
    `${t("equity")} ${amount(profit.equity, 2)} USDT`,
  ].join(", ");
}
