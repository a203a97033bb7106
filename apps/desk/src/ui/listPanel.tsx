import type { ReactNode } from "react";
import type { Feed } from "../graph/feed.js";
import type { Column } from "./csv.js";
import type { More } from "./more.js";
import { Panel } from "./panel.js";
import { Empty } from "./state.js";
import { Table } from "./table.js";

interface ListPanelProps<Row> {
  readonly title: string;
  /** Name of the table and its file. Default: the title. */
  readonly name?: string;
  readonly feed: Feed & { readonly rows: readonly Row[] | undefined; readonly more: More };
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly empty: string;
  readonly actions?: ReactNode;
  /** Buttons at the end of a row. */
  readonly rowActions?: ((row: Row) => ReactNode) | undefined;
  readonly dialogs?: ReactNode;
  /** Shown above the table. */
  readonly children?: ReactNode;
}

export function ListPanel<Row extends object>(props: ListPanelProps<Row>) {
  const { title, name = title, feed, columns, keyOf, empty, actions, rowActions, dialogs, children } = props;
  return (
    <Panel title={title} feeds={[feed]} has={feed.rows !== undefined} actions={actions} dialogs={dialogs}>
      {children}
      {feed.rows?.length === 0 ? (
        <Empty>{empty}</Empty>
      ) : (
        <Table
          name={name}
          columns={columns}
          rows={feed.rows}
          keyOf={keyOf}
          more={feed.more}
          {...(rowActions !== undefined && { actions: rowActions })}
        />
      )}
    </Panel>
  );
}
