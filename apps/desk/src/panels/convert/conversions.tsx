import { useMemo } from "react";
import { graphql, type ResultOf, type RowOf } from "../../graph/document.js";
import { usePages } from "../../graph/usePages.js";
import { useAccount } from "../../live/accounts.js";
import { useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import type { Column } from "../../ui/csv.js";
import { ListPanel } from "../../ui/listPanel.js";
import { amountColumn, timeColumn } from "../columns.js";

const Conversions = graphql(`
  query Conversions($account: String, $after: String) {
    account(name: $account) {
      convertRecords(first: 100, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          recordId
          createdTime
          fromCoin
          fromAmount
          toCoin
          toAmount
          price
          fee
        }
      }
    }
  }
`);

type Conversion = RowOf<NonNullable<ResultOf<typeof Conversions>["account"]>["convertRecords"]>;

const keyOf = ({ recordId }: Conversion): string => recordId;

export function ConversionsPanel() {
  const account = useAccount();
  const { zone } = useSettings();
  const feed = usePages(Conversions, { account }, { list: (data) => data.account?.convertRecords, keyOf }, { everyMs: 30_000 });
  const columns = useMemo(
    (): readonly Column<Conversion>[] => [
      { id: "pair", title: t("Pair"), value: (row) => `${row.fromCoin} → ${row.toCoin}`, isHead: true },
      amountColumn(
        "gave",
        t("Gave"),
        (row) => row.fromAmount,
        (row) => row.fromCoin,
      ),
      amountColumn(
        "got",
        t("Received"),
        (row) => row.toAmount,
        (row) => row.toCoin,
      ),
      amountColumn("price", t("Price"), (row) => row.price),
      amountColumn("fee", t("Fee"), (row) => row.fee),
      timeColumn("time", t("Time"), zone, (row) => row.createdTime),
    ],
    [zone],
  );
  return (
    <ListPanel
      title={t("Conversions")}
      feed={feed}
      columns={columns}
      keyOf={keyOf}
      empty={t("No conversions in the last 90 days")}
    />
  );
}
