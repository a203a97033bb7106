import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

interface Closable {
  close(): Promise<void>;
}

/** What all tests of a file or a block share: started before the first, closed after the last. */
export const startedOnce = <T extends Closable>(start: () => Promise<T>): T => started(start, beforeAll, afterAll);

/** What each test of a file or a block has of its own: started before it, closed after it. */
export const startedForEach = <T extends Closable>(start: () => Promise<T>): T => started(start, beforeEach, afterEach);

/** Has the members of what was started last. */
function started<T extends Closable>(start: () => Promise<T>, before: typeof beforeEach, after: typeof afterEach): T {
  let last: T | undefined;
  before(async () => {
    last = await start();
  });
  after(() => last?.close());
  const current = (): T => {
    if (last === undefined) throw new Error("nothing is started yet");
    return last;
  };
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(current(), name),
    set: (_, name, value) => Reflect.set(current(), name, value),
  });
}
