import { addDecimals } from "@exchange-graph/client";
import { amount } from "../../format/format.js";
import type { Executed } from "./candle.js";

/** The executions of one side in one candle. */
export interface Mark {
  readonly start: string;
  readonly side: "BUY" | "SELL";
  /** Their quantity; empty where it would lie over that of the mark before. */
  readonly text: string;
}

/** Marks of one side have their quantities at least this many candles apart. */
const APART = 8;

const sumOf = (a: string | null, b: string | null): string | null => (a === null || b === null ? null : addDecimals(a, b));

/** The marks of executions at candles, by the candles' starts; both oldest first. */
export function marksOf(fills: readonly Executed[], starts: readonly string[]): readonly Mark[] {
  const found = new Map<string, { readonly at: number; readonly side: Mark["side"]; readonly qty: string | null }>();
  for (const { side, qty, time } of fills) {
    const at = starts.findLastIndex((start) => start <= time);
    if (at < 0) continue;
    const of = side === "BUY" ? "BUY" : "SELL";
    const key = `${at} ${of}`;
    const before = found.get(key);
    found.set(key, { at, side: of, qty: before === undefined ? qty : sumOf(before.qty, qty) });
  }
  const labelled = { BUY: -APART, SELL: -APART };
  return [...found.values()]
    .sort((a, b) => a.at - b.at)
    .map(({ at, side, qty }) => {
      const isApart = at - labelled[side] >= APART;
      if (isApart) labelled[side] = at;
      return { start: starts[at] ?? "", side, text: isApart && qty !== null ? amount(qty) : "" };
    });
}
