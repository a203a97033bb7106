import type { Document } from "../graph/document.js";
import type { Feed } from "../graph/feed.js";
import { useLatest } from "../graph/useLatest.js";

interface LiveRows<Row> {
  /** Undefined until they are known, and when the gateway could not read them. */
  readonly rows: readonly Row[] | undefined;
  readonly feed: Feed;
}

/** Rows of an account that each event contains completely, while the component is mounted. */
export function useLiveRows<Result, Row>(
  document: Document<Result, { account?: string | null | undefined }>,
  account: string,
  rowsOf: (data: Result) => readonly Row[] | null | undefined,
): LiveRows<Row> {
  const { value, feed } = useLatest(document, { account }, rowsOf);
  return { rows: value ?? undefined, feed };
}
