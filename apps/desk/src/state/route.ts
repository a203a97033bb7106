import { t } from "../text/text.js";
import { Store, useStore } from "./store.js";

/** The pages, in the order of the navigation, with the key that opens them after `g` and the scope that they need. */
export const PAGES = [
  { path: "overview", name: t("Overview"), key: "o", scope: "read:account" },
  { path: "trade", name: t("Trade"), key: "t", scope: "read:market" },
  { path: "positions", name: t("Positions"), key: "p", scope: "read:account" },
  { path: "history", name: t("History"), key: "y", scope: "read:account" },
  { path: "earn", name: t("Earn & loans"), key: "e", scope: "read:account" },
  { path: "convert", name: t("Convert"), key: "c", scope: "read:account" },
  { path: "broker", name: t("Broker"), key: "b", scope: "read:account" },
  { path: "journal", name: t("Journal"), key: "j", scope: "read:account" },
  { path: "health", name: t("Health"), key: "h", scope: "admin" },
] as const;

export type PageTitle = (typeof PAGES)[number];
export type Page = PageTitle["path"];

/** The pages for which a token has the scope. Health says which one it lacks, unless the token is for market data alone. */
export function pagesFor({ scopes }: { readonly scopes: readonly { readonly scope: string }[] }): readonly PageTitle[] {
  const has = (scope: string) => scopes.some((granted) => granted.scope === scope);
  const isForMarketAlone = scopes.every(({ scope }) => scope === "read:market");
  return PAGES.filter(({ scope }) => has(scope) || (scope === "admin" && !isForMarketAlone));
}

export interface Route {
  readonly page: Page;
  /** Path segments after the page's name, for example `USDT_FUTURES`, `BTCUSDT`. */
  readonly rest: readonly string[];
}

/** A part of the address; unchanged if it is malformed, so that the page can show it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Reads the fragment of the URL, for example `#/trade/USDT_FUTURES/BTCUSDT`. */
function read(): Route {
  const [path = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
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
