import { type ReactNode, useState } from "react";
import { amount, words } from "../format/format.js";
import { graphql } from "../graph/document.js";
import { useLive } from "../graph/useLive.js";
import { useAccounts } from "../live/accounts.js";
import { t } from "../text/text.js";
import { Select, Tabs } from "../ui/controls.js";
import { Panel } from "../ui/panel.js";
import { Tag } from "../ui/tag.js";
import { amountColumn, profitColumn, timeColumn, wordColumn } from "./columns.js";
import { fillFile, orderHistoryFile, planHistoryFile, positionHistoryFile } from "./exports.js";
import { forcedBy } from "./forced.js";
import { historyList, useHistoryList } from "./historyList.js";
import { CATEGORIES, type Category, categoryOf, futuresOf } from "./market.js";
import { kindOf, marketColumn, sizeColumns } from "./orderColumns.js";
import { SideCell, SymbolCell } from "./symbolCell.js";

const Fills = graphql(`
  query Fills($account: String, $category: ProductCategoryInput!, $after: String) {
    account(name: $account) {
      fills(category: $category, first: 100, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          id
          category
          symbol
          side
          posSide
          tradeSide
          orderType
          tradeScope
          price
          qty
          value
          realisedPnl
          fees {
            amount
            coin
          }
          createdTime
          execId
          orderId
          clientOid
        }
      }
    }
  }
`);

const OrderHistory = graphql(`
  query OrderHistory($account: String, $category: ProductCategoryInput!, $after: String) {
    account(name: $account) {
      orderHistory(category: $category, first: 100, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          id
          orderId
          clientOid
          category
          symbol
          side
          posSide
          orderType
          timeInForce
          status
          price
          avgPrice
          qty
          quoteQty
          cumExecQty
          cumExecValue
          fees {
            amount
            coin
          }
          realisedPnl
          cancelReason
          execType
          tradeSide
          createdTime
          updatedTime
          instrument {
            baseCoin
            quoteCoin
          }
        }
      }
    }
  }
`);

const PositionHistory = graphql(`
  query PositionHistory($account: String, $category: FuturesCategoryInput!, $after: String) {
    account(name: $account) {
      positionHistory(category: $category, first: 100, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          id
          category
          symbol
          positionId
          posSide
          marginCoin
          avgPrice
          avgClosePrice
          openedQty
          closedQty
          realisedPnl
          openFee
          closeFee
          netProfit
          totalFunding
          createdTime
          updatedTime
        }
      }
    }
  }
`);

const PlanHistory = graphql(`
  query PlanHistory($account: String, $category: ProductCategoryInput!, $after: String) {
    account(name: $account) {
      planOrderHistory(category: $category, first: 100, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          id
          category
          symbol
          orderId
          clientOid
          side
          posSide
          tradeSide
          planType
          status
          triggerPrice
          triggerBy
          executePrice
          qty
          createdTime
          updatedTime
        }
      }
    }
  }
`);

/** Reports fills: the shown list is then read again. */
const WatchFills = graphql(`
  subscription WatchFills($account: String) {
    fills(account: $account) {
      fills {
        id
      }
    }
  }
`);

const fills = historyList({
  name: t("Fills"),
  document: Fills,
  list: (data) => data.account?.fills,
  keyOf: ({ id }) => id,
  columns: (zone) => [
    marketColumn(),
    amountColumn("price", t("Price"), (row) => row.price),
    amountColumn("qty", t("Quantity"), (row) => row.qty),
    amountColumn("value", t("Value"), (row) => row.value),
    {
      id: "fee",
      title: t("Fee"),
      value: ({ fees }) => fees?.map((fee) => `${fee.amount ?? ""} ${fee.coin ?? ""}`).join(" + "),
      cell: ({ fees }) => fees?.map((fee) => `${amount(fee.amount)} ${fee.coin ?? ""}`).join(" + "),
      isNumber: true,
    },
    profitColumn("profit", t("Realised"), (row) => row.realisedPnl),
    wordColumn("scope", t("Role"), (row) => row.tradeScope),
    timeColumn("created", t("Time"), zone, (row) => row.createdTime),
  ],
});

const orders = historyList({
  name: t("Order history"),
  document: OrderHistory,
  list: (data) => data.account?.orderHistory,
  keyOf: ({ id }) => id,
  columns: (zone) => [
    marketColumn(),
    wordColumn("type", t("Type"), (row) => row.orderType),
    amountColumn("price", t("Price"), (row) => row.price),
    amountColumn("average", t("Average"), (row) => row.avgPrice),
    ...sizeColumns,
    profitColumn("profit", t("Realised"), (row) => row.realisedPnl),
    {
      id: "status",
      title: t("Status"),
      value: (row) => row.status,
      cell: (row) => (
        <span title={words(row.cancelReason)}>
          {words(row.status)} {forcedBy(row) !== undefined && <Tag tone="down">{forcedBy(row)}</Tag>}
        </span>
      ),
    },
    timeColumn("updated", t("Ended"), zone, (row) => row.updatedTime),
  ],
});

const plans = historyList({
  name: t("Trigger history"),
  document: PlanHistory,
  list: (data) => data.account?.planOrderHistory,
  keyOf: ({ id }) => id,
  columns: (zone) => [
    marketColumn(),
    { id: "kind", title: t("Kind"), value: (row) => row.planType, cell: (row) => kindOf(row.planType) },
    amountColumn("trigger", t("Trigger"), (row) => row.triggerPrice),
    amountColumn("price", t("Price"), (row) => row.executePrice),
    amountColumn("qty", t("Quantity"), (row) => row.qty),
    wordColumn("status", t("Status"), (row) => row.status),
    timeColumn("updated", t("Ended"), zone, (row) => row.updatedTime),
  ],
});

const positions = historyList({
  name: t("Position history"),
  document: PositionHistory,
  list: (data) => data.account?.positionHistory,
  keyOf: ({ id }) => id,
  columns: (zone) => [
    {
      id: "symbol",
      title: t("Market"),
      value: ({ symbol }) => symbol,
      cell: (row) => (
        <>
          <SymbolCell category={row.category} symbol={row.symbol} /> <SideCell side={row.posSide} />
        </>
      ),
      isHead: true,
    },
    amountColumn("entry", t("Entry"), (row) => row.avgPrice),
    amountColumn("exit", t("Exit"), (row) => row.avgClosePrice),
    amountColumn("qty", t("Closed"), (row) => row.closedQty),
    profitColumn("profit", t("Realised"), (row) => row.realisedPnl),
    profitColumn("funding", t("Funding"), (row) => row.totalFunding),
    profitColumn("net", t("Net"), (row) => row.netProfit),
    timeColumn("updated", t("Closed at"), zone, (row) => row.updatedTime),
  ],
});

type View = "fills" | "orders" | "plans" | "positions";
const VIEWS = [
  { value: "fills", text: fills.name },
  { value: "orders", text: orders.name },
  { value: "plans", text: plans.name },
  { value: "positions", text: positions.name },
] as const;

/** History: fills, finished orders, ended trigger orders, closed positions. */
export function HistoryPanel({ tabs }: { readonly tabs?: ReactNode }) {
  const { current } = useAccounts();
  const account = current?.name ?? "";
  const [view, setView] = useState<View>("fills");
  const [category, setCategory] = useState<Category>("USDT_FUTURES");
  const futures = futuresOf(category);
  const of = { account, category };
  const ofFutures = { account, category: futures ?? "USDT_FUTURES" };
  // Trigger orders on spot of a Classic account are among its orders.
  const isOff = futures === undefined && (view === "positions" || (view === "plans" && current?.mode === "CLASSIC"));
  const { feed, table } = {
    fills: useHistoryList(fills, of, view === "fills", fillFile),
    orders: useHistoryList(orders, of, view === "orders", orderHistoryFile),
    plans: useHistoryList(plans, of, view === "plans" && !isOff, planHistoryFile),
    positions: useHistoryList(positions, ofFutures, view === "positions" && !isOff, positionHistoryFile),
  }[view];
  const live = useLive(WatchFills, { account }, () => feed.refresh());
  return (
    <Panel
      title={t("History")}
      feeds={[feed, live]}
      has={isOff || feed.rows !== undefined}
      empty={
        isOff ? t("These are of futures: choose another category") : feed.rows?.length === 0 && t("Nothing in the last 90 days")
      }
      actions={
        <>
          {tabs}
          <Tabs label={t("History of")} tabs={VIEWS} value={view} onChange={setView} />
          <Select
            label={t("Category")}
            isLabelHidden
            value={category}
            onChange={(value) => setCategory(categoryOf(value) ?? category)}
            options={CATEGORIES}
          />
        </>
      }
    >
      {table}
    </Panel>
  );
}
