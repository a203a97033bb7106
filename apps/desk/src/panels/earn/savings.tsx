import { isDecimal } from "@exchange-graph/client";
import { useState } from "react";
import { amount, NONE, percent, words } from "../../format/format.js";
import { t } from "../../text/text.js";
import "../../graph/written.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { usePages } from "../../graph/usePages.js";
import { submit } from "../../graph/writes.js";
import { useAccount, useMay } from "../../live/accounts.js";
import { Choice, Field, Figure } from "../../ui/controls.js";
import type { Column } from "../../ui/csv.js";
import { errorAt } from "../../ui/errors.js";
import figures from "../../ui/figures.module.css";
import { ListPanel } from "../../ui/listPanel.js";
import { Tag } from "../../ui/tag.js";
import { WriteForm } from "../../ui/writeForm.js";
import { amountColumn } from "../columns.js";

const SavingsOf = graphql(`
  query SavingsOf($account: String, $periodType: SavingsPeriodTypeInput!, $after: String) {
    account(name: $account) {
      earn {
        savings {
          totals {
            amountUsdt
            earned24hUsdt
            earnedUsdt
          }
          assets(periodType: $periodType, first: 100, after: $after) {
            pageInfo {
              hasNextPage
              endCursor
            }
            nodes {
              productId
              orderId
              productCoin
              amount
              periodType
              periodDays
              holdDays
              status
              canRedeemEarly
              lastProfit
              totalProfit
              interestCoin
              apyTiers {
                apy
              }
            }
          }
        }
      }
    }
  }
`);

const RedeemSavings = graphql(`
  mutation RedeemSavings($input: RedeemSavingsInput!) {
    redeemSavings(input: $input) {
      ...Written
    }
  }
`);

type Savings = NonNullable<ResultOf<typeof SavingsOf>["account"]>["earn"]["savings"];
type Holding = NonNullable<NonNullable<Savings["assets"]>["nodes"][number]>;

const columns: readonly Column<Holding>[] = [
  {
    id: "coin",
    title: t("Product"),
    value: (row) => row.productCoin,
    cell: ({ productCoin, periodType, periodDays }) => (
      <>
        {productCoin} <Tag>{words(periodType)}</Tag>{" "}
        {periodType === "FIXED" && (
          <small className="muted">
            {periodDays} {t("days")}
          </small>
        )}
      </>
    ),
    isHead: true,
  },
  { id: "amount", title: t("Amount"), value: (row) => row.amount, cell: (row) => amount(row.amount), isNumber: true },
  {
    id: "apy",
    title: t("Rate a year"),
    value: (row) => row.apyTiers[0]?.apy,
    cell: ({ apyTiers }) => percent(apyTiers[0]?.apy),
    isNumber: true,
  },
  amountColumn(
    "last",
    t("Last interest"),
    ({ lastProfit }) => lastProfit,
    ({ interestCoin }) => interestCoin,
  ),
  amountColumn(
    "total",
    t("Interest so far"),
    ({ totalProfit }) => totalProfit,
    ({ interestCoin }) => interestCoin,
  ),
  { id: "days", title: t("Days held"), value: (row) => row.holdDays?.toString(), isNumber: true },
  { id: "status", title: t("Status"), value: (row) => row.status, cell: (row) => words(row.status) },
];

const keyOf = ({ productId, orderId }: Holding): string => `${productId} ${orderId ?? ""}`;

/** Savings with their terms and results, and their redemption. */
export function SavingsPanel() {
  const account = useAccount();
  const mayEarn = useMay("earn", account);
  const [periodType, setPeriodType] = useState<"FLEXIBLE" | "FIXED">("FLEXIBLE");
  const feed = usePages(
    SavingsOf,
    { account, periodType },
    { list: (data) => data.account?.earn.savings.assets, keyOf },
    { everyMs: 10_000 },
  );
  const totals = feed.data?.account?.earn.savings.totals;
  const [redeemed, redeem] = useState<Holding>();
  const rowActions = (row: Holding) =>
    row.status === "IN_PROGRESS" && (row.periodType === "FLEXIBLE" || row.canRedeemEarly === true) ? (
      <button type="button" onClick={() => redeem(row)}>
        {t("Redeem")}
      </button>
    ) : null;
  return (
    <ListPanel
      title={t("Savings")}
      feed={feed}
      columns={columns}
      keyOf={keyOf}
      empty={t("No {value} savings", { value: t(periodType === "FLEXIBLE" ? "Flexible" : "Fixed").toLowerCase() })}
      rowActions={mayEarn ? rowActions : undefined}
      dialogs={redeemed !== undefined && <Redeem account={account} holding={redeemed} onClose={() => redeem(undefined)} />}
      actions={
        <Choice
          label={t("Kind of savings")}
          value={periodType}
          onChange={setPeriodType}
          options={[
            { value: "FLEXIBLE", text: t("Flexible") },
            { value: "FIXED", text: t("Fixed") },
          ]}
        />
      }
    >
      <dl className={figures.figures}>
        <Figure name={t("Saved, USDT")}>{amount(totals?.amountUsdt, 2)}</Figure>
        <Figure name={t("Earned in 24 h, USDT")}>{amount(totals?.earned24hUsdt, 4)}</Figure>
        <Figure name={t("Earned in all, USDT")}>{amount(totals?.earnedUsdt, 2)}</Figure>
      </dl>
    </ListPanel>
  );
}

function Redeem({
  account,
  holding,
  onClose,
}: {
  readonly account: string;
  readonly holding: Holding;
  readonly onClose: () => void;
}) {
  const { productId, orderId, productCoin, periodType } = holding;
  const [value, setValue] = useState(holding.amount ?? "");
  if (periodType !== "FLEXIBLE" && periodType !== "FIXED") return null;
  return (
    <WriteForm
      title={t("Redeem {value}", { value: productCoin ?? NONE })}
      verb={t("Redeem")}
      isReady={isDecimal(value)}
      fields={["amount"]}
      onClose={onClose}
      send={() =>
        submit(t("Redeem {value} {value2}", { value, value2: productCoin ?? "" }), RedeemSavings, {
          account,
          productId,
          periodType,
          amount: value,
          ...(orderId !== null && { orderId }),
        })
      }
    >
      {(errors) => (
        <Field
          label={t("Amount")}
          value={value}
          onChange={setValue}
          unit={productCoin}
          error={errorAt(errors, "amount")}
          hint={t("Held: {amount} {value}", { amount: amount(holding.amount), value: productCoin ?? "" })}
          isDecimal
        />
      )}
    </WriteForm>
  );
}
