import type { Clock } from "@exchange-graph/contract/clock";
import { growingLru } from "../../errors/index.js";
import { fieldsOf, isSame, type MergeRules, merged, type RecordOrigin } from "./merge.js";

/** More than the exchange's maximum of open records of one kind. */
const MAX_OPEN = 10_000;
/** Ended records that are remembered, so that none is emitted twice and no late message reopens one. */
const MAX_ENDED = 5_000;

/**
 * Whether a version of a record is later than another. `TIED`: they differ at the same time. `UNDECIDED`: it is not known which is
 * later.
 */
export type Sequence = "LATER" | "EARLIER" | "SAME" | "TIED" | "UNDECIDED";

/** Compares two times of the same record. `UNDECIDED` if one is unknown. */
export const byTime = (one: number | null, other: number | null): Sequence =>
  one === null || other === null || one === other ? "UNDECIDED" : one > other ? "LATER" : "EARLIER";

/** How the ledger treats one kind of an account's records. */
export interface RecordKind<R extends object> {
  keyOf(record: R): string;
  hasEnded(record: R): boolean;
  compared(record: R, held: R, source: RecordOrigin): Sequence;
  rulesOf(record: R): MergeRules;
  /** Merges a later version into the known one. Default: by the rules. */
  merged?(held: R, record: R, source: RecordOrigin): R;
  /** Whether it is another record under the key of a known one. Default: never. */
  isOther?(record: R, held: R): boolean;
  /** Whether it was opened after one with its key has ended. Default: never. */
  isReopened?(record: R, ended: R): boolean;
  /**
   * What a push leaves out: `fields` of the record, or `effects` of the change on other records. A reading shows them; for effects
   * it has to begin after the push. `readAt`: when its list was last read completely, by the exchange's clock, Unix ms.
   */
  leavesOut(held: R | undefined, record: R, readAt: number): "nothing" | "fields" | "effects";
  /** Whether the end of a record that was not open here is a change. */
  readonly reportsUnknownEnds: boolean;
  /** The list of the exchange that contains it. */
  partOf(record: R): string;
}

/** A reading of lists that began at one time. */
export interface Reading<R> {
  /** Takes read records; returns the new or changed ones, complete. */
  take(records: readonly R[]): readonly R[];
  /** Takes read records that have ended, whatever their status is. */
  takeEnded(records: readonly R[]): readonly R[];
  /**
   * Open records of these parts that complete lists lack, and that have not changed since the reading began. One that has is treated
   * as if it were pushed for the first time now: it is read again if such a push leaves something out.
   */
  missingIn(parts: readonly string[], listed: readonly R[]): readonly R[];
}

/** What a state has that consists of a ledger's open records. */
export const stateOf = <R extends object>(ledger: RecordLedger<R>) => ({
  current: () => ledger.open,
  queryState: () => ledger.open,
  hasOpen: (part: string) => ledger.hasOpen(part),
  partialParts: () => ledger.partialParts,
  unchanged: () => [],
});

/**
 * The open records of one kind, and those that have ended recently. Every version of a record passes through it, whether it was
 * pushed, relayed by another replica, or read, and one rule decides: the later version wins, and an end is final. Where it is not
 * known which is later, a reading counts as earlier than what has arrived since it began. A push of the same time as a read version
 * may have been sent before or after that: the record is read again. So is one that a push shows although the last list, which was
 * read after it was opened, lacks it: it may have ended before.
 *
 * Each method returns what is new at that moment. Emitted synchronously, it is never older than what was emitted before.
 */
export class RecordLedger<R extends object> {
  readonly #open = new Map<string, R>();
  readonly #ended = growingLru<R>(MAX_ENDED);
  /** Open records that lack what only a reading shows. */
  readonly #partial = new Set<string>();
  /** Open records whose version was read and has not been pushed. */
  readonly #onlyRead = new Set<string>();
  /** Those of which a push shows another version of the same time. */
  readonly #tied = new Set<string>();
  /** Number of changes. Compared with the number at the last change of each record, and of each part as a whole. */
  #count = 0;
  readonly #changed = growingLru<number>(MAX_OPEN + MAX_ENDED);
  readonly #changedParts = new Map<string, number>();
  /** When each part was last read completely, by the exchange's clock, Unix ms. */
  readonly #readAt = new Map<string, number>();

  constructor(private readonly kind: RecordKind<R>) {}

  get open(): readonly R[] {
    return [...this.#open.values()];
  }

  /** Parts with records that lack what only a reading shows. */
  get partialParts(): readonly string[] {
    const parts = [...this.#partial, ...this.#tied]
      .map((key) => this.#open.get(key))
      .map((record) => record && this.kind.partOf(record));
    return [...new Set(parts.filter((part) => part !== undefined))];
  }

  /** Whether a record of this part is open. */
  hasOpen(part: string): boolean {
    for (const record of this.#open.values()) if (this.kind.partOf(record) === part) return true;
    return false;
  }

  has(record: R): boolean {
    return this.#open.has(this.kind.keyOf(record));
  }

  /** Takes pushed records; returns the new or changed ones, complete. */
  pushed(records: readonly R[]): readonly R[] {
    return records.flatMap((record) => this.#take(record, "PUSH", Number.POSITIVE_INFINITY) ?? []);
  }

  /**
   * Takes a push that contains some parts as a whole; also returns the open records that it lacks. A record that has changed since
   * the push was sent (`isLater`) is kept, and a reading shows whether it is still open.
   */
  pushedWhole(
    parts: readonly string[],
    records: readonly R[],
    isLater: (record: R) => boolean,
  ): { readonly changed: readonly R[]; readonly missing: readonly R[] } {
    const changed = this.pushed(records);
    for (const part of parts) this.#changedParts.set(part, ++this.#count);
    const lacking = this.#lackedBy(parts, records);
    for (const record of lacking.filter(isLater)) this.#partial.add(this.kind.keyOf(record));
    return { changed, missing: lacking.filter((record) => !isLater(record)) };
  }

  /** Called before the calls of a reading are sent. `clock`: the exchange's. */
  beginReading(clock: Pick<Clock, "now">): Reading<R> {
    const since = this.#count;
    return {
      take: (records) => records.flatMap((record) => this.#take(record, "REST", since) ?? []),
      takeEnded: (records) => records.flatMap((record) => this.#take(record, "REST", since, true) ?? []),
      missingIn: (parts, listed) => {
        for (const part of parts) this.#readAt.set(part, clock.now());
        const lacking = this.#lackedBy(parts, listed);
        for (const record of lacking)
          if (this.#hasChanged(record, since) && this.#leftOut(undefined, record) !== "nothing")
            this.#partial.add(this.kind.keyOf(record));
        return lacking.filter((record) => !this.#hasChanged(record, since));
      },
    };
  }

  /** Removes records that have ended, with their last versions. */
  end(records: readonly R[]): void {
    for (const record of records) this.#end(this.kind.keyOf(record), record);
  }

  /** Forgets ends for which this holds: they keep no record from being opened again. */
  forgetEnds(isWrong: (ended: R) => boolean): void {
    for (const [key, ended] of this.#ended.entries()) if (isWrong(ended)) this.#ended.delete(key);
  }

  /** Removes a record whose end the exchange does not report. */
  forget(record: R): void {
    const key = this.kind.keyOf(record);
    this.#close(key);
    this.#changed.set(key, ++this.#count);
  }

  /** Sorts in the order of a list; other records come last. */
  sortAs(records: readonly R[]): void {
    const held = new Map(this.#open);
    this.#open.clear();
    for (const key of [...records.map(this.kind.keyOf), ...held.keys()]) {
      const record = held.get(key);
      if (record !== undefined) this.#open.set(key, record);
    }
  }

  /** Open records of these parts that are not among the listed ones. */
  #lackedBy(parts: readonly string[], listed: readonly R[]): readonly R[] {
    const keys = new Set(listed.map(this.kind.keyOf));
    return this.open.filter((record) => parts.includes(this.kind.partOf(record)) && !keys.has(this.kind.keyOf(record)));
  }

  #leftOut(held: R | undefined, record: R): "nothing" | "fields" | "effects" {
    return this.kind.leavesOut(held, record, this.#readAt.get(this.kind.partOf(record)) ?? Number.NEGATIVE_INFINITY);
  }

  #take(record: R, source: RecordOrigin, since: number, isEnd = false): R | undefined {
    const { kind } = this;
    const key = kind.keyOf(record);
    const open = this.#open.get(key);
    const ended = open === undefined ? this.#ended.peek(key) : undefined;
    const hasChanged = this.#hasChanged(record, since);
    if (ended !== undefined) {
      if (!hasChanged && kind.isReopened?.(record, ended) === true) return this.#keep(key, undefined, record, source);
      const isLaterEnd = (isEnd || kind.hasEnded(record)) && kind.compared(record, ended, source) === "LATER";
      return isLaterEnd ? this.#keep(key, ended, record, source) : undefined;
    }
    // A record that has ended since the reading began is not new.
    if (open === undefined) return hasChanged && !isEnd ? undefined : this.#keep(key, undefined, record, source, isEnd);
    const sequence = isEnd ? "LATER" : kind.compared(record, open, source);
    if (source === "REST" && !hasChanged) this.#tied.delete(key);
    if (source === "PUSH" && sequence === "TIED" && this.#onlyRead.has(key)) {
      this.#tied.add(key);
      this.#changed.set(key, ++this.#count);
      return undefined;
    }
    if (source === "PUSH" && sequence === "SAME") this.#onlyRead.delete(key);
    if (sequence === "LATER" || ((sequence === "TIED" || sequence === "UNDECIDED") && !hasChanged))
      return this.#keep(key, open, record, source, isEnd, hasChanged);
    return source === "REST" ? this.#fillIn(key, open, record, hasChanged) : undefined;
  }

  /** `hasMore`: something was pushed during the reading of this version. */
  #keep(key: string, held: R | undefined, record: R, source: RecordOrigin, isEnd = false, hasMore = false): R | undefined {
    const { kind } = this;
    const former = held === undefined || kind.isOther?.(record, held) === true ? undefined : held;
    const whole = former === undefined ? record : (kind.merged ?? this.#merged)(former, record, source);
    const leftOut = this.#leftOut(held, record);
    const isOpen = this.#open.has(key);
    if (source === "REST" && !(hasMore && leftOut === "effects")) this.#partial.delete(key);
    if (isOpen && held !== undefined && !isEnd && isSame(whole, held)) return undefined;
    this.#changed.set(key, ++this.#count);
    if (isEnd || kind.hasEnded(whole)) {
      this.#end(key, whole);
      return isOpen || kind.reportsUnknownEnds ? whole : undefined;
    }
    if (source === "PUSH" && leftOut !== "nothing") this.#partial.add(key);
    if (source === "PUSH") this.#onlyRead.delete(key);
    else this.#onlyRead.add(key);
    this.#put(key, whole);
    return whole;
  }

  /** Keeps the known version, and adds the fields that pushes lack from an earlier reading. */
  #fillIn(key: string, held: R, record: R, hasMore: boolean): R | undefined {
    const { kind } = this;
    const rules = kind.rulesOf(record);
    if ((!this.#partial.has(key) && rules.restOnly.size === 0) || kind.isOther?.(record, held) === true) return undefined;
    if (!(hasMore && this.#leftOut(held, record) === "effects")) this.#partial.delete(key);
    const filled = { ...merged(record, held, "PUSH", rules), ...fieldsOf(record, rules.restOnly) };
    const whole = merged(held, filled, "REST", rules);
    if (isSame(whole, held)) return undefined;
    this.#put(key, whole);
    return whole;
  }

  readonly #merged = (held: R, record: R, source: RecordOrigin): R => merged(held, record, source, this.kind.rulesOf(record));

  #put(key: string, record: R): void {
    this.#ended.delete(key);
    this.#open.set(key, record);
    if (this.#open.size <= MAX_OPEN) return;
    const [oldest] = this.#open.keys();
    if (oldest !== undefined) this.#close(oldest);
  }

  #close(key: string): void {
    this.#open.delete(key);
    this.#partial.delete(key);
    this.#onlyRead.delete(key);
    this.#tied.delete(key);
  }

  #end(key: string, record: R): void {
    this.#close(key);
    this.#ended.set(key, record);
    this.#changed.set(key, ++this.#count);
  }

  /** Whether the record, or its part as a whole, has changed after that many changes. */
  #hasChanged(record: R, since: number): boolean {
    const last = Math.max(
      this.#changed.peek(this.kind.keyOf(record)) ?? 0,
      this.#changedParts.get(this.kind.partOf(record)) ?? 0,
    );
    return last > since;
  }
}
