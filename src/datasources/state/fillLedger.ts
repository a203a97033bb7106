import type { Fill } from "@exchange-graph/contract/fill";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../accounts/exchangeAccount.js";
import { type MergeRules, merged } from "./merge.js";

/** Executions that are kept of each category: the longest page that the exchange gives. */
const MAX_KEPT = 100;
/** So many more come before the oldest are dropped. */
const SLACK = 25;

const RULES: MergeRules = { clearable: new Set(), restOnly: new Set() };

/** Executions of an account, as far back as none is missing. */
export interface KnownFills {
  /** Newest first. */
  readonly list: readonly Fill[];
  /** From this moment on none of a category is missing, Unix ms. Without an entry the category is not known. */
  readonly since: ReadonlyMap<string, number>;
}

/** By time, and within one moment by the exchange's ascending identifiers. */
const newestFirst = (one: Fill, other: Fill): number =>
  (other.createdTime ?? 0) - (one.createdTime ?? 0) ||
  other.execId.length - one.execId.length ||
  (other.execId > one.execId ? 1 : -1);

/** The latest executions of an account, put together from pushes and readings. */
export class FillLedger {
  readonly #fills = new Map<string, Fill>();
  readonly #since = new Map<string, number>();
  /** Known from pushes alone, where those leave something out. */
  readonly #partial = new Set<string>();
  /** What was dropped of a category came before this moment, Unix ms. */
  readonly #droppedBefore = new Map<string, number>();
  #hasUntimed = false;
  #known: KnownFills | undefined;

  constructor(private readonly mode: AccountMode) {}

  /** Has it been read what was executed before the stream came up? */
  get hasPast(): boolean {
    return this.#since.size > 0;
  }

  /** Is something missing that only the lists say? */
  get isPartial(): boolean {
    return this.#partial.size > 0;
  }

  /** The same object until something changes; nothing before the past was read. */
  get known(): KnownFills | undefined {
    if (!this.hasPast || this.#hasUntimed) return undefined;
    this.#known ??= { list: [...this.#fills.values()].sort(newestFirst), since: this.#reach() };
    return this.#known;
  }

  /** Takes what was pushed. */
  pushed(fills: readonly Fill[]): void {
    for (const fill of fills) {
      if (this.#fills.has(fill.execId)) continue;
      this.#put(fill);
      if (this.#leavesOut(fill)) this.#partial.add(fill.execId);
    }
    this.#drop();
  }

  /** Takes what was read. What pushes alone said before this time (Unix ms) and the lists do not have is no execution. */
  read(fills: readonly Fill[], listedUntil: number): void {
    for (const fill of fills) {
      this.#put(merged(this.#fills.get(fill.execId), fill, "REST", RULES));
      this.#partial.delete(fill.execId);
    }
    for (const execId of this.#partial) {
      if ((this.#fills.get(execId)?.createdTime ?? 0) >= listedUntil) continue;
      this.#fills.delete(execId);
      this.#partial.delete(execId);
      this.#known = undefined;
    }
    this.#drop();
  }

  /** None of these categories is missing from this moment on, Unix ms. */
  reaches(categories: readonly string[], since: number): void {
    for (const category of categories) this.#since.set(category, since);
    this.#known = undefined;
  }

  clear(): void {
    this.#fills.clear();
    this.#since.clear();
    this.#partial.clear();
    this.#droppedBefore.clear();
    this.#hasUntimed = false;
    this.#known = undefined;
  }

  /** From when on none of a category is missing. */
  #reach(): ReadonlyMap<string, number> {
    const reach = [...this.#since].map(
      ([category, from]) => [category, Math.max(from, this.#droppedBefore.get(category) ?? 0)] as const,
    );
    return new Map(reach);
  }

  /** Classic futures pushes do not say what an order was entered with, and those of unified accounts may leave out the position side. */
  #leavesOut({ category, enterPointSource, posSide }: Fill): boolean {
    if (!FUTURES_CATEGORIES.some((futures) => futures === category)) return false;
    return this.mode === "CLASSIC" ? enterPointSource === null : posSide === null;
  }

  #put(fill: Fill): void {
    this.#fills.set(fill.execId, fill);
    this.#hasUntimed ||= fill.createdTime === null;
    this.#known = undefined;
  }

  /** Forgets the oldest ones of a category that has many: the rest reaches less far back. */
  #drop(): void {
    if (this.#fills.size <= MAX_KEPT + SLACK) return;
    const all = [...this.#fills.values()];
    for (const category of new Set(all.map((fill) => fill.category))) {
      const fills = all.filter((fill) => fill.category === category);
      if (fills.length <= MAX_KEPT + SLACK) continue;
      const dropped = fills.sort(newestFirst).slice(MAX_KEPT);
      for (const { execId } of dropped) {
        this.#fills.delete(execId);
        this.#partial.delete(execId);
      }
      this.#droppedBefore.set(category, (dropped[0]?.createdTime ?? 0) + 1);
    }
  }
}
