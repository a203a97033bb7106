import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { clockTime, span } from "../format/time.js";
import type { Fault } from "../graph/fault.js";
import type { Feed } from "../graph/feed.js";
import { line } from "../graph/session.js";
import { NO_GATEWAY } from "../graph/useLive.js";
import { announceInterruption } from "../state/announcements.js";
import { seconds } from "../state/clock.js";
import { useSettings } from "../state/settings.js";
import { useStore } from "../state/store.js";
import { t } from "../text/text.js";
import { Corner, Grip, usePlace } from "./board.js";
import { Boundary } from "./boundary.js";
import styles from "./panel.module.css";
import { PanelTools } from "./panelTools.js";
import { Empty, Failed, Loading, Refused } from "./state.js";
import { useKeptFocus } from "./useKeptFocus.js";

interface PanelProps {
  readonly title: string;
  /** Sources of its data: the first is the main one, the others keep it up to date. */
  readonly feeds: readonly Feed[];
  /** Whether its data is present. A part of an answer may be missing. */
  readonly has: boolean;
  /** Shown instead of the content if there is no data. */
  readonly empty?: string | false | undefined;
  readonly actions?: ReactNode;
  readonly className?: string | undefined;
  /** Class of the part below the header. */
  readonly bodyClassName?: string | undefined;
  /** Open dialogs: they stay where the content goes, for example when the last row of a list ends. */
  readonly dialogs?: ReactNode;
  readonly children?: ReactNode;
}

/** One panel: its title, the age and source of its data, and its state for every kind of failure. */
export function Panel({ title, feeds, has, empty, actions, className = "", bodyClassName = "", dialogs, children }: PanelProps) {
  const heading = useId();
  const section = useRef<HTMLElement>(null);
  const focus = useKeptFocus(section);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const { id, style, size, isFolded, fold } = usePlace();
  const faults = feeds.flatMap((feed) => feed.faults);
  const { state, since } = useStore(line);
  // Data that was read before the connection was lost may be outdated; streams have a state of their own.
  const isLost = state === "lost";
  const isCut = isLost && feeds.some(({ at }) => at !== undefined && at < since);
  const isStale = isCut || feeds.some(({ stale }) => stale);
  const [first] = feeds;
  const broken = isLost ? NO_GATEWAY : feeds.find((feed) => feed.broken !== undefined)?.broken;
  const retryAt = feeds.find((feed) => feed.retryAt !== undefined)?.retryAt;
  const isSized = size.h !== undefined && !isFolded;
  return (
    <section
      ref={section}
      {...focus}
      className={`${styles.panel} ${className} ${isFolded ? styles.folded : ""}`}
      aria-labelledby={heading}
      data-panel={id}
      data-sized={isSized || undefined}
      style={style}
    >
      <header>
        <h2 id={heading}>
          <button type="button" className={styles.fold} aria-expanded={!isFolded} onClick={fold}>
            {title}
          </button>
        </h2>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        {!isFolded && has && isStale && broken !== undefined && <Interrupted reason={broken} feeds={feeds} />}
        <div className={styles.origin}>
          <Freshness feeds={feeds} isStale={isStale} />
          <span ref={setTools} />
          {first !== undefined && <ShowQuery feed={first} title={title} />}
          <Grip title={title} />
        </div>
      </header>
      {!isFolded && (
        <div className={`${styles.body} ${bodyClassName} ${isStale ? styles.stale : ""}`}>
          {has ? (
            <>
              {faults.slice(0, NOTICES).map((fault) => (
                <Notice key={`${fault.codeRaw}${fault.place}`} fault={fault} retryAt={retryAt} />
              ))}
              {faults.length > NOTICES && (
                <p className={styles.notice}>{t("{count} more", { count: faults.length - NOTICES })}</p>
              )}
              {empty ? (
                <Empty>{empty}</Empty>
              ) : (
                <PanelTools value={tools}>
                  <Boundary>{children}</Boundary>
                </PanelTools>
              )}
            </>
          ) : (
            <Missing faults={faults} feeds={feeds} retryAt={retryAt} broken={broken} />
          )}
        </div>
      )}
      {!isFolded && <Corner />}
      {dialogs !== undefined && <Boundary>{dialogs}</Boundary>}
    </section>
  );
}

/** Number of faults that a panel names: an exchange that is gone is one for each field of each account. */
const NOTICES = 3;

interface MissingProps {
  readonly faults: readonly Fault[];
  readonly feeds: readonly Feed[];
  readonly retryAt: number | undefined;
  readonly broken: string | undefined;
}

/** The reason why a panel has no data. */
function Missing({ faults, feeds, retryAt, broken }: MissingProps) {
  const [fault] = faults;
  if (fault === undefined)
    return broken === undefined ? (
      <Loading>{t("Loading…")}</Loading>
    ) : (
      <Failed>
        <b>{t("Interrupted")}</b>
        <span>
          {broken}
          {t(". The desk reconnects automatically.")}
        </span>
      </Failed>
    );
  if (fault.code === "FORBIDDEN")
    return fault.scope === undefined ? (
      <Refused>
        <b>{t("Not for this account")}</b>
        {fault.message}
      </Refused>
    ) : (
      <Forbidden scope={fault.scope} />
    );
  return (
    <Failed>
      <b>{fault.codeRaw}</b>
      <span>{fault.message}</span>
      <Retry at={retryAt} />
      <button
        type="button"
        onClick={() => {
          for (const feed of feeds) feed.refresh();
        }}
      >
        {t("Try again")}
      </button>
    </Failed>
  );
}

/** Names the missing scope of the token. */
export const Forbidden = ({ scope }: { readonly scope: string }) => (
  <Refused>
    <b>{t("Not for this token")}</b>
    {t("It needs the scope {scope}.", { scope })}
  </Refused>
);

/** The reason of an interruption, and the time of the latest data: in the head, so that no button moves under the pointer. */
function Interrupted({ reason, feeds }: { readonly reason: string; readonly feeds: readonly Feed[] }) {
  const { zone } = useSettings();
  useEffect(() => announceInterruption(reason), [reason]);
  const words = `${reason}${t(". Nothing new since")} ${clockTime(newestOf(feeds)?.at, zone)}${t(". The desk reconnects automatically.")}`;
  return (
    <p className={styles.interrupted} data-state="interrupted" title={words}>
      {words}
    </p>
  );
}

/** The feed with the newest data; undefined without any. */
const newestOf = (feeds: readonly Feed[]): Feed | undefined =>
  feeds.reduce<Feed | undefined>((best, feed) => ((feed.at ?? 0) > (best?.at ?? 0) ? feed : best), undefined);

const SECOND_MS = 1_000;

/** Time of the automatic retry. */
function Retry({ at }: { readonly at: number | undefined }) {
  const time = useStore(seconds);
  if (at === undefined) return null;
  return (
    <span className="muted">
      {t("Asked again in")} {Math.max(1, Math.ceil((at - time) / SECOND_MS))} s.
    </span>
  );
}

function Notice({ fault, retryAt }: { readonly fault: Fault; readonly retryAt: number | undefined }) {
  const words =
    fault.code === "FORBIDDEN" && fault.scope !== undefined
      ? t("needs the scope {scope}", { scope: fault.scope })
      : fault.message;
  return (
    <p className={styles.notice} data-state="partial">
      <b>{fault.codeRaw}</b> {fault.place !== "" && <code>{fault.place}</code>} {words}{" "}
      {fault.retryable && <Retry at={retryAt} />}
    </p>
  );
}

const OLD_MS = 30_000;

/** Age and source of the data: `STREAM now`, `REST 3 s`. Its title has the time of the last comparison with the exchange. */
function Freshness({ feeds, isStale }: { readonly feeds: readonly Feed[]; readonly isStale: boolean }) {
  const time = useStore(seconds);
  const { zone } = useSettings();
  const newest = newestOf(feeds);
  if (newest?.at === undefined) return null;
  const age = Math.max(0, time - newest.at);
  const mood = isStale ? "stale" : age > OLD_MS ? "old" : "fresh";
  const compared = feeds.map(({ comparedAt }) => comparedAt).filter((at) => at !== undefined);
  const comparison =
    compared.length === 0
      ? ""
      : t(". Last compared with the exchange at {time}", { time: clockTime(Math.min(...compared), zone) });
  return (
    <span data-age={mood} title={t("Source: {source}{comparison}", { source: newest.source, comparison })}>
      {isStale && <b>{t("stale")}</b>} <span data-source>{newest.source}</span> {span(age)}
    </span>
  );
}

/** GraphiQL with the panel's own document. */
function ShowQuery({ feed: { document, variables }, title }: { readonly feed: Feed; readonly title: string }) {
  const words = useMemo(
    () => new URLSearchParams({ query: document, variables: JSON.stringify(variables, undefined, 2) }).toString(),
    [document, variables],
  );
  return (
    <a
      className={styles.query}
      href={`/graphiql#${words}`}
      target="_blank"
      rel="noreferrer"
      aria-label={t("Show query of {title}", { title })}
      title={t("Show query in GraphiQL")}
    >
      {"{ }"}
    </a>
  );
}
