import { errorsOf } from "@exchange-graph/client/urql";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type AnyVariables, stringifyVariables, useClient } from "urql";
import type { More } from "../ui/more.js";
import { type Document, textOf } from "./document.js";
import { arePassing, type Fault, faultsOf } from "./fault.js";
import type { DataFeed } from "./feed.js";
import { type ReadOptions, useRead } from "./useRead.js";

/** A page of a list of the graph. */
export interface Page<Row> {
  readonly nodes: readonly (Row | null)[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A list that is read page by page: `rows` is undefined if there is none. */
export interface Pages<Result, Row> extends DataFeed<Result> {
  readonly rows: readonly Row[] | undefined;
  readonly more: More;
}

/** Maximum number of rows that are loaded, which bounds memory. */
const MOST_ROWS = 5_000;

interface Loaded<Row> {
  readonly key: string;
  readonly rows: readonly Row[];
  /** Time of the first page, Unix ms. */
  readonly at: number | undefined;
  readonly end: string | null;
  readonly hasMore: boolean;
  readonly faults: readonly Fault[];
}

interface Listed<Result, Row> {
  /** Selects the list of the answer. */
  readonly list: (data: Result) => Page<Row> | null | undefined;
  readonly keyOf: (row: Row) => string;
}

/**
 * Reads a list with its newest rows first, and older ones on request. The first page is polled like other queries; its rows are
 * prepended to the known ones. If it overlaps with none of them, rows may be missing between them, and the list restarts. While the
 * first page cannot be read, the rows stay.
 */
export function usePages<Result, Variables extends object & AnyVariables, Row extends object>(
  document: Document<Result, Variables & { after?: string | null | undefined }>,
  variables: Variables,
  { list, keyOf }: Listed<Result, Row>,
  options: ReadOptions = {},
): Pages<Result, Row> {
  const feed = useRead(document, variables, options);
  const client = useClient();
  const key = stringifyVariables(variables);
  const [loaded, setLoaded] = useState<Loaded<Row>>();
  const [isBusy, setBusy] = useState(false);
  const requested = useRef("");
  const first = feed.data === undefined ? undefined : list(feed.data);

  const takeOver = useEffectEvent((data: Result | undefined) => {
    const page = data === undefined ? undefined : list(data);
    if (!page) return;
    const newest = present(page.nodes);
    const { at } = feed;
    setLoaded((old) => {
      const ids = new Set(newest.map(keyOf));
      const joins = old?.key === key && old.rows.some((row) => ids.has(keyOf(row)));
      if (!joins) return { key, rows: newest, at, end: page.pageInfo.endCursor, hasMore: page.pageInfo.hasNextPage, faults: [] };
      return { ...old, at, rows: [...newest, ...old.rows.filter((row) => !ids.has(keyOf(row)))].slice(0, MOST_ROWS) };
    });
  });
  // An answer is taken over once.
  useEffect(() => takeOver(feed.data), [feed.data]);

  const here = loaded?.key === key ? loaded : undefined;
  const load = async () => {
    if (here === undefined || !here.hasMore || here.end === null || requested.current === `${key} ${here.end}`) return;
    requested.current = `${key} ${here.end}`;
    setBusy(true);
    const { data, error } = await client.query<Result>(textOf(document), { ...variables, after: here.end });
    setBusy(false);
    const page = data ? list(data) : undefined;
    if (!page) requested.current = "";
    setLoaded((old) => {
      if (old?.key !== key) return old;
      if (!page) return { ...old, faults: faultsOf(errorsOf(error)) };
      const ids = new Set(old.rows.map(keyOf));
      const rows = [...old.rows, ...present(page.nodes).filter((row) => !ids.has(keyOf(row)))].slice(0, MOST_ROWS);
      const { hasNextPage, endCursor } = page.pageInfo;
      return { ...old, rows, end: endCursor, hasMore: hasNextPage && rows.length < MOST_ROWS, faults: [] };
    });
  };
  const isKept = !first && here !== undefined && arePassing(feed.faults);
  return {
    ...feed,
    ...(isKept && { at: here.at, stale: true }),
    faults: [...feed.faults, ...(here?.faults ?? [])],
    rows: isKept ? here.rows : first ? (here?.rows ?? present(first.nodes)) : undefined,
    more: { isThere: here?.hasMore ?? false, isBusy, load: () => void load() },
  };
}

const present = <Row>(nodes: readonly (Row | null)[]): readonly Row[] => nodes.filter((row) => row !== null);
