/**
 * Reproducible random numbers. Two forms: a draw that depends only on its arguments (a price at a tick, the size of a book
 * level), and a sequence for consecutive events.
 */

/** Mixes a 32-bit number so that similar inputs give unrelated outputs (murmur3's finisher). */
const mix = (value: number): number => {
  let x = value;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
};

/** A 32-bit number of a text (FNV-1a), the root of a family of draws. */
export function rootOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash);
}

/** 32 random bits that depend on `root` and the given numbers only. The numbers may use all 53 bits. */
export function bits(root: number, a: number, b = 0, c = 0): number {
  let hash = root;
  hash = mix(hash ^ (a >>> 0)) + Math.imul(Math.floor(a / 0x1_0000_0000), 0x9e3779b1);
  hash = mix(hash ^ (b >>> 0)) + Math.imul(Math.floor(b / 0x1_0000_0000), 0x85ebca77);
  return mix(hash ^ (c >>> 0));
}

/** A whole number from 0 to `below - 1`, for `below` up to 2^32, from 32 random bits. */
export const scaled = (random: number, below: number): number => Math.floor((random * below) / 0x1_0000_0000);

/** A seeded sequence. */
export interface Random {
  /** 32 random bits. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  pick<T>(from: readonly T[]): T | undefined;
  /** True once in `times` on average. */
  oneIn(times: number): boolean;
}

export function randomOf(seed: string): Random {
  const root = rootOf(seed);
  let drawn = 0;
  const next = (): number => bits(root, drawn++);
  const between = (min: number, max: number): number => min + scaled(next(), max - min + 1);
  const pick = <T>(from: readonly T[]): T | undefined => from[scaled(next(), from.length)];
  return { next, between, pick: pick as Random["pick"], oneIn: (times) => scaled(next(), times) === 0 };
}
