import type { Clock } from "@exchange-graph/contract/clock";
import { type Progress, progressOf } from "./backfill/progress.js";
import type { BalanceRecords, Coverage } from "./balanceRecords.js";
import { AROUND_MS, type EquityChange, explained, type ValuedChange } from "./change.js";
import type { HistoryStore, Resolution } from "./historyStore.js";
import { type CurveGap, type GapReason, isGap, LENGTH_MS, type Point, pointIn } from "./point.js";
import { type ReconciledDay, reconciledDays } from "./reconciliation/day.js";

/** Maximum number of points of one curve. */
export const MAX_POINTS = 3_000;

/** A range of time of a curve, Unix ms. */
interface CurveSpan {
  readonly from: number;
  readonly to: number;
  readonly resolution: Resolution;
}

/** A time without samples: after `from`, up to `to`. */
export interface GapRange {
  readonly from: number;
  readonly to: number;
  readonly reason: GapReason;
}

/** A point with the change since the one before; undefined for the first one, and where changes are not known. */
export interface CurvePoint extends Point {
  readonly change: EquityChange | undefined;
  readonly records: readonly ValuedChange[];
}

/** What an account was worth over time. */
export interface Curve {
  readonly points: readonly CurvePoint[];
  readonly gaps: readonly GapRange[];
  /** Changes of balances that are known; undefined if none are. */
  readonly coverage: Coverage | undefined;
  /** Whether nothing is recorded of the account before the first point. */
  readonly begins: boolean;
}

/** Interval of checks for the next point of a followed curve. */
const LOOK_MS = 5_000;

/** A recorded interval: its sample, or its gap. */
export interface NextPoint {
  readonly point: CurvePoint | undefined;
  readonly gap: GapRange | undefined;
}

interface CurveListener {
  next(value: NextPoint): void;
  /** The store cannot be read. */
  failed(error: unknown): void;
}

interface CurveParts {
  readonly store: HistoryStore;
  readonly ledger: Pick<BalanceRecords, "coverage" | "changes" | "stored">;
  readonly clock: Clock;
  /** The exchange's time, Unix ms. */
  readonly now: () => number;
  /** Interval of the recorder, ms. */
  readonly intervalMs: number;
  /** How far back the past of accounts is rebuilt, ms; 0 if it is not. */
  readonly backfillMs: number;
}

/** Reads curves from the store. Nothing is sent to the exchange. */
export class Curves {
  constructor(private readonly parts: CurveParts) {}

  /** Length of the intervals of a curve, ms. */
  lengthOf(resolution: Resolution): number {
    return resolution === "MINUTE" ? this.parts.intervalMs : LENGTH_MS[resolution];
  }

  /** The reconciled days that ended in a range of time, Unix ms, the earliest first. */
  reconciled(user: string, from: number, to: number): Promise<readonly ReconciledDay[]> {
    return reconciledDays(this.parts.store, user, { from, to }, MAX_POINTS);
  }

  /** The time from which on changes of balances are stored, Unix ms; undefined if none are. */
  async changesFrom(user: string): Promise<number | undefined> {
    return (await this.parts.ledger.coverage(user))?.from;
  }

  /** The stored changes of balances after `after` up to `to`, Unix ms, the earliest first. */
  changes(user: string, after: number, to: number): ReturnType<BalanceRecords["stored"]> {
    return this.parts.ledger.stored(user, after, to);
  }

  /** Progress of rebuilding the past of an account; null before it has begun, undefined if it is not rebuilt. */
  async backfill(user: string): Promise<Progress | null | undefined> {
    const progress = await progressOf(this.parts.store, user);
    return progress ?? (this.parts.backfillMs === 0 ? undefined : null);
  }

  /** The points in a range; `isExplained`: with the changes between them. */
  async read(user: string, { from, to, resolution }: CurveSpan, isExplained: boolean): Promise<Curve> {
    // The last point before the range explains the first one in it.
    const before = isExplained ? await this.parts.store.lastPoint(user, resolution, from - 1) : undefined;
    const rows = await this.parts.store.points(user, resolution, { after: from - 1, to, limit: MAX_POINTS });
    const found = rows.map(pointIn);
    const points = found.filter((point): point is Point => !isGap(point));
    const coverage = await this.parts.ledger.coverage(user);
    const gaps = this.#gaps(found, resolution);
    const begins = isExplained && before === undefined;
    if (!isExplained) return { points: points.map(unexplained), gaps, coverage, begins };
    const start = before === undefined ? undefined : pointIn(before);
    const all = start === undefined || isGap(start) ? points : [start, ...points];
    const own = all.length > points.length ? 1 : 0;
    return { points: (await this.#explained(user, all, coverage)).slice(own), gaps, coverage, begins };
  }

  async #explained(user: string, points: readonly Point[], coverage: Coverage | undefined): Promise<readonly CurvePoint[]> {
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined || coverage === undefined) return points.map(unexplained);
    const changes = await this.parts.ledger.changes(user, first.time - AROUND_MS, last.time + AROUND_MS);
    if (changes === undefined) return points.map(unexplained);
    const why = explained(points, changes);
    return points.map((point, at): CurvePoint => {
      const found = why[at - 1];
      const isKnown = (points[at - 1]?.time ?? 0) >= coverage.from && point.time <= coverage.until;
      return found === undefined || !isKnown ? unexplained(point) : { ...point, change: found.change, records: found.records };
    });
  }

  /**
   * Emits the last recorded interval, then each one that follows, whichever process records it, with its change as far as that is
   * known by then.
   */
  follow(user: string, { next, failed }: CurveListener): () => void {
    const { clock, now } = this.parts;
    let last = Number.NEGATIVE_INFINITY;
    let cancel: (() => void) | undefined;
    let isOver = false;
    const look = async (): Promise<void> => {
      const row = await this.parts.store.lastPoint(user, "MINUTE", now());
      if (row === undefined || row.at <= last || isOver) return;
      const { points, gaps } = await this.read(user, { from: row.at, to: row.at, resolution: "MINUTE" }, true);
      if (isOver) return;
      last = row.at;
      next({ point: points[0], gap: points.length > 0 ? undefined : gaps.at(-1) });
    };
    const book = (): void => {
      if (!isOver) cancel = clock.after(LOOK_MS, () => void look().then(book, failed));
    };
    void look().then(book, failed);
    return () => {
      isOver = true;
      cancel?.();
    };
  }

  /** Times between two points of which there is no sample, each with the reason of its first interval. */
  #gaps(found: readonly (Point | CurveGap)[], resolution: Resolution): readonly GapRange[] {
    const length = this.lengthOf(resolution);
    const gaps: GapRange[] = [];
    let last: number | undefined;
    for (const point of found) {
      const start = point.at - length;
      if (last !== undefined && start > last) gaps.push({ from: last, to: start, reason: "NOT_RECORDED" });
      const open = gaps.at(-1);
      if (isGap(point) && open?.to === start && open.reason === point.gap) gaps[gaps.length - 1] = { ...open, to: point.at };
      else if (isGap(point)) gaps.push({ from: start, to: point.at, reason: point.gap });
      last = point.at;
    }
    return gaps;
  }
}

const unexplained = (point: Point): CurvePoint => ({ ...point, change: undefined, records: [] });
