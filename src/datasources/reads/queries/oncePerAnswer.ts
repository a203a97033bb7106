/**
 * Computes something from a whole answer once: requests share an answer while it is cached. `more` must be the same for the same
 * answer, such as the category of a list.
 */
export function oncePerAnswer<A extends object, M extends readonly unknown[], D extends object>(
  work: (answer: A, ...more: M) => D,
): (answer: A, ...more: M) => D {
  const done = new WeakMap<A, D>();
  return (answer, ...more) => {
    const cached = done.get(answer);
    if (cached !== undefined) return cached;
    const result = work(answer, ...more);
    done.set(answer, result);
    return result;
  };
}
