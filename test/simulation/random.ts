import { bits, type Random, randomOf, rootOf } from "@exchange-graph/sandbox/world/random";

export type { Random };

/** One stream of random numbers for each subsystem, so that a further draw in one does not move the others. */
export const streamOf = (seed: number, subsystem: string): Random => randomOf(`${seed}/${subsystem}`);

/** 32 random bits for the n-th time that something happens in a subsystem. */
export function countedBits(seed: number, subsystem: string): (of: string) => number {
  const counts = new Map<string, number>();
  return (of) => {
    const count = counts.get(of) ?? 0;
    counts.set(of, count + 1);
    return bits(rootOf(`${seed}/${subsystem}/${of}`), count);
  };
}

const ALL_BITS = 0x1_0000_0000;

/** A number from 0 to 1 (exclusive) from 32 random bits. */
export const unit = (random: number): number => random / ALL_BITS;

/** Whether an event of this probability happens. */
export const chance = (random: Random, probability: number): boolean => unit(random.next()) < probability;

export const between = (random: Random, min: number, max: number): number => min + unit(random.next()) * (max - min);

export function oneOf<T>(random: Random, values: readonly T[]): T {
  const value = values[random.between(0, values.length - 1)];
  if (value === undefined) throw new RangeError("nothing to choose from");
  return value;
}
