import { timingSafeEqual } from "node:crypto";

/** Compares texts in constant time. */
export function equalSecrets(received: string, expected: string): boolean {
  const left = Buffer.from(received);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
