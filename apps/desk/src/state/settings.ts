import { compareDecimals, isDecimal } from "@exchange-graph/client";
import { type Layouts, layoutsFrom, type NamedLayouts, namedFrom } from "./layout.js";
import { Store, useStore } from "./store.js";
import { parsed, recall, store } from "./stored.js";

export interface Columns {
  readonly [table: string]: readonly string[];
}

/** Settings of the user, stored in this browser. They contain no secrets. */
export interface Settings {
  /** `system`: that of the operating system. */
  readonly theme: "dark" | "light" | "system";
  /** Language of texts, numbers and dates. */
  readonly language: "en" | "de";
  /** Time zone of times. */
  readonly zone: "local" | "UTC";
  /** Market orders with a higher value than this require a confirmation, in quote coin. */
  readonly confirmAbove: string;
  readonly account: string | null;
  /** The last market that was shown, for example `USDT_FUTURES/BTCUSDT`. */
  readonly market: string;
  readonly interval: string;
  readonly indicators: readonly string[];
  /** Names of markets, such as `SPOT/BTCUSDT`, in the order of the watch list. */
  readonly favourites: readonly string[];
  /** Whether a browser notification and a sound report fills, refusals and positions close to liquidation. */
  readonly notices: { readonly notifications: boolean; readonly sound: boolean };
  /** Keys of actions that the user has changed, by the action. */
  readonly keys: { readonly [action: string]: string };
  /** Whether actions that lead to a write have keys. */
  readonly tradeKeys: boolean;
  /** Order and size of panels, and the folded ones, by page. */
  readonly layouts: Layouts;
  /** Ids of the columns that the user has chosen, by the table. */
  readonly columns: Columns;
  /** Layouts that the user has named. */
  readonly named: NamedLayouts;
}

const KEY = "desk";

const defaults = (): Settings => ({
  theme: "system",
  // Without a browser, in tests, there is neither a navigator nor a storage.
  language: globalThis.navigator?.language.startsWith("de") ? "de" : "en",
  zone: "local",
  confirmAbove: "10000",
  account: null,
  market: "USDT_FUTURES/BTCUSDT",
  interval: "MINUTES_15",
  indicators: [],
  favourites: ["USDT_FUTURES/BTCUSDT", "USDT_FUTURES/ETHUSDT"],
  notices: { notifications: false, sound: false },
  keys: {},
  tradeKeys: false,
  layouts: {},
  columns: {},
  named: {},
});

const oneOf =
  <Word extends string>(...allowed: readonly Word[]) =>
  (value: unknown): Word | undefined =>
    allowed.find((word) => word === value);
const shortText = (value: unknown): string | undefined =>
  typeof value === "string" && value.length <= MAX_TEXT ? value : undefined;
const MAX_TEXT = 100;
const MAX_FAVOURITES = 1_000;

const names = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.flatMap((name) => shortText(name) ?? []).slice(0, MAX_FAVOURITES) : undefined;

const MAX_TABLES = 100;

function columnsFrom(value: unknown): Columns | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const read = Object.entries(value).map(([table, ids]) => [shortText(table), names(ids)] as const);
  return Object.fromEntries(read.filter(([table, ids]) => table && ids).slice(0, MAX_TABLES));
}

/** Reads each setting; undefined for an invalid value. */
const READ: { readonly [Name in keyof Settings]: (value: unknown) => Settings[Name] | undefined } = {
  theme: oneOf("dark", "light", "system"),
  language: oneOf("en", "de"),
  zone: oneOf("local", "UTC"),
  confirmAbove(value) {
    const text = shortText(value);
    return text !== undefined && isDecimal(text) && compareDecimals(text, "0") >= 0 ? text : undefined;
  },
  account: shortText,
  market: shortText,
  interval: shortText,
  indicators: names,
  favourites: names,
  notices: (value) =>
    typeof value === "object" && value !== null
      ? { notifications: Reflect.get(value, "notifications") === true, sound: Reflect.get(value, "sound") === true }
      : undefined,
  keys: (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([action, key]) => [shortText(key)].flatMap((text) => (text ? [[action, text]] : []))),
        )
      : undefined,
  tradeKeys: (value) => value === true,
  layouts: layoutsFrom,
  columns: columnsFrom,
  named: namedFrom,
};

/** The stored settings, as far as this version can read them. */
export function settingsFrom(text: string | null, fresh: Settings): Settings {
  const found = parsed(text);
  if (typeof found !== "object" || found === null) return fresh;
  const read = Object.entries(READ).map(([name, reader]) => [name, reader(Reflect.get(found, name))]);
  return { ...fresh, ...Object.fromEntries(read.filter(([, value]) => value !== undefined)) };
}

export const settings = new Store<Settings>(settingsFrom(recall("browser", KEY), defaults()));

/** Whether they are stored: not where the browser's storage is full, or blocked for this page. */
export const areStored = new Store(true);

/**
 * What other tabs have chosen, with this tab's own view: no other tab changes the account or the market of an order, nor the
 * language of a page whose texts are read.
 */
function shared(text: string | null): Settings {
  const { account, market, interval, language } = settings.value;
  return { ...settingsFrom(text, settings.value), account, market, interval, language };
}

globalThis.addEventListener?.("storage", ({ key, newValue }) => {
  if (key === KEY && newValue !== null) settings.set(shared(newValue));
});

/** Changes settings. Those that another tab has changed meanwhile stay. */
export function change(part: Partial<Settings>): void {
  // Where nothing is stored, what is there is older than this tab's own.
  const next = { ...shared(areStored.value ? recall("browser", KEY) : null), ...part };
  areStored.set(store("browser", KEY, JSON.stringify(next)));
  settings.set(next);
}

/** Adds a market to the favourites, or removes it. */
export function favour(name: string): void {
  const { favourites } = settings.value;
  const others = favourites.filter((one) => one !== name);
  change({ favourites: others.length < favourites.length ? others : [...others, name].slice(-MAX_FAVOURITES) });
}

export const useSettings = (): Settings => useStore(settings);
