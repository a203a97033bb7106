/**
 * Places along a line from 0 to `length`, at least `gap` apart or else evenly close, each at its wanted one or the nearest that is
 * free after it. `wanted` is ascending.
 */
export function spread(wanted: readonly number[], gap: number, length: number): readonly number[] {
  const step = wanted.length < 2 ? gap : Math.min(gap, length / (wanted.length - 1));
  const places: number[] = [];
  for (const place of wanted) places.push(Math.max(place, (places.at(-1) ?? -step) + step));
  for (let at = places.length - 1, end = length; at >= 0; at--, end -= step) places[at] = Math.min(places[at] ?? 0, end);
  return places;
}
