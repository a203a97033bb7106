import { useMemo } from "react";
import { words } from "../../format/format.js";
import type { Zone } from "../../format/time.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
import { useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import type { Column } from "../../ui/csv.js";
import { Panel } from "../../ui/panel.js";
import { Table } from "../../ui/table.js";
import { Tag } from "../../ui/tag.js";
import { timeColumn } from "../columns.js";

const LiveListsOf = graphql(`
  query LiveListsOf {
    exchange {
      liveLists {
        account
        stream
        list
        comparedTime
        reason
      }
    }
  }
`);

type LiveList = ResultOf<typeof LiveListsOf>["exchange"]["liveLists"][number];

/** Lists are compared at most every few seconds, and there are a dozen or more of each account. */
const EVERY_MS = 10_000;

const columns = (zone: Zone): readonly Column<LiveList>[] => [
  { id: "account", title: t("Account"), value: ({ account }) => account, isHead: true },
  { id: "stream", title: t("State"), value: ({ stream }) => stream },
  { id: "list", title: t("List"), value: ({ list }) => list },
  timeColumn("compared", t("Compared"), zone, ({ comparedTime }) => comparedTime),
  {
    id: "reason",
    title: t("Queries"),
    value: ({ reason }) => reason,
    cell: ({ reason }) => (reason === null ? t("from streams") : <Tag tone="warn">{words(reason)}</Tag>),
  },
];

/** The lists from which queries are answered: when each was last compared with the exchange, and why one is not used. */
export function LiveListsPanel() {
  const feed = useRead(LiveListsOf, {}, { everyMs: EVERY_MS });
  const { zone } = useSettings();
  const shown = useMemo(() => columns(zone), [zone]);
  const lists = feed.data?.exchange.liveLists;
  return (
    <Panel
      title={t("Live lists")}
      feeds={[feed]}
      has={lists !== undefined}
      empty={lists?.length === 0 && t("No account's streams are kept open for queries")}
    >
      <Table
        name={t("Live lists")}
        columns={shown}
        rows={lists}
        keyOf={({ account, stream, list }) => `${account} ${stream} ${list}`}
      />
    </Panel>
  );
}
