import { Suspense, useEffect, useRef, useState } from "react";
import { amount, signed, tone } from "../format/format.js";
import { clockTime, span } from "../format/time.js";
import type { Feed } from "../graph/feed.js";
import { line, receivedAt, takeToken, token } from "../graph/session.js";
import { type Account, choose, useAccounts, useEquity } from "../live/accounts.js";
import { profitOf, usePositions } from "../live/positions.js";
import { seconds } from "../state/clock.js";
import { useIsPhone } from "../state/media.js";
import { addressOf, type Page, type PageTitle } from "../state/route.js";
import { change, useSettings } from "../state/settings.js";
import { useStore } from "../state/store.js";
import { useTheme } from "../state/theme.js";
import { useBuilt } from "../state/useBuilt.js";
import { t } from "../text/text.js";
import buttons from "../ui/button.module.css";
import { Field, Select } from "../ui/controls.js";
import { Dialog } from "../ui/dialog.js";
import dialog from "../ui/dialog.module.css";
import form from "../ui/form.module.css";
import { Icon } from "../ui/icon.js";
import { atRest, lazily } from "../ui/parts.js";
import styles from "./topBar.module.css";

const settingsDialog = atRest(() => import("./settingsDialog.js"));
const SettingsDialog = lazily(settingsDialog, ({ SettingsDialog }) => SettingsDialog);

interface TopBarProps {
  /** Pages that the token's scopes allow, and the one that is shown. */
  readonly pages: readonly PageTitle[];
  readonly shown: Page;
  readonly onPalette: () => void;
}

/** The bar above every page. */
export function TopBar({ pages, shown, onPalette }: TopBarProps) {
  const { all, current, viewer } = useAccounts();
  const [isTokenOpen, openToken] = useState(false);
  const [areSettingsOpen, openSettings] = useState(false);
  const { kind, name } = viewer.environment;
  const isPhone = useIsPhone();
  const [isMenuOpen, openMenu] = useState(false);
  const built = useBuilt(all.length);
  const dialogs = (
    <>
      <Suspense>{areSettingsOpen && <SettingsDialog onClose={() => openSettings(false)} />}</Suspense>
      {isTokenOpen && (
        <Dialog title={t("Token")} onClose={() => openToken(false)}>
          <TokenForm onDone={() => openToken(false)} />
        </Dialog>
      )}
    </>
  );
  if (isPhone)
    return (
      <>
        <header className={styles.top} data-environment={kind}>
          <span className={styles.environment}>{kind === "REAL" ? "REAL" : kind}</span>
          {current !== undefined && (
            <Select
              label={t("Account")}
              isLabelHidden
              value={current.name}
              onChange={choose}
              options={all.map((account) => ({ value: account.name, text: account.name }))}
            />
          )}
          <Connection />
          <button type="button" aria-haspopup="dialog" onClick={() => openMenu(true)}>
            {pages.find(({ path }) => path === shown)?.name} ▾
          </button>
        </header>
        {isMenuOpen && (
          <Dialog title={t("Pages")} onClose={() => openMenu(false)} className={styles.menu}>
            <Navigation pages={pages} shown={shown} onGo={() => openMenu(false)} />
            {all.map((account) => (
              <Chip key={account.name} account={account} isChosen={account.name === current?.name} isBuilt />
            ))}
            <div className={dialog.end}>
              <button type="button" onClick={onPalette}>
                {t("Search")}
              </button>
              {!viewer.isAnonymous && (
                <button type="button" onClick={() => openToken(true)}>
                  {t("Token")}
                </button>
              )}
              <button type="button" onClick={() => openSettings(true)}>
                {t("Settings")}
              </button>
            </div>
          </Dialog>
        )}
        {dialogs}
      </>
    );
  return (
    <>
      <header className={styles.top} data-environment={kind}>
        <a className={styles.brand} href={addressOf(pages[0]?.path ?? "trade")}>
          exchange-graph
        </a>
        <span className={styles.environment} title={name}>
          {kind === "REAL" ? t("REAL MONEY") : kind}
          <small>{name}</small>
        </span>
        <fieldset className={styles.chips}>
          <legend className="hidden">{t("Account")}</legend>
          {all.map((account, index) => (
            <Chip key={account.name} account={account} isChosen={account.name === current?.name} isBuilt={index < built} />
          ))}
        </fieldset>
        <div className={styles.end}>
          <Connection />
          <Clock />
          <button type="button" className={buttons.icon} aria-label={t("Search and commands")} title="Ctrl K" onClick={onPalette}>
            <Icon name="search" />
          </button>
          {!viewer.isAnonymous && (
            <button
              type="button"
              className={buttons.icon}
              aria-label={t("Token")}
              title={viewer.name ?? ""}
              onClick={() => openToken(true)}
            >
              <Icon name="key" />
            </button>
          )}
          <button
            type="button"
            className={buttons.icon}
            aria-label={t("Settings")}
            title={t("Settings")}
            onClick={() => openSettings(true)}
          >
            <Icon name="sliders" />
          </button>
          <ThemeButton />
          <a className={styles.graphiql} href="/graphiql" target="_blank" rel="noreferrer">
            GraphiQL
          </a>
        </div>
        <Navigation pages={pages} shown={shown} />
      </header>
      {dialogs}
    </>
  );
}

interface NavigationProps extends Pick<TopBarProps, "pages" | "shown"> {
  /** Called when a page is chosen. */
  readonly onGo?: () => void;
}

function Navigation({ pages, shown, onGo }: NavigationProps) {
  return (
    <nav className={styles.nav} aria-label={t("Pages")}>
      {pages.map(({ path, name, key }) => (
        <a key={path} href={addressOf(path)} onClick={onGo} aria-current={path === shown ? "page" : undefined} title={`g ${key}`}>
          {name}
        </a>
      ))}
    </nav>
  );
}

interface ChipProps {
  readonly account: Account;
  readonly isChosen: boolean;
  /** Whether its figures are built; before that only the name is shown. */
  readonly isBuilt: boolean;
}

/** Room above a chip in the list of many. */
const EDGE_PX = 5;

/** One account: its mode and its figures. */
function Chip({ account: { name, mode }, isChosen, isBuilt }: ChipProps) {
  const chip = useRef<HTMLLabelElement>(null);
  useEffect(() => {
    const { parentElement: list, offsetTop = 0 } = chip.current ?? {};
    if (isChosen && list instanceof HTMLFieldSetElement) list.scrollTop = offsetTop - EDGE_PX;
  }, [isChosen]);
  return (
    <label ref={chip} className={styles.chip} data-account={name}>
      <input type="radio" name="account" value={name} checked={isChosen} onChange={() => choose(name)} />
      <span className={styles.chipName}>
        {name} <small>{mode === null ? "" : mode === "UNIFIED" ? t("unified") : t("classic")}</small>
      </span>
      <span className={styles.chipFigures}>{isBuilt ? <Figures name={name} /> : <span>{amount(undefined)}</span>}</span>
    </label>
  );
}

/** The current equity of an account, and the profit of its open positions. */
function Figures({ name }: Pick<Account, "name">) {
  const { equity, fault } = useEquity(name);
  const { rows: positions, feed } = usePositions(name);
  const profit = profitOf(positions);
  return (
    <>
      <span title={equity === undefined && fault ? t("Equity: {message}", { message: fault.message }) : t("Equity, USDT")}>
        {amount(equity, 2)}
      </span>
      <span className={tone(profit)} title={reasonOf(profit, feed) ?? t("Unrealised profit, USDT")}>
        {signed(profit, 2)}
      </span>
    </>
  );
}

/** Why a figure is missing; undefined if it is there. */
const reasonOf = (profit: string | null, { faults, phase }: Feed): string | undefined =>
  profit !== null
    ? undefined
    : t("Unrealised profit: {value}", {
        value: faults[0]?.message ?? (phase === "loading" ? t("not read yet") : t("a part of it is missing")),
      });

/** State of the connection to the gateway, and the time of its last message. */
function Connection() {
  const { state, since } = useStore(line);
  const last = useStore(receivedAt);
  const time = useStore(seconds);
  const word = { connecting: t("connecting"), live: t("live"), lost: t("lost") }[state];
  const from = { connecting: undefined, live: last, lost: since }[state];
  return (
    <span className={styles.connection} data-state={state} role="status" aria-label={t("Gateway {state}", { state })}>
      <i aria-hidden="true" />
      {word} {from !== undefined && <span aria-hidden="true">{span(Math.max(0, time - from))}</span>}
    </span>
  );
}

/** The time, in the selected time zone; a click switches it. */
function Clock() {
  const time = useStore(seconds);
  const { zone } = useSettings();
  return (
    <button
      type="button"
      className={styles.clock}
      title={t("Change between local time and UTC")}
      onClick={() => change({ zone: zone === "UTC" ? "local" : "UTC" })}
    >
      {clockTime(time, zone)} <small>{zone === "UTC" ? "UTC" : t("local")}</small>
      <span className="hidden">
        {t(", change to")} {zone === "UTC" ? t("local time") : "UTC"}
      </span>
    </button>
  );
}

function ThemeButton() {
  const theme = useTheme();
  const other = theme === "dark" ? "light" : "dark";
  return (
    <button
      type="button"
      className={buttons.icon}
      aria-label={t("Change to the {other} theme", { other })}
      title={t("{other} theme", { other })}
      onClick={() => change({ theme: other })}
    >
      <Icon name={theme === "dark" ? "sun" : "moon"} />
    </button>
  );
}

interface TokenFormProps {
  /** Called with another token, or none. Without it nobody is signed in. */
  readonly onDone?: () => void;
  readonly refused?: string | undefined;
}

/** Form for a token. It stays in memory, and on request in this tab's session storage. */
export function TokenForm({ onDone, refused }: TokenFormProps) {
  const [text, setText] = useState("");
  const [isKept, keep] = useState(false);
  const isKnown = useStore(token) !== "";
  return (
    <form
      className={styles.tokenForm}
      onSubmit={(event) => {
        event.preventDefault();
        takeToken(text.trim(), isKept);
        onDone?.();
      }}
    >
      <Field label={t("Token")} type="password" value={text} onChange={setText} error={isKnown ? refused : undefined} />
      <label className={form.check}>
        <input type="checkbox" checked={isKept} onChange={(event) => keep(event.target.checked)} />
        {t("Keep it for this tab until it is closed")}
      </label>
      <button type="submit" className={buttons.primary} disabled={text.trim() === ""}>
        {t("Use this token")}
      </button>
      {onDone !== undefined && (
        <button
          type="button"
          onClick={() => {
            takeToken("", false);
            onDone();
          }}
        >
          {t("Sign out")}
        </button>
      )}
    </form>
  );
}
