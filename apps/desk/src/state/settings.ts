import { Store, useStore } from "./store.js";

/** What a reader has chosen. It is kept in this browser, and holds no secret. */
export interface Settings {
  readonly theme: "dark" | "light";
  /** In which time times are shown. */
  readonly zone: "local" | "UTC";
  /** Market orders worth more than this are asked about once more, in quote coin. */
  readonly confirmAbove: string;
  readonly account: string | null;
  /** The last market that was looked at, for example `USDT_FUTURES/BTCUSDT`. */
  readonly market: string;
  readonly interval: string;
  /** Order in which panels stand, and which are folded, by page. */
  readonly layouts: { readonly [page: string]: Layout };
}

export interface Layout {
  readonly folded: readonly string[];
}

const KEY = "desk";

const preferred = (): Settings["theme"] => (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");

const defaults = (): Settings => ({
  theme: preferred(),
  zone: "local",
  confirmAbove: "10000",
  account: null,
  market: "USDT_FUTURES/BTCUSDT",
  interval: "MINUTES_15",
  layouts: {},
});

/** What was kept; of something else than this version has kept, nothing. */
function kept(): Settings {
  const fresh = defaults();
  const text = localStorage.getItem(KEY);
  if (text === null) return fresh;
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== "object" || found === null) return fresh;
    const fits = Object.entries(found).filter(([name, value]) => name in fresh && sameKind(value, Reflect.get(fresh, name)));
    return { ...fresh, ...Object.fromEntries(fits) };
  } catch (error) {
    if (error instanceof SyntaxError) return fresh;
    throw error;
  }
}

const sameKind = (value: unknown, fresh: unknown): boolean => fresh === null || typeof value === typeof fresh;

export const settings = new Store<Settings>(kept());

export function change(part: Partial<Settings>): void {
  const next = { ...settings.value, ...part };
  localStorage.setItem(KEY, JSON.stringify(next));
  settings.set(next);
}

export const useSettings = (): Settings => useStore(settings);
