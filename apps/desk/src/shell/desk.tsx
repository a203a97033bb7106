import { Suspense, useEffect, useEffectEvent, useState } from "react";
import { Provider } from "urql";
import { refusal, session } from "../graph/session.js";
import { AccountsOf, useAccounts, useStart } from "../live/accounts.js";
import { interruptions } from "../state/announcements.js";
import { type Page, pagesFor, route, useRoute } from "../state/route.js";
import { useStore } from "../state/store.js";
import { useBuilt } from "../state/useBuilt.js";
import { t } from "../text/text.js";
import { atRest, isReplaced, lazily, loaded } from "../ui/parts.js";
import { Failed, Loading } from "../ui/state.js";
import { Actions } from "./actions.js";
import styles from "./desk.module.css";
import { HaltBanner } from "./haltBanner.js";
import { useKeys } from "./keys.js";
import { Notices } from "./notices.js";
import { Palette } from "./palette.js";
import { TokenForm, TopBar } from "./topBar.js";

const sheet = atRest(() => import("./keySheet.js"));
const KeySheet = lazily(sheet, ({ KeySheet }) => KeySheet);

/** Each page is loaded when it is first opened. */
const LOADERS = {
  overview: () => import("../pages/overview.js"),
  trade: () => import("../pages/trade.js"),
  positions: () => import("../pages/positions.js"),
  history: () => import("../pages/history.js"),
  earn: () => import("../pages/earn.js"),
  convert: () => import("../pages/convert.js"),
  broker: () => import("../pages/broker.js"),
  journal: () => import("../pages/journal.js"),
  health: () => import("../pages/health.js"),
} satisfies { readonly [page in Page]: () => Promise<unknown> };

const VIEWS: { readonly [page in Page]: React.LazyExoticComponent<React.FunctionComponent> } = {
  overview: lazily(LOADERS.overview, ({ Overview }) => Overview),
  trade: lazily(LOADERS.trade, ({ Trade }) => Trade),
  positions: lazily(LOADERS.positions, ({ Positions }) => Positions),
  history: lazily(LOADERS.history, ({ History }) => History),
  earn: lazily(LOADERS.earn, ({ EarnAndLoans }) => EarnAndLoans),
  convert: lazily(LOADERS.convert, ({ Convert }) => Convert),
  broker: lazily(LOADERS.broker, ({ Broker }) => Broker),
  journal: lazily(LOADERS.journal, ({ Journal }) => Journal),
  health: lazily(LOADERS.health, ({ Health }) => Health),
};
/** Loads the page of the address. */
export const loadPage = (): unknown => loaded<unknown>(LOADERS[route.value.page]);

interface DeskProps {
  /** Called once its components have begun their reads. */
  readonly onBegun: () => void;
}

/** The whole desk, with urql for its reads. */
export function Desk({ onBegun }: DeskProps) {
  const { urql, token } = useStore(session);
  const begun = useEffectEvent(onBegun);
  // Effects of the components below have run.
  useEffect(() => begun(), []);
  return (
    <Provider value={urql}>
      {/* Nothing that was read with another token stays on the screen. */}
      <View key={token} />
    </Provider>
  );
}

/** A field for the token if one is required, or is no longer accepted; otherwise the bar and the page of the URL. */
function View() {
  const { page } = useRoute();
  const start = useStart();
  const [fault] = start.faults;
  // The fault of the first answer is here before the store reports it.
  const refused = useStore(refusal) ?? (fault?.code === "UNAUTHENTICATED" ? fault.message : undefined);
  const [isPaletteOpen, openPalette] = useState(false);
  const [isSheetOpen, openSheet] = useState(false);
  useKeys(
    () => openPalette(true),
    () => openSheet(true),
  );
  if (refused !== undefined || start.data === undefined)
    return (
      <>
        <Door refused={refused} fault={fault} onRetry={start.refresh} />
        <Actions />
      </>
    );
  return (
    <AccountsOf start={start.data}>
      <Whole page={page} onPalette={() => openPalette(true)} />
      <Suspense>{isSheetOpen && <KeySheet onClose={() => openSheet(false)} />}</Suspense>
      {isPaletteOpen && <Palette pages={pagesFor(start.data.viewer)} onClose={() => openPalette(false)} />}
    </AccountsOf>
  );
}

interface WholeProps {
  readonly page: Page;
  readonly onPalette: () => void;
}

/** The bar, the reports, and the page: built in a task each. */
function Whole({ page, onPalette }: WholeProps) {
  const { all, current, lost, viewer } = useAccounts();
  const built = useBuilt(3);
  const pages = pagesFor(viewer);
  const shown = pages.some(({ path }) => path === page) ? page : (pages[0]?.path ?? "trade");
  const Shown = VIEWS[shown];
  const loading = <Loading>{t("Loading…")}</Loading>;
  return (
    <>
      <button type="button" className={styles.skip} onClick={skip}>
        {t("Skip to the content")}
      </button>
      <TopBar pages={pages} shown={shown} onPalette={onPalette} />
      <Interruptions />
      {built > 1 && <Notices />}
      <main id="content" tabIndex={-1} className={styles.page} data-page={shown}>
        {/* What is open for an account that is not there any more is closed: it would act on the one that is shown instead. */}
        <Suspense fallback={loading}>{built > 2 ? <Shown key={lost} /> : loading}</Suspense>
      </main>
      {/* Below the page: above it, each would move a row or a button under the pointer. */}
      <div className={styles.notices}>
        {lost !== undefined && (
          <p className={styles.notice} role="alert">
            {t("The account {lost} is not there any more. This is {current}.", { lost, current: current?.name ?? "–" })}
          </p>
        )}
        <Replaced />
        {built > 1 && all.length > 0 && <HaltBanner />}
        <Actions />
      </div>
    </>
  );
}

/** A link would not do: the fragment of the address names the page. */
const skip = (): void => document.getElementById("content")?.focus();

/** Shown once a part of the page is missing because the gateway was updated. */
function Replaced() {
  if (!useStore(isReplaced)) return null;
  return (
    <p className={styles.notice} role="alert">
      {t("The gateway has another version of this page now, and parts of this one are gone.")}{" "}
      <button type="button" onClick={() => location.reload()}>
        {t("Load the page anew")}
      </button>
    </p>
  );
}

/** Announces each interruption once, however many panels it concerns. */
function Interruptions() {
  const reasons = [...useStore(interruptions).keys()];
  return (
    <p className="hidden" role="status">
      {reasons.length > 0 && `${reasons.join(". ")}.`}
    </p>
  );
}

interface DoorProps {
  readonly refused: string | undefined;
  readonly fault: ReturnType<typeof useStart>["faults"][number] | undefined;
  readonly onRetry: () => void;
}

/** Shown while the principal is not known: the token form, or the reason of a failure. */
function Door({ refused, fault, onRetry }: DoorProps) {
  return (
    <main className="door">
      <h1>exchange-graph</h1>
      {refused !== undefined ? (
        <>
          <p>{t("This gateway answers only to those whom it knows.")}</p>
          <TokenForm refused={refused} />
        </>
      ) : fault === undefined ? (
        <p className="muted">{t("Connecting to the gateway…")}</p>
      ) : (
        <Failed>
          <b>{fault.codeRaw}</b>
          <span>{fault.message}</span>
          <button type="button" onClick={onRetry}>
            {t("Try again")}
          </button>
        </Failed>
      )}
    </main>
  );
}
