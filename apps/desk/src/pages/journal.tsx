import { words } from "../format/format.js";
import { dateTime } from "../format/time.js";
import { graphql, type ResultOf } from "../graph/document.js";
import { usePages } from "../graph/usePages.js";
import { useAccount } from "../live/accounts.js";
import { useSettings } from "../state/settings.js";
import { t } from "../text/text.js";
import { Board } from "../ui/board.js";
import clip from "../ui/clip.module.css";
import type { Column } from "../ui/csv.js";
import { Panel } from "../ui/panel.js";
import { Table } from "../ui/table.js";
import { Tag } from "../ui/tag.js";

const Writes = graphql(`
  query Writes($account: String, $after: String) {
    account(name: $account) {
      journal(first: 100, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          id
          seq
          mutation
          endpoint
          status
          sentTime
          settledTime
          idempotencyKey
          clientOid
          parameters
          problem {
            code
            message
            exchangeCode
          }
        }
      }
    }
  }
`);

type Entry = NonNullable<NonNullable<NonNullable<ResultOf<typeof Writes>["account"]>["journal"]["nodes"][number]>>;

const keyOf = ({ id }: Entry): string => id;

const TONES = new Map<string, "up" | "down" | "warn">([
  ["ACCEPTED", "up"],
  ["REJECTED", "down"],
  ["UNKNOWN", "warn"],
]);

/** Writes through this gateway with their outcomes. An unknown one can be settled here. */
export function Journal() {
  const account = useAccount();
  const { zone } = useSettings();
  const feed = usePages(Writes, { account }, { list: (data) => data.account?.journal, keyOf }, { everyMs: 3_000 });
  const { rows, more } = feed;
  const columns: readonly Column<Entry>[] = [
    { id: "mutation", title: t("Write"), value: (row) => row.mutation, isHead: true },
    {
      id: "state",
      title: t("Outcome"),
      value: (row) => row.status,
      cell: ({ status }) => <Tag tone={TONES.get(status)}>{words(status)}</Tag>,
    },
    {
      id: "sent",
      title: t("Sent"),
      value: (row) => row.sentTime,
      cell: (row) => <span className="muted">{dateTime(row.sentTime, zone)}</span>,
    },
    {
      id: "settled",
      title: t("Settled"),
      value: (row) => row.settledTime,
      cell: (row) => <span className="muted">{dateTime(row.settledTime, zone)}</span>,
    },
    {
      id: "problem",
      title: t("Problem"),
      value: ({ problem }) => problem && `${problem.code} ${problem.exchangeCode ?? ""} ${problem.message}`,
      cell: ({ problem }) =>
        problem === null ? (
          "–"
        ) : (
          <span title={problem.message}>
            {problem.code} <small className="muted">{problem.exchangeCode}</small>
          </span>
        ),
    },
    {
      id: "parameters",
      title: t("Sent as"),
      value: ({ parameters }) => JSON.stringify(parameters),
      cell: ({ parameters }) => (
        <code className={clip.clip} title={JSON.stringify(parameters)}>
          {JSON.stringify(parameters)}
        </code>
      ),
    },
    {
      id: "key",
      title: t("Key"),
      value: (row) => row.idempotencyKey,
      cell: (row) => (
        <code className={`${clip.clip} ${clip.short} muted`} title={row.idempotencyKey}>
          {row.idempotencyKey}
        </code>
      ),
    },
    { id: "endpoint", title: t("Endpoint"), value: (row) => row.endpoint },
  ];
  const panel = (
    <Panel
      title={t("Journal")}
      feeds={[feed]}
      has={rows !== undefined}
      empty={rows?.length === 0 && t("Nothing has been written to this account in the last week")}
    >
      <Table name={t("Journal")} columns={columns} rows={rows} keyOf={keyOf} more={more} />
    </Panel>
  );
  return (
    <>
      <h1 className="hidden">{t("Journal")}</h1>
      <Board tiles={[{ id: "Journal", w: 24, panel }]} />
    </>
  );
}
