import { timingSafeEqual } from "node:crypto";

/** Compares in a time that does not depend on where the texts differ. */
export function equalSecrets(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
