import { useMemo, useState } from "react";
import { amount, NONE, percent, words } from "../../format/format.js";
import { graphql, type ResultOf, type RowOf } from "../../graph/document.js";
import { usePages } from "../../graph/usePages.js";
import { useRead } from "../../graph/useRead.js";
import { useAccount } from "../../live/accounts.js";
import { useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import { Choice, Tabs } from "../../ui/controls.js";
import type { Column } from "../../ui/csv.js";
import { ListPanel } from "../../ui/listPanel.js";
import { Tag } from "../../ui/tag.js";
import { amountColumn, timeColumn, wordColumn } from "../columns.js";

const SavingsProducts = graphql(`
  query SavingsProducts($account: String) {
    account(name: $account) {
      earn {
        savings {
          products(filter: ALL) {
            productId
            coin
            periodType
            periodDays
            canRedeemEarly
            settleMethod
            status
            apyTiers {
              tier
              apy
              minAmount
              maxAmount
            }
          }
        }
      }
    }
  }
`);

const SavingsRecords = graphql(`
  query SavingsRecords(
    $account: String
    $periodType: SavingsPeriodTypeInput!
    $orderType: SavingsRecordTypeInput
    $after: String
  ) {
    account(name: $account) {
      earn {
        savings {
          records(periodType: $periodType, orderType: $orderType, first: 100, after: $after) {
            pageInfo {
              hasNextPage
              endCursor
            }
            nodes {
              orderId
              productCoin
              interestCoin
              orderType
              periodType
              periodDays
              amount
              createdTime
            }
          }
        }
      }
    }
  }
`);

type Product = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof SavingsProducts>["account"]>["earn"]["savings"]["products"]>[number]
>;
type Saved = RowOf<NonNullable<ResultOf<typeof SavingsRecords>["account"]>["earn"]["savings"]["records"]>;

/** The rates of a product: `8 % to 500, then 3 %`. */
const ratesOf = ({ apyTiers }: Product): string =>
  apyTiers
    .flatMap((tier, index) =>
      tier === null
        ? []
        : `${percent(tier.apy)}${index < apyTiers.length - 1 && tier.maxAmount !== null ? t(" to {most}", { most: amount(tier.maxAmount) }) : ""}`,
    )
    .join(t(", then "));

const productColumns: readonly Column<Product>[] = [
  {
    id: "coin",
    title: t("Product"),
    value: (row) => row.coin,
    cell: ({ coin, periodType, periodDays }) => (
      <>
        {coin} <Tag>{words(periodType)}</Tag>{" "}
        {periodType === "FIXED" && (
          <small className="muted">
            {periodDays} {t("days")}
          </small>
        )}
      </>
    ),
    isHead: true,
  },
  { id: "rates", title: t("Rate a year"), value: (row) => row.apyTiers[0]?.apy, cell: ratesOf, isNumber: true },
  amountColumn("min", t("From"), (row) => row.apyTiers[0]?.minAmount),
  {
    id: "early",
    title: t("Redeemed early"),
    value: (row) => (row.canRedeemEarly === null ? null : String(row.canRedeemEarly)),
    cell: ({ periodType, canRedeemEarly }) =>
      periodType === "FLEXIBLE" ? t("At any time") : canRedeemEarly === null ? NONE : canRedeemEarly ? t("Yes") : t("No"),
  },
  wordColumn("settle", t("Interest"), (row) => row.settleMethod),
  wordColumn("status", t("Status"), (row) => row.status),
];

const NO_MORE = { isThere: false, isBusy: false, load: () => undefined };

/** Savings products with their terms. */
export function SavingsProductsPanel() {
  const account = useAccount();
  const feed = useRead(SavingsProducts, { account }, { everyMs: 60_000 });
  const rows = feed.data?.account?.earn.savings.products?.filter((row) => row !== null);
  return (
    <ListPanel
      title={t("Savings products")}
      feed={{ ...feed, rows, more: NO_MORE }}
      columns={productColumns}
      keyOf={({ productId }) => productId}
      empty={t("Nothing is offered")}
    />
  );
}

const TYPES = [
  { value: "PAY_INTEREST", text: t("Interest") },
  { value: "SUBSCRIBE", text: t("Subscribed") },
  { value: "REDEEM", text: t("Redeemed") },
] as const;

/** History of savings: interest, subscriptions, redemptions. */
export function SavingsRecordsPanel() {
  const account = useAccount();
  const { zone } = useSettings();
  const [orderType, setOrderType] = useState<(typeof TYPES)[number]["value"]>("PAY_INTEREST");
  const [periodType, setPeriodType] = useState<"FLEXIBLE" | "FIXED">("FLEXIBLE");
  const feed = usePages(
    SavingsRecords,
    { account, periodType, orderType },
    { list: (data) => data.account?.earn.savings.records, keyOf },
    { everyMs: 60_000 },
  );
  const columns = useMemo(
    (): readonly Column<Saved>[] => [
      { id: "coin", title: t("Product"), value: (row) => row.productCoin, isHead: true },
      wordColumn("type", t("What"), (row) => row.orderType),
      amountColumn(
        "amount",
        t("Amount"),
        (row) => row.amount,
        (row) => (row.orderType === "PAY_INTEREST" ? row.interestCoin : row.productCoin),
      ),
      { id: "period", title: t("Days"), value: ({ periodDays }) => periodDays?.toString(), isNumber: true },
      timeColumn("time", t("Time"), zone, (row) => row.createdTime),
    ],
    [zone],
  );
  return (
    <ListPanel
      title={t("Savings records")}
      feed={feed}
      columns={columns}
      keyOf={keyOf}
      empty={t("Nothing in the last three months")}
      actions={
        <>
          <Tabs label={t("Records of")} tabs={TYPES} value={orderType} onChange={setOrderType} />
          <Choice
            label={t("Kind of product")}
            value={periodType}
            onChange={setPeriodType}
            options={[
              { value: "FLEXIBLE", text: t("Flexible") },
              { value: "FIXED", text: t("Fixed") },
            ]}
          />
        </>
      }
    />
  );
}

const keyOf = ({ orderId, orderType, createdTime, amount: size }: Saved): string =>
  `${orderId} ${orderType} ${createdTime} ${size}`;
