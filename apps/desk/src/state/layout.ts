/** Columns of a page's grid. */
export const COLUMNS = 24;
const MIN_COLUMNS = 4;
/** Minimum and maximum height of a panel's content, px. */
const MIN_HEIGHT = 80;
const MAX_HEIGHT = 2_000;
/** Maximum number of stored panels per page; a page has fewer. */
const MAX_PANELS = 40;
const MAX_NAME = 80;

/** The user's size of one panel. */
export interface Size {
  /** Columns, of 24. */
  readonly w?: number;
  /** Height of its content, px. Default: that of the content. */
  readonly h?: number;
}

/** The layout of the panels of one page. Panels without an entry have the page's default. */
export interface Layout {
  readonly order: readonly string[];
  readonly sizes: { readonly [panel: string]: Size };
  readonly folded: readonly string[];
}

export const PLAIN: Layout = { order: [], sizes: {}, folded: [] };

const within = (value: unknown, low: number, high: number): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? Math.round(Math.min(high, Math.max(low, value))) : undefined;

const names = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? [...new Set(value.filter((name) => typeof name === "string" && name.length <= MAX_NAME))].slice(0, MAX_PANELS)
    : [];

/** A size within its bounds. */
export function sizeFrom(value: unknown): Size {
  if (typeof value !== "object" || value === null) return {};
  const w = within(Reflect.get(value, "w"), MIN_COLUMNS, COLUMNS);
  const h = within(Reflect.get(value, "h"), MIN_HEIGHT, MAX_HEIGHT);
  return { ...(w !== undefined && { w }), ...(h !== undefined && { h }) };
}

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads the stored layout of one page; an invalid one is ignored. */
export function layoutFrom(value: unknown): Layout {
  if (!isObject(value)) return PLAIN;
  const sizes: unknown = Reflect.get(value, "sizes");
  return {
    order: names(Reflect.get(value, "order")),
    folded: names(Reflect.get(value, "folded")),
    sizes: Object.fromEntries(
      Object.entries(isObject(sizes) ? sizes : {})
        .slice(0, MAX_PANELS)
        .map(([name, size]) => [name, sizeFrom(size)]),
    ),
  };
}

/** The panels of a page in the user's order; panels that it does not name stay behind their predecessors. */
export function ordered(panels: readonly string[], order: readonly string[]): readonly string[] {
  const found = order.filter((name) => panels.includes(name));
  for (const [index, name] of panels.entries()) {
    if (found.includes(name)) continue;
    const before = panels[index - 1];
    found.splice(before === undefined ? 0 : found.indexOf(before) + 1, 0, name);
  }
  return found;
}

/** The same with one of them moved to another position. */
export function moved(panels: readonly string[], name: string, to: number): readonly string[] {
  const others = panels.filter((one) => one !== name);
  others.splice(Math.min(others.length, Math.max(0, to)), 0, name);
  return others;
}

/** Layouts of all pages, by the page. */
export type Layouts = { readonly [page: string]: Layout };

/** Layouts that the user has named. */
export type NamedLayouts = { readonly [name: string]: Layouts };

const MAX_NAMED = 20;
const MAX_PAGES = 20;
export const MAX_LAYOUT_NAME = 40;

export const layoutsFrom = (value: unknown): Layouts =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {})
      .slice(0, MAX_PAGES)
      .map(([page, layout]) => [page, layoutFrom(layout)]),
  );

/** Named layouts as far as this version can read them. */
export const namedFrom = (value: unknown): NamedLayouts =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {})
      .flatMap(([name, layouts]) => (isName(name) && isObject(layouts) ? [[name, layoutsFrom(layouts)] as const] : []))
      .slice(-MAX_NAMED),
  );

const isName = (name: string): boolean => name.trim() !== "" && name.length <= MAX_LAYOUT_NAME;
