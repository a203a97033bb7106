/** How many objects an answer has. */
export function nodesIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + nodesIn(one), 0);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + nodesIn(one), 1);
}
