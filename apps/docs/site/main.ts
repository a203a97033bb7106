import MiniSearch, { type SearchResult } from "minisearch";
import { SEARCH_OPTIONS, type SearchEntry } from "./searchOptions.js";

/** Address of the index, inserted by the build. */
declare const SEARCH_INDEX: string;

const SHOWN = 12;
const THEME = "exchange-graph-docs-theme";

function element<T extends Element>(selector: string, kind: new () => T): T {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

const field = element("#search", HTMLInputElement);
const list = element("#found", HTMLOListElement);

// The navigation is open on wide screens.
element("#pages", HTMLDetailsElement).open = matchMedia("(min-width: 60rem)").matches;

const root = document.documentElement;
const chosen = localStorage.getItem(THEME);
if (chosen !== null) root.dataset.theme = chosen;
element("#theme", HTMLButtonElement).addEventListener("click", () => {
  const dark =
    root.dataset.theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : root.dataset.theme === "dark";
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem(THEME, root.dataset.theme);
});

let index: Promise<MiniSearch<SearchEntry>> | undefined;

/** The index is fetched on the first search. */
function loaded(): Promise<MiniSearch<SearchEntry>> {
  index ??= fetch(SEARCH_INDEX).then(async (answer) => {
    if (!answer.ok) throw new Error(`the search index answered ${answer.status}`);
    return MiniSearch.loadJSON<SearchEntry>(await answer.text(), SEARCH_OPTIONS);
  });
  index.catch(() => {
    index = undefined;
  });
  return index;
}

let at = -1;

async function search(): Promise<void> {
  const asked = field.value.trim();
  if (asked === "") return show([], "");
  try {
    const found = (await loaded()).search(asked);
    if (field.value.trim() === asked) show(found.slice(0, SHOWN), "Nothing found");
  } catch (error) {
    show([], error instanceof Error ? `The search does not work: ${error.message}` : "The search does not work");
  }
}

function show(found: readonly SearchResult[], otherwise: string): void {
  at = -1;
  list.replaceChildren(...found.map(row), ...(found.length === 0 && otherwise !== "" ? [note(otherwise)] : []));
  list.hidden = list.childElementCount === 0;
  field.setAttribute("aria-expanded", String(!list.hidden));
  field.removeAttribute("aria-activedescendant");
}

function row({ id, title, page }: SearchResult, place: number): HTMLLIElement {
  const item = document.createElement("li");
  item.role = "option";
  item.id = `found-${place}`;
  const link = document.createElement("a");
  link.href = String(id);
  link.tabIndex = -1;
  link.append(String(title));
  if (page !== title) {
    const where = document.createElement("small");
    where.append(String(page));
    link.append(where);
  }
  item.append(link);
  return item;
}

function note(text: string): HTMLLIElement {
  const item = document.createElement("li");
  item.append(text);
  return item;
}

function move(step: number): void {
  const rows = [...list.querySelectorAll('[role="option"]')];
  if (rows.length === 0) return;
  at = (at + step + rows.length) % rows.length;
  for (const [place, one] of rows.entries()) one.setAttribute("aria-selected", String(place === at));
  const current = rows[at];
  if (current === undefined) return;
  field.setAttribute("aria-activedescendant", current.id);
  current.scrollIntoView({ block: "nearest" });
}

field.addEventListener("input", () => void search());
field.addEventListener("focus", () => void search());
field.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") move(1);
  else if (event.key === "ArrowUp") move(-1);
  else if (event.key === "Enter") list.querySelectorAll("a")[Math.max(at, 0)]?.click();
  else if (event.key === "Escape") {
    field.value = "";
    show([], "");
    return field.blur();
  } else return;
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  field.focus();
});
document.addEventListener("click", (event) => {
  if (event.target instanceof Node && !list.contains(event.target) && event.target !== field) show([], "");
});
