import { randomOf } from "@exchange-graph/sandbox/world/random";

const RESAMPLES = 2_000;

/** An estimate with its 95 % confidence interval. */
interface Estimate {
  readonly figure: number;
  readonly low: number;
  readonly high: number;
}

/** A seeded random function with values from 0 up to, but not including, 1. */
export function seeded(seed: string): () => number {
  const random = randomOf(seed);
  return () => random.next() / 0x1_0000_0000;
}

/** The items in a random order and then in the reverse order, so that a linear drift affects all of them equally. */
export function thereAndBack<T>(items: readonly T[], random: () => number): readonly T[] {
  const order = items
    .map((item) => ({ item, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
  return [...order, ...order.toReversed()];
}

/** A statistic of the items, with its bootstrap interval: computed over samples of the same size, drawn with replacement. */
export function estimated<T>(items: readonly T[], figureOf: (items: readonly T[]) => number, random: () => number): Estimate {
  const drawn = (): T[] => items.flatMap(() => items[Math.floor(random() * items.length)] ?? []);
  const figures = Array.from({ length: RESAMPLES }, () => figureOf(drawn())).sort((a, b) => a - b);
  const at = (share: number): number => figures[Math.floor(share * (RESAMPLES - 1))] ?? Number.NaN;
  return { figure: figureOf(items), low: at(0.025), high: at(0.975) };
}

/** The mean without this share of the figures at each end. */
export function trimmedMean(figures: readonly number[], share: number): number {
  const cut = Math.floor(figures.length * share);
  const kept = [...figures].sort((a, b) => a - b).slice(cut, figures.length - cut);
  return kept.reduce((sum, figure) => sum + figure, 0) / kept.length;
}
