import { useMemo, useState } from "react";
import { graphql, type ResultOf } from "../../graph/document.js";
import { usePages } from "../../graph/usePages.js";
import { useAccount } from "../../live/accounts.js";
import { useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import { Tabs } from "../../ui/controls.js";
import type { Column } from "../../ui/csv.js";
import { ListPanel } from "../../ui/listPanel.js";
import { amountColumn, timeColumn, wordColumn } from "../columns.js";

const SharkFinRecords = graphql(`
  query SharkFinRecords($account: String, $type: SharkFinRecordTypeInput!, $after: String) {
    account(name: $account) {
      earn {
        sharkFin {
          records(type: $type, first: 100, after: $after) {
            pageInfo {
              hasNextPage
              endCursor
            }
            nodes {
              orderId
              product
              period
              type
              amount
              createdTime
            }
          }
        }
      }
    }
  }
`);

type SharkFin = NonNullable<ResultOf<typeof SharkFinRecords>["account"]>["earn"]["sharkFin"];
type Entry = NonNullable<NonNullable<SharkFin["records"]>["nodes"][number]>;

const TYPES = [
  { value: "INTEREST", text: t("Interest") },
  { value: "SUBSCRIPTION", text: t("Subscribed") },
  { value: "REDEMPTION", text: t("Redeemed") },
] as const;

/** History of shark-fin products. */
export function SharkFinRecordsPanel() {
  const account = useAccount();
  const { zone } = useSettings();
  const [type, setType] = useState<(typeof TYPES)[number]["value"]>("INTEREST");
  const feed = usePages(
    SharkFinRecords,
    { account, type },
    { list: (data) => data.account?.earn.sharkFin.records, keyOf },
    { everyMs: 60_000 },
  );
  const columns = useMemo(
    (): readonly Column<Entry>[] => [
      { id: "product", title: t("Product"), value: (row) => row.product, isHead: true },
      wordColumn("type", t("What"), (row) => row.type),
      amountColumn("amount", t("Amount"), (row) => row.amount),
      { id: "period", title: t("Days"), value: (row) => row.period, isNumber: true },
      timeColumn("time", t("Time"), zone, (row) => row.createdTime),
    ],
    [zone],
  );
  return (
    <ListPanel
      title={t("Shark-fin records")}
      feed={feed}
      columns={columns}
      keyOf={keyOf}
      empty={t("Nothing in the last three months")}
      actions={<Tabs label={t("Shark-fin records of")} tabs={TYPES} value={type} onChange={setType} />}
    />
  );
}

const keyOf = ({ orderId, type, createdTime, amount }: Entry): string => `${orderId} ${type} ${createdTime} ${amount}`;
