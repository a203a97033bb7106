import type { Slot } from "./worth.js";

export interface Drawn {
  /** Identifies the content: other content is shown in its full range. */
  readonly of: string;
  /** All times of all lines, oldest first. */
  readonly slots: readonly Slot[];
  readonly lines: readonly Line[];
  /** Whether deposits and withdrawals are marked. */
  readonly hasFlows: boolean;
}

export interface Line {
  /** Shown at its end; empty for none. */
  readonly title: string;
  /** Its colour; undefined: those of its points' sources. */
  readonly tone: string | undefined;
  readonly slots: readonly Slot[];
  /** Decimal text at its points. */
  readonly values: ReadonlyMap<Slot, string>;
}

type Style = "recorded" | "reconstructed" | "other";

/** The part of a curve that is drawn in one style. */
export interface Styled {
  readonly style: Style;
  /** `isJoined`: the line goes on to the next of them. */
  readonly points: readonly { readonly slot: Slot; readonly isJoined: boolean }[];
  /** Points without a neighbour. */
  readonly alone: readonly Slot[];
  /** Whether the curve ends with it. */
  readonly isLast: boolean;
}

const KNOWN = new Map<string, Style>([
  ["STREAM", "recorded"],
  ["RECONSTRUCTED", "reconstructed"],
]);

/** The style of a source; a source that this version does not know has its own. */
export const styleOf = (source: string): Style => KNOWN.get(source) ?? "other";

const ORDER: readonly Style[] = ["recorded", "reconstructed", "other"];

/**
 * The parts of a curve by their style. Two neighbours are joined; across a gap there is no line. A line between points of two sources
 * has the style of the one that was not recorded.
 */
export function linesOf({ slots, values }: Pick<Line, "slots" | "values">): readonly Styled[] {
  const parts = new Map<Style, { readonly points: { slot: Slot; isJoined: boolean }[]; readonly alone: Slot[] }>();
  const partOf = (style: Style) => {
    const part = parts.get(style) ?? { points: [], alone: [] };
    parts.set(style, part);
    return part;
  };
  const styleAt = (index: number): Style | undefined => {
    const slot = slots[index];
    return slot?.point !== undefined && values.has(slot) ? styleOf(slot.point.source) : undefined;
  };
  /** Style of the line from one slot to the next; undefined without a line. */
  const between = (index: number): Style | undefined => {
    const [one, next] = [styleAt(index), styleAt(index + 1)];
    if (one === undefined || next === undefined) return undefined;
    return ORDER.indexOf(one) > ORDER.indexOf(next) ? one : next;
  };
  let last: Style | undefined;
  for (const [index, slot] of slots.entries()) {
    const own = styleAt(index);
    if (own === undefined) continue;
    const [before, after] = [between(index - 1), between(index)];
    last = before ?? own;
    if (before === undefined && after === undefined) partOf(own).alone.push(slot);
    if (before !== undefined && before !== after) partOf(before).points.push({ slot, isJoined: false });
    if (after !== undefined) partOf(after).points.push({ slot, isJoined: true });
  }
  return [...parts].map(([style, part]) => ({ style, ...part, isLast: style === last }));
}
