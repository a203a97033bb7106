import { useMemo } from "react";
import type { AnyVariables } from "urql";
import type { Zone } from "../format/time.js";
import type { Document } from "../graph/document.js";
import { type Page, usePages } from "../graph/usePages.js";
import { useSettings } from "../state/settings.js";
import type { Column, FileColumn } from "../ui/csv.js";
import { Table } from "../ui/table.js";

/** One of the lists of a panel with tabs. */
interface HistoryList<Result, Variables extends AnyVariables & object, Row extends object> {
  /** Name of the list, used for its tab, its table and its file. */
  readonly name: string;
  readonly document: Document<Result, Variables & { after?: string | null | undefined }>;
  /** Selects the list of the answer. */
  readonly list: (data: Result) => Page<Row> | null | undefined;
  readonly keyOf: (row: NoInfer<Row>) => string;
  readonly columns: (zone: Zone) => readonly Column<NoInfer<Row>>[];
}

/** Infers the types of a list from its document. */
export const historyList = <Result, Variables extends AnyVariables & object, Row extends object>(
  list: HistoryList<Result, Variables, Row>,
): HistoryList<Result, Variables, Row> => list;

/** Reads a list while it is shown, and returns its feed and table, with the columns of its file. */
export function useHistoryList<Result, Variables extends AnyVariables & object, Row extends object>(
  { name, document, list, keyOf, columns }: HistoryList<Result, Variables, Row>,
  variables: Variables,
  isShown: boolean,
  file?: readonly FileColumn<NoInfer<Row>>[],
) {
  const { zone } = useSettings();
  const feed = usePages(document, variables, { list, keyOf }, { isPaused: !isShown });
  const shown = useMemo(() => columns(zone), [columns, zone]);
  const table = <Table key={name} name={name} columns={shown} rows={feed.rows} keyOf={keyOf} file={file} more={feed.more} />;
  return { feed, table };
}
