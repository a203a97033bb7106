/** The live rows as far as the exchange's lists say something: pushes of orders have more fields than lists do. */
export function saidBy(rest: unknown, live: unknown): unknown {
  if (Array.isArray(rest) && Array.isArray(live)) return live.map((row, at) => saidBy(rest[at], row));
  if (typeof rest !== "object" || typeof live !== "object" || rest === null || live === null) return live;
  const said = new Map<string, unknown>(Object.entries(rest));
  const fields = Object.entries(live).filter(([field]) => said.has(field));
  return Object.fromEntries(
    fields.map(([field, value]) => [field, said.get(field) === null ? null : saidBy(said.get(field), value)]),
  );
}
