import { useState } from "react";
import type { Document } from "../graph/document.js";
import type { Feed } from "../graph/feed.js";
import { useLive } from "../graph/useLive.js";
import { Store, useStore } from "../state/store.js";

interface Rows<Row> {
  readonly of: string;
  readonly rows: readonly Row[] | undefined;
}

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
  const [store] = useState(() => new Store<Rows<Row>>({ of: account, rows: undefined }));
  const feed = useLive(document, { account }, (data) => store.set({ of: account, rows: rowsOf(data) ?? undefined }));
  const { of, rows } = useStore(store);
  return { rows: of === account ? rows : undefined, feed };
}
