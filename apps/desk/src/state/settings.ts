import { compareDecimals, isDecimal } from "@exchange-graph/client";
import { isObject, type Layouts, layoutsFrom, type NamedLayouts, namedFrom } from "./layout.js";
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

/** Each setting is stored by itself, so that tabs which change different ones at the same moment lose none of them. */
const PREFIX = "desk.";
/** Where versions before 0.3 have stored all of them. */
const FORMER_KEY = "desk";

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

/** A setting as it is stored; nothing if this version cannot read it. */
function settingFrom<Name extends keyof Settings>(name: Name, value: unknown): Partial<Settings> {
  const read = READ[name](value);
  return read === undefined ? {} : { [name]: read };
}

const NAMES = Object.keys(READ).filter((name): name is keyof Settings => name in READ);

/**
 * What each tab chooses for itself: no other tab changes the account or the market of an order, nor the language of a page whose
 * texts are read. The tab keeps them when it is loaded again; a new tab begins with the last choice of all.
 */
const OWN: ReadonlySet<string> = new Set<keyof Settings>(["account", "market", "interval", "language"]);

function stored(): Partial<Settings> {
  const former = parsed(recall("browser", FORMER_KEY));
  const formerly = (name: string): unknown => (isObject(former) ? Reflect.get(former, name) : undefined);
  const textOf = (name: string) => (OWN.has(name) ? recall("tab", PREFIX + name) : null) ?? recall("browser", PREFIX + name);
  const read = NAMES.map((name) => settingFrom(name, parsed(textOf(name)) ?? formerly(name)));
  return Object.assign({}, ...read);
}

/** Stores a setting, for this tab too if it is its own; returns whether it is stored. */
function keep(name: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  return [!OWN.has(name) || store("tab", PREFIX + name, text), store("browser", PREFIX + name, text)].every(Boolean);
}

export const settings = new Store<Settings>({ ...defaults(), ...stored() });
for (const name of NAMES) if (OWN.has(name)) store("tab", PREFIX + name, JSON.stringify(settings.value[name]));

/** Whether they are stored: not where the browser's storage is full, or blocked for this page. */
export const areStored = new Store(true);

globalThis.addEventListener?.("storage", ({ key, newValue }) => {
  const name = NAMES.find((one) => PREFIX + one === key);
  if (name !== undefined && !OWN.has(name)) settings.update((now) => ({ ...now, ...settingFrom(name, parsed(newValue)) }));
});

export function change(part: Partial<Settings>): void {
  const kept = Object.entries(part).map(([name, value]) => keep(name, value));
  areStored.set(kept.every(Boolean));
  settings.update((now) => ({ ...now, ...part }));
}

/** Adds a market to the favourites, or removes it. */
export function favour(name: string): void {
  const { favourites } = settings.value;
  const others = favourites.filter((one) => one !== name);
  change({ favourites: others.length < favourites.length ? others : [...others, name].slice(-MAX_FAVOURITES) });
}

export const useSettings = (): Settings => useStore(settings);
