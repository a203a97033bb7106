import { useState } from "react";
import { words } from "../../format/format.js";
import { graphql } from "../../graph/document.js";
import { useAccount } from "../../live/accounts.js";
import { t } from "../../text/text.js";
import { Tabs } from "../../ui/controls.js";
import type { Column } from "../../ui/csv.js";
import { Panel } from "../../ui/panel.js";
import { amountColumn, dayColumn, percentColumn, timeColumn, wordColumn } from "../columns.js";
import { historyList, useHistoryList } from "../historyList.js";

const ClosedLoans = graphql(`
  query ClosedLoans($account: String, $after: String) {
    account(name: $account) {
      loans {
        history(first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            orderId
            loanCoin
            loanAmount
            pledgeCoin
            pledgeAmount
            hourlyRate
            term
            status
            borrowTime
          }
        }
      }
    }
  }
`);

const Repayments = graphql(`
  query Repayments($account: String, $after: String) {
    account(name: $account) {
      loans {
        repayments(first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            orderId
            loanCoin
            amount
            principalAmount
            interestAmount
            pledgeCoin
            unlockedAmount
            repayTime
          }
        }
      }
    }
  }
`);

const Reductions = graphql(`
  query Reductions($account: String, $after: String) {
    account(name: $account) {
      loans {
        reductions(first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            orderId
            loanCoin
            principalAmount
            pledgeCoin
            pledgeAmount
            pledgePrice
            leftAmount
            fee
            ltv
            status
            reduceTime
          }
        }
      }
    }
  }
`);

const loanColumn = <Row extends { readonly loanCoin: string | null; readonly orderId: string }>(): Column<Row> => ({
  id: "loan",
  title: t("Loan"),
  value: (row) => row.orderId,
  cell: (row) => (
    <>
      {row.loanCoin}{" "}
      <small className="muted" title={row.orderId}>
        …{row.orderId.slice(-6)}
      </small>
    </>
  ),
  isHead: true,
});

const coinOf = (row: { readonly loanCoin: string | null }) => row.loanCoin;
const pledgeCoinOf = (row: { readonly pledgeCoin: string | null }) => row.pledgeCoin;

const closedLoans = historyList({
  name: t("Closed loans"),
  document: ClosedLoans,
  list: (data) => data.account?.loans.history,
  keyOf: ({ orderId }) => orderId,
  columns: (zone) => [
    loanColumn(),
    amountColumn("amount", t("Borrowed"), (row) => row.loanAmount, coinOf),
    amountColumn("pledge", t("Pledged"), (row) => row.pledgeAmount, pledgeCoinOf),
    percentColumn("rate", t("Rate an hour"), (row) => row.hourlyRate, 5),
    {
      id: "term",
      title: t("Term"),
      value: (row) => row.term,
      cell: ({ term }) => (term !== null && /^\d+$/.test(term) ? t("{term} days", { term }) : words(term)),
    },
    wordColumn("status", t("Ended by"), (row) => row.status),
    dayColumn("borrowed", t("Borrowed at"), zone, (row) => row.borrowTime),
  ],
});

const repayments = historyList({
  name: "Repayments",
  document: Repayments,
  list: (data) => data.account?.loans.repayments,
  keyOf: ({ orderId, repayTime, amount }) => `${orderId} ${repayTime} ${amount}`,
  columns: (zone) => [
    loanColumn(),
    amountColumn("amount", t("Repaid"), (row) => row.amount, coinOf),
    amountColumn("principal", t("Principal"), (row) => row.principalAmount),
    amountColumn("interest", t("Interest"), (row) => row.interestAmount),
    amountColumn("unlocked", t("Unlocked"), (row) => row.unlockedAmount, pledgeCoinOf),
    timeColumn("time", t("Time"), zone, (row) => row.repayTime),
  ],
});

const reductions = historyList({
  name: t("Loan liquidations"),
  document: Reductions,
  list: (data) => data.account?.loans.reductions,
  keyOf: ({ orderId, reduceTime, principalAmount }) => `${orderId} ${reduceTime} ${principalAmount}`,
  columns: (zone) => [
    loanColumn(),
    amountColumn("principal", t("Repaid"), (row) => row.principalAmount, coinOf),
    amountColumn("sold", t("Sold"), (row) => row.pledgeAmount, pledgeCoinOf),
    amountColumn("price", t("At"), (row) => row.pledgePrice),
    amountColumn("left", t("Left"), (row) => row.leftAmount, pledgeCoinOf),
    amountColumn("fee", t("Fee"), (row) => row.fee),
    percentColumn("ltv", "LTV", (row) => row.ltv),
    wordColumn("status", t("Status"), (row) => row.status),
    timeColumn("time", t("Time"), zone, (row) => row.reduceTime),
  ],
});

const VIEWS = [
  { value: "closed", text: t("Closed"), empty: t("No loan has ended in the last three months") },
  { value: "repayments", text: t("Repayments"), empty: t("Nothing was repaid in the last three months") },
  { value: "reductions", text: t("Liquidations"), empty: t("No loan was liquidated in the last three months") },
] as const;

/** Ended loans, repayments, and collateral taken by the exchange. */
export function LoanHistoryPanel() {
  const account = useAccount();
  const [view, setView] = useState<(typeof VIEWS)[number]["value"]>("closed");
  const { feed, table } = {
    closed: useHistoryList(closedLoans, { account }, view === "closed"),
    repayments: useHistoryList(repayments, { account }, view === "repayments"),
    reductions: useHistoryList(reductions, { account }, view === "reductions"),
  }[view];
  return (
    <Panel
      title={t("Loan history")}
      feeds={[feed]}
      has={feed.rows !== undefined}
      empty={feed.rows?.length === 0 && VIEWS.find(({ value }) => value === view)?.empty}
      actions={<Tabs label={t("Loan history of")} tabs={VIEWS} value={view} onChange={setView} />}
    >
      {table}
    </Panel>
  );
}
