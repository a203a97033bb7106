import type { Push } from "@exchange-graph/contract/channels/channel";
import { classicFuturesFillChannel, classicSpotFillChannel, fillChannel } from "@exchange-graph/contract/channels/fill";
import type { Fill } from "@exchange-graph/contract/fill";
import { isRead, rowsRead } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { growingLru } from "../../errors/index.js";
import { FUTURES_TRADING, type RequestReads, readLatestFills, SPOT_TRADING, UNIFIED_TRADING } from "../../reads/index.js";
import { type FeedChange, updateOf } from "../feeds/feed.js";
import { NOTHING_MISSED, type PrivateState, source } from "../feeds/privateState.js";
import { fillsSince, NO_ROWS } from "../reconcile.js";
import { fillsOf } from "../resumption/resumableTopics.js";
import { type CompleteFills, FillLedger } from "../state/fillLedger.js";
import { fillParts, partsShowing, WHOLE } from "../state/kinds.js";
import { privateChannel } from "./channel.js";

/** Number of remembered executions, so that none is emitted twice: more than a gap can contain. */
const MAX_REMEMBERED = 20_000;

type Fills = readonly Fill[];

/** The lists may lag behind the pushes by this much. */
const LAG_MS = 90_000;

/**
 * Maximum difference between clocks of the exchange. An execution that is dated later than it was sent by more than this shows that
 * a clock was set back.
 */
const AHEAD_MS = 1_000;

/** What is remembered of a user's executions, whatever the mode of the account. */
class FillMemory {
  /** Identifiers of the executions that were emitted. */
  readonly seen = growingLru<true>(MAX_REMEMBERED);
  /** Time of the latest one, Unix ms. */
  latestAt = 0;
  /** Exchange's time from which on all are emitted, Unix ms; undefined before the channels have been up. */
  begin: number | undefined;
  /**
   * Identifiers of executions from before the stream that are dated after `begin`: the exchange's clock was set back then. Their
   * readings are not emitted.
   */
  readonly #earlier = growingLru<true>(MAX_REMEMBERED);
  /** Parts whose executions from before the stream are to be read. */
  datedAhead: readonly string[] = [];

  /** The executions of a push that were not emitted before. If the first one is dated later than it was sent, others may be, too. */
  pushed(fills: Fills, sentAt: number | null, parts: readonly string[]): FeedChange<Fills> | undefined {
    if (this.latestAt === 0 && sentAt !== null && fills.some(({ createdTime }) => (createdTime ?? 0) > sentAt + AHEAD_MS))
      this.datedAhead = parts;
    return this.added(fills);
  }

  /** Takes executions that were read of these parts, and returns those that were not emitted before. */
  read(fills: Fills, parts: readonly string[], isInterrupted: boolean): FeedChange<Fills> | undefined {
    const isEarlier = !isInterrupted && this.datedAhead.some((part) => parts.includes(part));
    this.datedAhead = this.datedAhead.filter((part) => !parts.includes(part));
    const fresh = fills.filter(({ execId }) => !this.seen.has(execId) && !this.#earlier.has(execId));
    if (!isEarlier) return this.added(fresh);
    for (const { execId } of fresh) this.#earlier.set(execId, true);
    return undefined;
  }

  /** The executions that were not emitted before. */
  added(fills: Fills): FeedChange<Fills> | undefined {
    const fresh = fills.filter(({ execId }) => !this.seen.has(execId));
    for (const { execId, createdTime } of fresh) {
      this.seen.set(execId, true);
      this.latestAt = Math.max(this.latestAt, createdTime ?? 0);
    }
    return updateOf(fresh);
  }
}

/**
 * Executions, each emitted once. There is no snapshot; executions missed in a gap, or by a lost push, are read. While they are
 * kept for queries (`isKept`), the latest ones are available too, including those from before the start of the stream.
 */
export function fillsState(
  account: ExchangeAccount,
  mode: AccountMode,
  isKept: () => boolean = () => false,
  memory = new FillMemory(),
): PrivateState<Fills, CompleteFills> {
  const ledger = new FillLedger(mode);
  const parts = fillParts(mode);
  const accept = (fills: Fills, { time }: Push): FeedChange<Fills> | undefined => {
    if (isKept()) ledger.pushed(fills);
    else ledger.clear();
    return memory.pushed(fills, time, parts);
  };
  const readAt = new Map<string, number>();
  return {
    sources:
      mode === "UNIFIED"
        ? [source(fillChannel, {}, UNIFIED_TRADING, accept)]
        : [
            source(classicSpotFillChannel, {}, SPOT_TRADING, accept),
            ...FUTURES_CATEGORIES.map((category) => source(classicFuturesFillChannel, { category }, FUTURES_TRADING, accept)),
          ],
    current: () => undefined,
    hasSnapshot: false,
    queryState: () => (isKept() ? ledger.completeFills : undefined),
    parts,
    hasOpen: () => false,
    partialParts() {
      if (!isKept()) return memory.datedAhead;
      return ledger.hasPast && memory.datedAhead.length === 0 ? partsShowing(parts, ledger.partialCategories) : parts;
    },
    unchanged: () => [],
    async read(reads: RequestReads, since, wanted) {
      const now = reads.now();
      if (memory.begin === undefined) {
        memory.begin = now;
        for (const part of parts) readAt.set(part, now);
        return () => NOTHING_MISSED;
      }
      const listenedFrom = memory.begin;
      const wantsPast = isKept() && !ledger.hasPast;
      const from = Math.min(since ?? now, ...wanted.map((part) => (readAt.get(part) ?? now) - LAG_MS));
      const [missed, lists] = await Promise.all([
        since === undefined && wantsPast
          ? NO_ROWS
          : fillsSince(
              reads,
              account,
              { since: from, latest: memory.latestAt },
              mode === "UNIFIED" && wanted.length > 1 ? [WHOLE] : wanted,
            ),
        wantsPast ? readLatestFills(reads, account) : [],
      ]);
      const rows = [...missed.rows, ...lists.flatMap((list) => rowsRead(list.rows))];
      const isWhole = missed.isWhole && lists.every((list) => list.rows.every(isRead));
      return () => {
        if (!isKept()) ledger.clear();
        else {
          ledger.read(rows, isWhole ? now - LAG_MS : 0, wanted);
          if (isWhole) for (const { categories, since: reached } of lists) ledger.reaches(categories, reached);
        }
        if (isWhole) for (const part of wanted) readAt.set(part, now);
        // Executions from before the first listener are not added.
        const recent = rows.filter(({ createdTime }) => createdTime === null || createdTime >= listenedFrom);
        const newestFirst = [...recent].sort((a, b) => (b.createdTime ?? 0) - (a.createdTime ?? 0));
        const change = memory.read(newestFirst, wanted, since !== undefined);
        return { change, isWhole, hasFilledIn: isKept() };
      };
    },
  };
}

export const fills = privateChannel(
  () => {
    const memory = new FillMemory();
    return (account, mode, isKept) => fillsState(account, mode, isKept, memory);
  },
  { history: (newHistory, topic, account, newReads) => newHistory(topic, fillsOf(account, newReads)) },
);
