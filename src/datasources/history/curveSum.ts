import { sumOf } from "../reads/index.js";
import { broughtIn, type EquityChange, sumOfChanges, type ValuedChange } from "./change.js";
import type { Curve, CurvePoint } from "./curve.js";

/** What has happened to an account since the last point of the sum. */
interface Pending {
  changes: (EquityChange | undefined)[];
  records: ValuedChange[];
}

/**
 * The sum of several accounts' curves, at the times at which each account has a sample. An account counts from its first sample on,
 * by which its equity comes in as a transfer; if earlier samples of it are outside the range, the sum begins with it.
 */
export function sumOfCurves(curves: readonly Curve[]): Curve {
  const [only] = curves;
  if (only !== undefined && curves.length === 1) return only;
  const recorded = curves.flatMap(({ points, ...curve }) => {
    const [first] = points;
    return first === undefined ? [] : [{ ...curve, first: first.at, byTime: new Map(points.map((point) => [point.at, point])) }];
  });
  const firsts = recorded.map(({ first }) => first);
  const start = Math.max(...recorded.filter(({ begins }) => !begins).map(({ first }) => first), Math.min(...firsts));
  const times = [...new Set(recorded.flatMap(({ byTime }) => [...byTime.keys()]))].sort((one, other) => one - other);
  let pending: Pending = { changes: [], records: [] };
  const points = times.flatMap((at): readonly CurvePoint[] => {
    if (at < start) return [];
    const present = recorded.filter(({ first }) => first <= at);
    const own: CurvePoint[] = [];
    for (const { first, byTime } of present) {
      const point = byTime.get(at);
      if (point === undefined) continue;
      own.push(point);
      pending.changes.push(at === first && at > start ? broughtIn(point.equity) : point.change);
      pending.records.push(...point.records);
    }
    // Only times at which all are known can be compared.
    if (own.length < present.length) return [];
    const since = pending;
    pending = { changes: [], records: [] };
    return [sumAt(own, since)];
  });
  const coverages = recorded.map(({ coverage }) => coverage).filter((coverage) => coverage !== undefined);
  const coverage =
    coverages.length === 0 || coverages.length < recorded.length
      ? undefined
      : {
          from: Math.max(...coverages.map(({ from }) => from)),
          read: Math.min(...coverages.map(({ read }) => read)),
          until: Math.min(...coverages.map(({ until }) => until)),
        };
  const gaps = curves.flatMap((curve) => curve.gaps).sort((one, other) => one.from - other.from);
  return { points, gaps, coverage, begins: recorded.every(({ begins }) => begins) };
}

function sumAt(own: readonly CurvePoint[], { changes, records }: Pending): CurvePoint {
  const [some] = own;
  if (some === undefined) throw new Error("a sum of no accounts");
  const sum = (amount: (point: CurvePoint) => string) => sumOf(own.map(amount));
  const margins = own.map(({ marginInUse }) => marginInUse);
  const explained = changes.filter((change) => change !== undefined);
  const compared = own.map(({ comparedAt }) => comparedAt).filter((time) => time !== null);
  const equity = sum((point) => point.equity);
  return {
    ...some,
    time: Math.max(...own.map(({ time }) => time)),
    source: own.some(({ source }) => source === "RECONSTRUCTED") ? "RECONSTRUCTED" : "STREAM",
    comparedAt: compared.length === own.length ? Math.min(...compared) : null,
    equity,
    unrealisedPnl: sum((point) => point.unrealisedPnl),
    debt: sum((point) => point.debt),
    marginInUse: margins.includes(null) ? null : sumOf(margins),
    // It is not known when in the interval each account was at its lowest.
    low: equity,
    high: equity,
    count: Math.min(...own.map(({ count }) => count)),
    coins: own.flatMap(({ coins }) => coins),
    change: explained.length === changes.length ? sumOfChanges(explained) : undefined,
    records,
  };
}
