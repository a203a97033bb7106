import { type Liquidation, liquidation } from "@exchange-graph/contract/channels/liquidation";
import type { FieldKind, FieldSet } from "@exchange-graph/contract/codec";
import { type Fill, fill } from "@exchange-graph/contract/fill";
import { isObject } from "@exchange-graph/contract/json";
import { type PublicTrade, publicTrade } from "@exchange-graph/contract/publicTrade";
import type { ExchangeAccount } from "../../calls/index.js";
import type { RequestReads } from "../../reads/index.js";
import { fillsSince } from "../reconcile.js";
import { fillParts, WHOLE } from "../state/kinds.js";

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
const hasFields = (value: unknown, fields: FieldSet): boolean =>
  isObject(value) &&
  Object.entries(fields).every(([name, { kind, optional }]) => {
    if (!Object.hasOwn(value, name)) return false;
    const field = value[name];
    if (field === null && optional === true) return true;
    return kind === undefined || typeof field === TYPES[kind];
  });

/** Trades of a symbol: their stream begins with the latest ones. */
export const TRADES: ResumableTopic<PublicTrade> = {
  identify: ({ execId }) => execId,
  timeOf: ({ time }) => time,
  isItem: (value): value is PublicTrade => hasFields(value, publicTrade.fields),
  continues: "overlap",
};

/** Liquidations have no id, and missed ones cannot be read. */
export const LIQUIDATIONS: ResumableTopic<Liquidation> = {
  identify: ({ symbol, sideRaw, price, qty, time }) => `${symbol} ${sideRaw} ${price} ${qty} ${time}`,
  timeOf: ({ time }) => time,
  isItem: (value): value is Liquidation => hasFields(value, liquidation.fields),
  continues: "nothing",
};

/** Executions of an account, which can also be read from its history. */
export const fillsOf = (account: ExchangeAccount, newReads: () => RequestReads): ResumableTopic<Fill> => ({
  identify: ({ execId }) => execId,
  timeOf: ({ createdTime }) => createdTime,
  isItem: (value): value is Fill => hasFields(value, fill.fields),
  continues: "reading",
  async past(since, latest) {
    const reads = newReads();
    const parts = (await reads.modeOf(account)) === "UNIFIED" ? [WHOLE] : fillParts("CLASSIC");
    const { rows, isWhole } = await fillsSince(reads, account, { since, latest }, parts);
    return isWhole ? rows : undefined;
  },
});
