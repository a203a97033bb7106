import type { FieldKind, FieldSet } from "@exchange-graph/contract/codec";
import { isObject } from "@exchange-graph/contract/json";

/** How a topic is remembered whose events are lists of things that happen once each. */
export interface Recording<T> {
  /** Identifies an item within its topic, whether it was pushed or read. */
  identify(item: T): string;
  /** When it happened, Unix ms. */
  timeOf(item: T): number | null;
  /** Reads what another process, or another version of this one, has written. */
  isItem(value: unknown): value is T;
  /**
   * What shows that nothing is missing between what was remembered before and the first state of a feed: `overlap`: it begins with
   * something that is known; `reading`: the exchange is asked; `nothing`: nothing does.
   */
  readonly continues: "overlap" | "reading" | "nothing";
  /** Reads what happened since a moment; nothing where not all of it can be read. */
  readonly past?: (since: number) => Promise<readonly T[] | undefined>;
}

const TYPES: Readonly<Record<FieldKind, string>> = {
  decimal: "string",
  text: "string",
  integer: "number",
  time: "number",
  flag: "boolean",
};

/** Has it the fields of a record? */
export const hasFields = (value: unknown, fields: FieldSet): boolean =>
  isObject(value) &&
  Object.entries(fields).every(([name, { kind, optional }]) => {
    if (!Object.hasOwn(value, name)) return false;
    const field = value[name];
    if (field === null && optional === true) return true;
    return kind === undefined || typeof field === TYPES[kind];
  });
