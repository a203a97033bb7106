import { Store, useStore } from "./store.js";

/** The pages, in the order of the navigation, with the key that opens them after `g`. */
export const PAGES = [
  { path: "overview", name: "Overview", key: "o" },
  { path: "trade", name: "Trade", key: "t" },
  { path: "positions", name: "Positions", key: "p" },
  { path: "earn", name: "Earn & loans", key: "e" },
  { path: "convert", name: "Convert", key: "c" },
  { path: "broker", name: "Broker", key: "b" },
  { path: "journal", name: "Journal", key: "j" },
  { path: "health", name: "Health", key: "h" },
] as const;

export type Page = (typeof PAGES)[number]["path"];

export interface Route {
  readonly page: Page;
  /** Path segments after the page's name, for example `USDT_FUTURES`, `BTCUSDT`. */
  readonly rest: readonly string[];
}

/** Reads the fragment of the URL, for example `#/trade/USDT_FUTURES/BTCUSDT`. */
function read(): Route {
  const [path = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const page = PAGES.find((one) => one.path === path);
  return { page: page?.path ?? "overview", rest: page === undefined ? [] : rest };
}

export const route = new Store<Route>(read());
addEventListener("hashchange", () => route.set(read()));

export const useRoute = (): Route => useStore(route);

export const addressOf = (page: Page, ...rest: string[]): string => `#/${[page, ...rest].map(encodeURIComponent).join("/")}`;

export function go(page: Page, ...rest: string[]): void {
  location.hash = addressOf(page, ...rest);
}
