import type { Fill } from "@exchange-graph/contract/fill";
import { isFuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../calls/index.js";
import { type MergeRules, merged } from "./merge.js";

/** Executions kept per category: the maximum page of the exchange. */
const MAX_KEPT = 100;
/** Number of additional executions before the oldest are dropped. */
const SLACK = 25;

const RULES: MergeRules = { clearable: new Set(), restOnly: new Set() };

/** Executions of an account, for the period in which they are complete. */
export interface CompleteFills {
  /** Newest first. */
  readonly list: readonly Fill[];
  /** Start of the complete period of each category, Unix ms. A category without an entry is not known. */
  readonly since: ReadonlyMap<string, number>;
}

/** By time, and within the same time by the exchange's ascending identifiers. */
const newestFirst = (one: Fill, other: Fill): number =>
  (other.createdTime ?? 0) - (one.createdTime ?? 0) ||
  other.execId.length - one.execId.length ||
  (other.execId > one.execId ? 1 : -1);

/** The latest executions of an account, merged from pushes and readings. */
export class FillLedger {
  readonly #fills = new Map<string, Fill>();
  readonly #since = new Map<string, number>();
  /** Executions known from pushes only, which lack some fields. */
  readonly #partial = new Set<string>();
  /** Dropped executions of a category are older than this time, Unix ms. */
  readonly #droppedBefore = new Map<string, number>();
  #hasUntimed = false;
  #complete: CompleteFills | undefined;

  constructor(private readonly mode: AccountMode) {}

  /** Whether executions from before the start of the stream have been read. */
  get hasPast(): boolean {
    return this.#since.size > 0;
  }

  /** Categories with executions whose fields are missing that only the lists have. */
  get partialCategories(): readonly string[] {
    return [...new Set([...this.#partial].map((execId) => this.#fills.get(execId)?.categoryRaw ?? "SPOT"))];
  }

  /** The known executions, the same object until something changes; undefined before the past was read. */
  get completeFills(): CompleteFills | undefined {
    if (!this.hasPast || this.#hasUntimed) return undefined;
    this.#complete ??= { list: [...this.#fills.values()].sort(newestFirst), since: this.#reach() };
    return this.#complete;
  }

  pushed(fills: readonly Fill[]): void {
    for (const fill of fills) {
      if (this.#fills.has(fill.execId)) continue;
      this.#put(fill);
      if (this.#leavesOut(fill)) this.#partial.add(fill.execId);
    }
    this.#drop();
  }

  /**
   * Adds read executions. Executions from before this time (Unix ms) that were only pushed and are not in the lists, which are
   * those of these categories, are removed. Default: of all.
   */
  read(fills: readonly Fill[], listedUntil: number, categories?: readonly string[]): void {
    for (const fill of fills) {
      this.#put(merged(this.#fills.get(fill.execId), fill, "REST", RULES));
      this.#partial.delete(fill.execId);
    }
    for (const execId of this.#partial) {
      const fill = this.#fills.get(execId);
      if ((fill?.createdTime ?? 0) >= listedUntil) continue;
      if (fill !== undefined && categories?.includes(fill.categoryRaw) === false) continue;
      this.#fills.delete(execId);
      this.#partial.delete(execId);
      this.#complete = undefined;
    }
    this.#drop();
  }

  /** Records that these categories are complete from this time on, Unix ms. */
  reaches(categories: readonly string[], since: number): void {
    for (const category of categories) this.#since.set(category, since);
    this.#complete = undefined;
  }

  clear(): void {
    this.#fills.clear();
    this.#since.clear();
    this.#partial.clear();
    this.#droppedBefore.clear();
    this.#hasUntimed = false;
    this.#complete = undefined;
  }

  /** Start of the complete period of each category. */
  #reach(): ReadonlyMap<string, number> {
    const reach = [...this.#since].map(
      ([category, from]) => [category, Math.max(from, this.#droppedBefore.get(category) ?? 0)] as const,
    );
    return new Map(reach);
  }

  /** Classic futures pushes lack the source of an order, and those of unified accounts may lack the position side. */
  #leavesOut({ category, enterPointSource, posSide }: Fill): boolean {
    if (!isFuturesCategory(category)) return false;
    return this.mode === "CLASSIC" ? enterPointSource === null : posSide === null;
  }

  #put(fill: Fill): void {
    this.#fills.set(fill.execId, fill);
    this.#hasUntimed ||= fill.createdTime === null;
    this.#complete = undefined;
  }

  /** Drops the oldest executions of a category that has many; its complete period becomes shorter. */
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
