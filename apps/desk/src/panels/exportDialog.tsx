import { useEffect, useRef, useState } from "react";
import { dateTime } from "../format/time.js";
import { token } from "../graph/session.js";
import { now } from "../state/clock.js";
import { t } from "../text/text.js";
import buttons from "../ui/button.module.css";
import { Field, Select } from "../ui/controls.js";
import { save } from "../ui/csv.js";
import { Dialog } from "../ui/dialog.js";
import dialog from "../ui/dialog.module.css";
import form from "../ui/form.module.css";
import { download, type ExportChoice, ExportRefused, type Progress } from "./download.js";

const KINDS = [
  { value: "fills", text: t("Fills") },
  { value: "orders", text: t("Order history") },
  { value: "flows", text: t("Changes of balances") },
  { value: "activity", text: t("All activity") },
  { value: "equity", text: t("Equity, by the hour") },
  { value: "performance", text: t("Performance, by month") },
];
const FORMATS = [
  { value: "csv", text: "CSV" },
  { value: "jsonl", text: "JSON Lines" },
];
const WITH_KOINLY = [...FORMATS, { value: "koinly", text: "Koinly (CSV)" }];
/** Kinds that Koinly imports. */
const KOINLY = new Set(["fills", "flows"]);

const DAY_MS = 86_400_000;
const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
const fileOf = ({ account, kind, format, from, to }: ExportChoice): string =>
  `${account}-${kind}-${from}-${to}.${format === "koinly" ? "koinly.csv" : format}`.replaceAll(/[^\w.-]/g, "_");

type State =
  | { readonly is: "idle" | "reading" | "broken" }
  | { readonly is: "refused"; readonly reason: string }
  | { readonly is: "saved"; readonly progress: Progress };

interface Props {
  readonly account: string;
  readonly onClose: () => void;
}

/** Downloads one kind of the account's data over a range of time. Closing the dialog cancels it. */
export function ExportDialog({ account, onClose }: Props) {
  const [choice, choose] = useState(() => ({ kind: "fills", format: "csv", from: day(now() - 30 * DAY_MS), to: day(now()) }));
  const [state, setState] = useState<State>({ is: "idle" });
  const [progress, setProgress] = useState<Progress>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const isReading = state.is === "reading";
  const isWrong = choice.from === "" || choice.to === "" || choice.to < choice.from;
  const edit = (part: Partial<typeof choice>) => {
    const next = { ...choice, ...part };
    choose(next.format === "koinly" && !KOINLY.has(next.kind) ? { ...next, format: "csv" } : next);
  };
  const start = async () => {
    const controller = new AbortController();
    running.current = controller;
    const request = { ...choice, account };
    let last: Progress | undefined;
    setProgress(undefined);
    setState({ is: "reading" });
    const onProgress = (at: Progress) => {
      last = at;
      setProgress(at);
    };
    try {
      const file = await download(request, { token: token.value, signal: controller.signal, onProgress });
      save(fileOf(request), file.type, file);
      setState(last === undefined ? { is: "idle" } : { is: "saved", progress: last });
    } catch (error) {
      if (controller.signal.aborted) setState({ is: "idle" });
      else if (error instanceof ExportRefused) setState({ is: "refused", reason: error.message });
      else setState({ is: "broken" });
    }
  };
  return (
    <Dialog title={t("Export {account}", { account })} onClose={onClose}>
      <form
        className={form.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReading && !isWrong) void start();
        }}
      >
        <Select label={t("Data")} value={choice.kind} onChange={(kind) => edit({ kind })} options={KINDS} />
        <Select
          label={t("Format")}
          value={choice.format}
          onChange={(format) => edit({ format })}
          options={KOINLY.has(choice.kind) ? WITH_KOINLY : FORMATS}
        />
        <Field label={t("From (UTC)")} type="date" value={choice.from} onChange={(from) => edit({ from })} />
        <Field
          label={t("Up to and including (UTC)")}
          type="date"
          value={choice.to}
          onChange={(to) => edit({ to })}
          error={isWrong ? t("The range must end after it begins") : undefined}
        />
        {isReading && <progress aria-label={t("Progress of the export")} value={progress?.share} max={1} />}
        <p role="status">
          {isReading && t("{rows} rows so far", { rows: progress?.rows ?? 0 })}
          {state.is === "saved" && t("Saved: {rows} rows", { rows: state.progress.rows })}
          {state.is === "saved" && state.progress.from.slice(0, 10) > choice.from && (
            <> {t("The exchange keeps nothing from before {time}.", { time: dateTime(state.progress.from, "UTC") })}</>
          )}
        </p>
        {state.is === "refused" && <p role="alert">{state.reason}</p>}
        {state.is === "broken" && <p role="alert">{t("The export broke off, and nothing was saved. Try it again.")}</p>}
        {/* With keys: a button that became the other one within its click would submit the form. */}
        <div className={dialog.end}>
          {isReading ? (
            <button key="cancel" type="button" onClick={() => running.current?.abort()}>
              {t("Cancel the export")}
            </button>
          ) : (
            <button key="start" type="submit" className={buttons.primary} disabled={isWrong}>
              {t("Export")}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
