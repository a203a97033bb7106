import { isDecimal } from "@exchange-graph/client";
import { Store } from "../state/store.js";
import { forget, parsed, recall, store } from "../state/stored.js";

/** A value at a time. */
export interface Point {
  /** Unix ms. */
  readonly time: number;
  /** Decimal text. */
  readonly value: string;
}

type Samples = ReadonlyMap<string, readonly Point[]>;

/** Maximum number of points per account; beyond it every second point of the older half is dropped. */
const KEPT = 2_000;
const KEY = "desk-equity";
/** Interval at which they are saved, ms. */
const PUT_AWAY_MS = 10_000;

/** Equity of each account, in USDT, since this tab was opened or has its token. Survives a reload. */
export const samples = new Store<Samples>(samplesFrom(recall("tab", KEY)), { isLive: true });

let putAway = 0;

export function forgetSamples(): void {
  samples.set(new Map());
  forget("tab", KEY);
}

export function sample(account: string, point: Point): void {
  samples.update((old) => {
    const rows = old.get(account) ?? [];
    if (rows.at(-1)?.time === point.time) return old;
    return new Map(old).set(account, thinned([...rows, point]));
  });
  if (point.time - putAway < PUT_AWAY_MS) return;
  putAway = point.time;
  store("tab", KEY, JSON.stringify([...samples.value]));
}

/** At most the maximum number of points: every second point of the older half is dropped. */
export function thinned(rows: readonly Point[]): readonly Point[] {
  if (rows.length <= KEPT) return rows;
  const half = KEPT / 2;
  return [...rows.slice(0, half).filter((_, index) => index % 2 === 0), ...rows.slice(half)];
}

/** Reads the saved points; invalid ones are omitted. */
export function samplesFrom(text: string | null): Samples {
  const found = parsed(text);
  const read = new Map<string, readonly Point[]>();
  for (const entry of Array.isArray(found) ? found : []) {
    const [account, rows]: readonly unknown[] = Array.isArray(entry) ? entry : [];
    if (typeof account === "string" && Array.isArray(rows)) read.set(account, rows.flatMap(pointFrom).slice(-KEPT));
  }
  return read;
}

function pointFrom(value: unknown): readonly Point[] {
  if (typeof value !== "object" || value === null) return [];
  const [time, text] = [Reflect.get(value, "time"), Reflect.get(value, "value")];
  return typeof time === "number" && typeof text === "string" && isDecimal(text) ? [{ time, value: text }] : [];
}
