import { randomOf } from "@exchange-graph/sandbox/world/random";

const RESAMPLES = 2_000;

/** A figure, and between which two it lies with a confidence of 95 %. */
export interface Estimate {
  readonly figure: number;
  readonly low: number;
  readonly high: number;
}

/** Chance that is the same for the same seed: from 0 up to 1. */
export function seeded(seed: string): () => number {
  const random = randomOf(seed);
  return () => random.next() / 0x1_0000_0000;
}

/** A random order, there and back: so what grows steadily meanwhile meets all alike. */
export function thereAndBack<T>(items: readonly T[], random: () => number): readonly T[] {
  const order = items
    .map((item) => ({ item, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
  return [...order, ...order.toReversed()];
}

/** A figure that is made of several, with its interval by the bootstrap: as many, drawn from these with repetition. */
export function estimated<T>(items: readonly T[], figureOf: (items: readonly T[]) => number, random: () => number): Estimate {
  const drawn = (): T[] => items.flatMap(() => items[Math.floor(random() * items.length)] ?? []);
  const figures = Array.from({ length: RESAMPLES }, () => figureOf(drawn())).sort((a, b) => a - b);
  const at = (share: number): number => figures[Math.floor(share * (RESAMPLES - 1))] ?? Number.NaN;
  return { figure: figureOf(items), low: at(0.025), high: at(0.975) };
}

/** What that share of the figures is below; the median by default. */
export function quantile(figures: readonly number[], share = 0.5): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  return below + (at % 1) * ((sorted[Math.ceil(at)] ?? Number.NaN) - below);
}

/** The mean of the figures without that share of them at each end. */
export function trimmedMean(figures: readonly number[], share: number): number {
  const cut = Math.floor(figures.length * share);
  const kept = [...figures].sort((a, b) => a - b).slice(cut, figures.length - cut);
  return kept.reduce((sum, figure) => sum + figure, 0) / kept.length;
}
