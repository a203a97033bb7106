import { isDecimal } from "@exchange-graph/client";
import { Store, useStore } from "../../state/store.js";
import { parsed, recall, store } from "../../state/stored.js";

/** A point of the chart: the start of a candle, ISO 8601, and a price. */
export interface Point {
  readonly time: string;
  readonly price: string;
}

/** A line that the user has drawn. */
export type Drawing =
  | { readonly id: string; readonly kind: "level"; readonly price: string }
  | { readonly id: string; readonly kind: "trend"; readonly from: Point; readonly to: Point };

type Drawings = { readonly [market: string]: readonly Drawing[] };

const KEY = "desk-drawings";
const MAX_MARKETS = 50;
const MAX_LINES = 40;

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

function pointFrom(value: unknown): Point | undefined {
  const [time, price] = [field(value, "time"), field(value, "price")];
  const isPoint = typeof time === "string" && !Number.isNaN(Date.parse(time)) && typeof price === "string" && isDecimal(price);
  return isPoint ? { time, price } : undefined;
}

function drawingFrom(value: unknown): readonly Drawing[] {
  const [id, price] = [field(value, "id"), field(value, "price")];
  const [from, to] = [pointFrom(field(value, "from")), pointFrom(field(value, "to"))];
  if (typeof id !== "string") return [];
  if (typeof price === "string" && isDecimal(price)) return [{ id, kind: "level", price }];
  return from && to ? [{ id, kind: "trend", from, to }] : [];
}

/** The stored lines, as far as this version can read them. */
export function drawingsFrom(text: string | null): Drawings {
  const found = parsed(text);
  if (typeof found !== "object" || found === null) return {};
  const read = Object.entries(found).map(([market, rows]) => [market, Array.isArray(rows) ? rows.flatMap(drawingFrom) : []]);
  return Object.fromEntries(read.slice(-MAX_MARKETS));
}

const drawings = new Store<Drawings>(drawingsFrom(recall("browser", KEY)));
globalThis.addEventListener?.("storage", ({ key, newValue }) => {
  if (key === KEY) drawings.set(drawingsFrom(newValue));
});
const NOTHING: readonly Drawing[] = [];

/** The lines of a market, for example `SPOT/BTCUSDT`. */
export const useDrawings = (market: string): readonly Drawing[] => useStore(drawings)[market] ?? NOTHING;

/** Changes the lines of a market; the oldest ones beyond the maximum are dropped. */
export function draw(market: string, change: (lines: readonly Drawing[]) => readonly Drawing[]): void {
  const { [market]: lines = NOTHING, ...others } = drawings.value;
  const next = change(lines).slice(-MAX_LINES);
  const kept = Object.fromEntries([...Object.entries(others), ...(next.length > 0 ? [[market, next]] : [])].slice(-MAX_MARKETS));
  store("browser", KEY, JSON.stringify(kept));
  drawings.set(kept);
}

/** Adds a line, or replaces the one with its identifier. */
export const put = (market: string, line: Drawing): void =>
  draw(market, (lines) => [...lines.filter(({ id }) => id !== line.id), line]);
