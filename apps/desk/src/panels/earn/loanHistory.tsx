import { useMemo, useState } from "react";
import { words } from "../../format/format.js";
import { graphql, type ResultOf, type RowOf } from "../../graph/document.js";
import { usePages } from "../../graph/usePages.js";
import { useAccount } from "../../live/accounts.js";
import { useSettings } from "../../state/settings.js";
import { Tabs } from "../../ui/controls.js";
import type { Column } from "../../ui/csv.js";
import { ListPanel } from "../../ui/listPanel.js";
import { amountColumn, percentColumn, timeColumn, wordColumn } from "../columns.js";

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

type Closed = RowOf<NonNullable<ResultOf<typeof ClosedLoans>["account"]>["loans"]["history"]>;
type Repayment = RowOf<NonNullable<ResultOf<typeof Repayments>["account"]>["loans"]["repayments"]>;
type Reduction = RowOf<NonNullable<ResultOf<typeof Reductions>["account"]>["loans"]["reductions"]>;

type View = "closed" | "repayments" | "reductions";
const VIEWS: readonly { readonly value: View; readonly text: string }[] = [
  { value: "closed", text: "Closed" },
  { value: "repayments", text: "Repayments" },
  { value: "reductions", text: "Liquidations" },
];

const loanColumn = <Row extends { readonly loanCoin: string | null; readonly orderId: string }>(): Column<Row> => ({
  id: "loan",
  title: "Loan",
  value: (row) => row.orderId,
  cell: (row) => (
    <>
      {row.loanCoin} <small className="muted">{row.orderId}</small>
    </>
  ),
  isHead: true,
});

/** Loans that have ended, what was repaid, and what the exchange took to reduce them. */
export function LoanHistoryPanel() {
  const account = useAccount();
  const { zone } = useSettings();
  const [view, setView] = useState<View>("closed");
  const closed = usePages(
    ClosedLoans,
    { account },
    { list: (data) => data.account?.loans.history, keyOf: closedKey },
    { isPaused: view !== "closed" },
  );
  const repayments = usePages(
    Repayments,
    { account },
    { list: (data) => data.account?.loans.repayments, keyOf: repaymentKey },
    { isPaused: view !== "repayments" },
  );
  const reductions = usePages(
    Reductions,
    { account },
    { list: (data) => data.account?.loans.reductions, keyOf: reductionKey },
    { isPaused: view !== "reductions" },
  );
  const columns = useMemo(
    () => ({
      closed: [
        loanColumn<Closed>(),
        amountColumn<Closed>(
          "amount",
          "Borrowed",
          (row) => row.loanAmount,
          (row) => row.loanCoin,
        ),
        amountColumn<Closed>(
          "pledge",
          "Pledged",
          (row) => row.pledgeAmount,
          (row) => row.pledgeCoin,
        ),
        percentColumn<Closed>("rate", "Rate an hour", (row) => row.hourlyRate, 5),
        {
          id: "term",
          title: "Term",
          value: (row: Closed) => row.term,
          cell: ({ term }: Closed) => (term !== null && /^\d+$/.test(term) ? `${term} days` : words(term)),
        },
        wordColumn<Closed>("status", "Ended by", (row) => row.status),
        timeColumn<Closed>("borrowed", "Borrowed at", zone, (row) => row.borrowTime),
      ],
      repayments: [
        loanColumn<Repayment>(),
        amountColumn<Repayment>(
          "amount",
          "Repaid",
          (row) => row.amount,
          (row) => row.loanCoin,
        ),
        amountColumn<Repayment>("principal", "Principal", (row) => row.principalAmount),
        amountColumn<Repayment>("interest", "Interest", (row) => row.interestAmount),
        amountColumn<Repayment>(
          "unlocked",
          "Unlocked",
          (row) => row.unlockedAmount,
          (row) => row.pledgeCoin,
        ),
        timeColumn<Repayment>("time", "Time", zone, (row) => row.repayTime),
      ],
      reductions: [
        loanColumn<Reduction>(),
        amountColumn<Reduction>(
          "principal",
          "Repaid",
          (row) => row.principalAmount,
          (row) => row.loanCoin,
        ),
        amountColumn<Reduction>(
          "sold",
          "Sold",
          (row) => row.pledgeAmount,
          (row) => row.pledgeCoin,
        ),
        amountColumn<Reduction>("price", "At", (row) => row.pledgePrice),
        amountColumn<Reduction>(
          "left",
          "Left",
          (row) => row.leftAmount,
          (row) => row.pledgeCoin,
        ),
        amountColumn<Reduction>("fee", "Fee", (row) => row.fee),
        percentColumn<Reduction>("ltv", "LTV", (row) => row.ltv),
        wordColumn<Reduction>("status", "Status", (row) => row.status),
        timeColumn<Reduction>("time", "Time", zone, (row) => row.reduceTime),
      ],
    }),
    [zone],
  );
  const title = "Loan history";
  const actions = <Tabs label="Loan history of" tabs={VIEWS} value={view} onChange={setView} />;
  if (view === "closed")
    return (
      <ListPanel
        {...{ title, actions, name: "Closed loans", feed: closed, columns: columns.closed, keyOf: closedKey }}
        empty="No loan has ended in the last three months"
      />
    );
  if (view === "repayments")
    return (
      <ListPanel
        {...{ title, actions, name: "Repayments", feed: repayments, columns: columns.repayments, keyOf: repaymentKey }}
        empty="Nothing was repaid in the last three months"
      />
    );
  return (
    <ListPanel
      {...{ title, actions, name: "Loan liquidations", feed: reductions, columns: columns.reductions, keyOf: reductionKey }}
      empty="No loan was liquidated in the last three months"
    />
  );
}

const closedKey = ({ orderId }: Closed): string => orderId;
const repaymentKey = ({ orderId, repayTime, amount }: Repayment): string => `${orderId} ${repayTime} ${amount}`;
const reductionKey = ({ orderId, reduceTime, principalAmount }: Reduction): string =>
  `${orderId} ${reduceTime} ${principalAmount}`;
