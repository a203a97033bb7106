/** Removes the oldest entry of a map that has more than `most`. */
export function bound(map: Map<unknown, unknown>, most: number): void {
  if (map.size <= most) return;
  const [oldest] = map.keys();
  map.delete(oldest);
}
