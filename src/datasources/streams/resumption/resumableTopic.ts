import type { FieldKind, FieldSet } from "@exchange-graph/contract/codec";
import { isObject } from "@exchange-graph/contract/json";

/** Description of a topic whose events are lists of items that occur once each. */
export interface ResumableTopic<T> {
  /** Identifies an item within its topic, whether it was pushed or read. */
  identify(item: T): string;
  /** Time of the item, Unix ms. */
  timeOf(item: T): number | null;
  /** Validates an item that another process, or another version, has written. */
  isItem(value: unknown): value is T;
  /**
   * Proof that nothing is missing between earlier entries and the first state of a feed: `overlap`: the state begins with a known
   * item; `reading`: the items are read at the exchange; `nothing`: there is no proof.
   */
  readonly continues: "overlap" | "reading" | "nothing";
  /** Reads the items since a time. `latest` is the time of the latest known item. Undefined if they cannot be read completely. */
  readonly past?: (since: number, latest: number) => Promise<readonly T[] | undefined>;
}

const TYPES: Readonly<Record<FieldKind, string>> = {
  decimal: "string",
  text: "string",
  integer: "number",
  time: "number",
  flag: "boolean",
};

/** Whether a value has the fields of a record. */
export const hasFields = (value: unknown, fields: FieldSet): boolean =>
  isObject(value) &&
  Object.entries(fields).every(([name, { kind, optional }]) => {
    if (!Object.hasOwn(value, name)) return false;
    const field = value[name];
    if (field === null && optional === true) return true;
    return kind === undefined || typeof field === TYPES[kind];
  });
