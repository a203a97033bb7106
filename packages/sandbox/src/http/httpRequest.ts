/** One HTTP request as received: nothing is decoded, because the signature covers the bytes as sent. */
export interface Received {
  readonly method: string;
  /** The request target, path and query, exactly as sent. */
  readonly target: string;
  readonly path: string;
  /** The text after the first `?`, exactly as sent; empty if there is none. */
  readonly query: string;
  readonly body: string;
  readonly address: string;
  /** A header by its name, in any letter case. */
  header(name: string): string | undefined;
}

/** Splits a request target at its first `?`. */
export function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf("?");
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
