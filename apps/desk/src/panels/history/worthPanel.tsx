import { type ReactNode, Suspense, useMemo, useState } from "react";
import { amount, percent, signed, tone } from "../../format/format.js";
import { span } from "../../format/time.js";
import { now } from "../../state/clock.js";
import { useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import { Choice } from "../../ui/controls.js";
import { Panel } from "../../ui/panel.js";
import { lazily } from "../../ui/parts.js";
import { Loading } from "../../ui/state.js";
import { type Drawn, type Line, styleOf } from "./lines.js";
import { Incomplete, type Shown, shown } from "./shown.js";
import { indexText, LINE_TONES, type Measure, type Tracked, unionOf, valuesOf } from "./tracks.js";
import { type Named, useWorths, type Wanted } from "./useWorths.js";
import { gapWords, slotTime, sourceWords } from "./words.js";
import { absences, type Slot, trackOf } from "./worth.js";
import styles from "./worthPanel.module.css";

const WorthChart = lazily(
  () => import("./worthChart.js"),
  ({ WorthChart }) => WorthChart,
);
const WorthTable = lazily(
  () => import("./worthTable.js"),
  ({ WorthTable }) => WorthTable,
);

const NO_CURVES: readonly Named[] = [];

/** What accounts were worth over time: its curve with drawdown, flows and gaps, or the same as a table. */
export function WorthPanel({ wanted }: { readonly wanted: Wanted }) {
  const { scope, account, interval, range } = wanted;
  const found = useWorths(wanted);
  const { curves = NO_CURVES, missing } = found;
  const [isTable, setTable] = useState(false);
  const [measure, setMeasure] = useState<Measure>("index");
  const { zone } = useSettings();
  const tracks = useMemo(
    () =>
      curves
        .filter(({ worths }) => worths.points.length > 0)
        .map(({ name, worths }, at): Tracked => ({ name, at, track: trackOf(worths, interval) })),
    [curves, interval],
  );
  const isEach = scope === "each";
  const used: Measure = isEach ? measure : "equity";
  const drawn = useMemo((): Drawn => {
    const lines = tracks.map(
      ({ name, at, track }): Line => ({
        title: isEach ? (name ?? "") : "",
        tone: isEach ? LINE_TONES[at] : undefined,
        slots: track.slots,
        values: valuesOf(track, used),
      }),
    );
    return {
      of: `${scope} ${account} ${range} ${used}`,
      slots: unionOf(lines),
      lines: lines.slice(0, LINE_TONES.length),
      hasFlows: !isEach,
    };
  }, [tracks, isEach, used, scope, account, range]);
  const empty: Shown = shown(found.feeds, {
    has: found.curves !== undefined,
    empty: tracks.length === 0 && t("Nothing is recorded in this range"),
  });
  const title = isEach
    ? t("Accounts compared")
    : scope === "all"
      ? t("Equity of all accounts")
      : t("Equity of {account}", { account });
  const at = (index: number): Slot | undefined => drawn.slots[index];
  const figures = (index: number): readonly Figured[] => {
    const slot = at(index);
    if (slot === undefined) return [];
    if (!isEach) return figuresOf(slot);
    return tracks.map(({ name, at: place, track }) => {
      const own = track.slots.find((one) => one.at === slot.at);
      const value = own && valuesOf({ ...track, slots: [own] }, used).get(own);
      return { name: name ?? "", text: used === "index" ? indexText(value) : amount(value, 2), tone: LINE_TONES[place] ?? "" };
    });
  };
  const timeAt = (index: number): string => {
    const slot = at(index);
    return slot === undefined ? "" : slotTime(slot, interval, zone, now());
  };
  return (
    <Panel
      title={title}
      {...empty}
      bodyClassName={styles.body}
      actions={
        <>
          {isEach && (
            <Choice
              label={t("Compared by")}
              value={measure}
              onChange={setMeasure}
              options={[
                { value: "index", text: t("Indexed to 100") },
                { value: "equity", text: "USDT" },
              ]}
            />
          )}
          <button
            type="button"
            title={t("Chart as table")}
            aria-label={t("Chart as table")}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            ▤
          </button>
          <Incomplete missing={scope === "one" ? [] : missing} />
        </>
      }
    >
      <Suspense fallback={<Loading>{t("Loading the chart…")}</Loading>}>
        {isTable ? (
          <WorthTable name={title} tracks={tracks} measure={used} isEach={isEach} interval={interval} slots={drawn.slots} />
        ) : (
          <WorthChart
            label={title}
            drawn={drawn}
            interval={interval}
            wordsAt={(index) => `${timeAt(index)}: ${figures(index).map(wordsOf).join(", ")}`}
            legendAt={(index) => (
              <>
                <span className="muted">{timeAt(index)}</span>
                {figures(index).map((figure) => (
                  <span key={figure.name}>
                    <span className={isEach ? figure.tone : "muted"}>{figure.name}</span>{" "}
                    <span className={isEach ? "" : figure.tone}>{figure.text}</span>
                  </span>
                ))}
              </>
            )}
          />
        )}
      </Suspense>
      <Key tracks={tracks} isEach={isEach} measure={used} missing={missing} />
    </Panel>
  );
}

interface Figured {
  readonly name: string;
  readonly text: string;
  readonly tone: string;
}

const wordsOf = ({ name, text }: Figured): string => `${name} ${text}`.trim();

/** The figures of one time of one curve. */
function figuresOf({ point, gap, drawdown }: Slot): readonly Figured[] {
  if (point === undefined) return [{ name: t("No sample"), text: gap === undefined ? "" : gapWords(gap.reason), tone: "" }];
  const { equity, change, source } = point;
  const flows = change === null ? null : change.flows;
  return [
    { name: t("Equity, USDT"), text: amount(equity, 2), tone: "" },
    { name: t("Drawdown"), text: percent(drawdown), tone: "" },
    { name: t("Change of equity"), text: signed(change?.total, 2), tone: tone(change?.total) },
    ...(tone(flows) === "flat" && flows !== null ? [] : [{ name: t("of it flows"), text: signed(flows, 2), tone: "" }]),
    ...(source === "STREAM" ? [] : [{ name: "", text: sourceWords(source), tone: "muted" }]),
  ];
}

interface KeyProps {
  readonly tracks: readonly Tracked[];
  readonly isEach: boolean;
  readonly measure: Measure;
  readonly missing: readonly string[];
}

/** What the lines and marks mean, and how long there was no sample. */
function Key({ tracks, isEach, measure, missing }: KeyProps) {
  const sources = new Set(tracks.flatMap(({ track }) => track.slots.flatMap(({ point }) => point?.source ?? [])));
  const hasFlows = !isEach && tracks.some(({ track }) => track.slots.some(({ point }) => tone(point?.change?.flows) !== "flat"));
  const unknown = tracks.filter(({ track }) => track.indexedFrom !== track.slots.find(({ point }) => point !== undefined)?.at);
  return (
    <ul className={styles.key}>
      {!isEach &&
        [...sources].map((source) => (
          <Swatch key={source} name={styleOf(source)}>
            {sourceWords(source)}
          </Swatch>
        ))}
      {!isEach && (
        <Swatch name="drawdown">{t("drawdown from the highest value before, without deposits and withdrawals")}</Swatch>
      )}
      {hasFlows && <li>{t("↑ ↓ deposits, withdrawals and transfers, in USDT")}</li>}
      {isEach && measure === "index" && (
        <li>{t("Without deposits and withdrawals: the time-weighted index, 100 at the start")}</li>
      )}
      {missing.length > 0 && (
        <li className="warn">{t("Nothing is recorded in this range of {accounts}", { accounts: missing.join(", ") })}</li>
      )}
      {unknown.length > 0 && (
        <li className="warn">
          {t("There is no drawdown or index where changes of balances are not known")}
          {isEach && `: ${unknown.map(({ name }) => name).join(", ")}`}
        </li>
      )}
      {isEach && tracks.length > LINE_TONES.length && (
        <li className="warn">{t("The first {count} are drawn; the table has all", { count: LINE_TONES.length })}</li>
      )}
      {tracks.map(({ name, track }) =>
        [...absences(track)].map(([reason, ms]) => (
          <Swatch key={`${name} ${reason}`} name="gap">
            {isEach && `${name}: `}
            {t("no sample for {time}", { time: span(ms) })}
            {reason !== undefined && `: ${gapWords(reason)}`}
          </Swatch>
        )),
      )}
    </ul>
  );
}

const Swatch = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <li>
    <i className={styles.swatch} data-line={name} aria-hidden="true" /> {children}
  </li>
);
