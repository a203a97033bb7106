/**
 * Works something out of a whole answer, once: requests share an answer as long as it is cached. `more` must be the
 * same for one answer, as the category is that a list was asked for by.
 */
export function oncePerAnswer<A extends object, M extends readonly unknown[], D extends object>(
  work: (answer: A, ...more: M) => D,
): (answer: A, ...more: M) => D {
  const done = new WeakMap<A, D>();
  return (answer, ...more) => {
    const known = done.get(answer);
    if (known !== undefined) return known;
    const result = work(answer, ...more);
    done.set(answer, result);
    return result;
  };
}
