import { useMemo, useState } from "react";
import { amount, words } from "../format/format.js";
import { graphql, type ResultOf, type RowOf } from "../graph/document.js";
import { useLive } from "../graph/useLive.js";
import { usePages } from "../graph/usePages.js";
import { useAccount } from "../live/accounts.js";
import { useSettings } from "../state/settings.js";
import { Select, Tabs } from "../ui/controls.js";
import type { Column } from "../ui/csv.js";
import { Panel } from "../ui/panel.js";
import { Table } from "../ui/table.js";
import { amountColumn, profitColumn, timeColumn, wordColumn } from "./columns.js";
import { forcedBy } from "./forced.js";
import { CATEGORIES, type Category, categoryOf, futuresOf } from "./market.js";
import { kindOf, marketColumn } from "./orderColumns.js";
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
          tradeSide
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
          orderId
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
          category
          symbol
          side
          orderType
          orderStatus
          price
          avgPrice
          qty
          cumExecQty
          realisedPnl
          cancelReason
          execType
          tradeSide
          createdTime
          updatedTime
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
          posSide
          marginCoin
          avgPrice
          avgClosePrice
          closedQty
          realisedPnl
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
  query PlanHistory($account: String, $category: FuturesCategoryInput!, $after: String) {
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
          side
          planType
          planStatus
          triggerPrice
          executePrice
          qty
          createdTime
          updatedTime
        }
      }
    }
  }
`);

/** Says that something was filled: what is shown is read again then. */
const WatchFills = graphql(`
  subscription WatchFills($account: String) {
    fills(account: $account) {
      fills {
        id
      }
    }
  }
`);

type Fill = RowOf<NonNullable<ResultOf<typeof Fills>["account"]>["fills"]>;
type PastOrder = RowOf<NonNullable<ResultOf<typeof OrderHistory>["account"]>["orderHistory"]>;
type PastPlan = RowOf<NonNullable<ResultOf<typeof PlanHistory>["account"]>["planOrderHistory"]>;
type PastPosition = RowOf<NonNullable<ResultOf<typeof PositionHistory>["account"]>["positionHistory"]>;

type View = "fills" | "orders" | "plans" | "positions";
const VIEWS: readonly { readonly value: View; readonly text: string }[] = [
  { value: "fills", text: "Fills" },
  { value: "orders", text: "Order history" },
  { value: "plans", text: "Trigger history" },
  { value: "positions", text: "Position history" },
];

const keyOf = ({ id }: { readonly id: string }): string => id;
/** What has happened: fills, finished orders, trigger orders that wait no more, closed positions. */
export function HistoryPanel() {
  const account = useAccount();
  const { zone } = useSettings();
  const [view, setView] = useState<View>("fills");
  const [category, setCategory] = useState<Category>("USDT_FUTURES");
  const futures = futuresOf(category);
  const of = { account, category };
  const ofFutures = { account, category: futures ?? "USDT_FUTURES" };
  const fills = usePages(Fills, of, { list: (data) => data.account?.fills, keyOf }, { isPaused: view !== "fills" });
  const orders = usePages(
    OrderHistory,
    of,
    { list: (data) => data.account?.orderHistory, keyOf },
    { isPaused: view !== "orders" },
  );
  const plans = usePages(
    PlanHistory,
    ofFutures,
    { list: (data) => data.account?.planOrderHistory, keyOf },
    { isPaused: view !== "plans" || futures === undefined },
  );
  const positions = usePages(
    PositionHistory,
    ofFutures,
    { list: (data) => data.account?.positionHistory, keyOf },
    { isPaused: view !== "positions" || futures === undefined },
  );
  const feed = { fills, orders, plans, positions }[view];
  const live = useLive(WatchFills, account === "" ? undefined : { account }, () => feed.refresh());
  const columns = useMemo(
    () => ({
      fills: [
        marketColumn<Fill>(),
        amountColumn<Fill>("price", "Price", (row) => row.price),
        amountColumn<Fill>("qty", "Quantity", (row) => row.qty),
        amountColumn<Fill>("value", "Value", (row) => row.value),
        {
          id: "fee",
          title: "Fee",
          value: ({ fees }) => fees?.map((fee) => `${fee.amount ?? ""} ${fee.coin ?? ""}`).join(" + "),
          cell: ({ fees }) => fees?.map((fee) => `${amount(fee.amount)} ${fee.coin ?? ""}`).join(" + "),
          isNumber: true,
        },
        profitColumn("profit", "Realised", (row) => row.realisedPnl),
        wordColumn("scope", "As", (row) => row.tradeScope),
        timeColumn("created", "Time", zone, (row) => row.createdTime),
      ] satisfies Column<Fill>[],
      orders: [
        marketColumn<PastOrder>(),
        wordColumn("type", "Type", (row) => row.orderType),
        amountColumn<PastOrder>("price", "Price", (row) => row.price),
        amountColumn<PastOrder>("average", "Average", (row) => row.avgPrice),
        amountColumn<PastOrder>("qty", "Quantity", (row) => row.qty),
        amountColumn<PastOrder>("filled", "Filled", (row) => row.cumExecQty),
        profitColumn("profit", "Realised", (row) => row.realisedPnl),
        {
          id: "status",
          title: "Status",
          value: (row) => row.orderStatus,
          cell: (row) => (
            <span title={words(row.cancelReason)}>
              {words(row.orderStatus)} {forcedBy(row) !== undefined && <span className="tag down">{forcedBy(row)}</span>}
            </span>
          ),
        },
        timeColumn("updated", "Ended", zone, (row) => row.updatedTime),
      ] satisfies Column<PastOrder>[],
      plans: [
        marketColumn<PastPlan>(),
        { id: "kind", title: "Kind", value: (row) => row.planType, cell: (row) => kindOf(row.planType) },
        amountColumn<PastPlan>("trigger", "Trigger", (row) => row.triggerPrice),
        amountColumn<PastPlan>("price", "Price", (row) => row.executePrice),
        amountColumn<PastPlan>("qty", "Quantity", (row) => row.qty),
        wordColumn("status", "Status", (row) => row.planStatus),
        timeColumn("updated", "Ended", zone, (row) => row.updatedTime),
      ] satisfies Column<PastPlan>[],
      positions: [
        {
          id: "symbol",
          title: "Market",
          value: ({ symbol }) => symbol,
          cell: (row) => (
            <>
              <SymbolCell category={row.category} symbol={row.symbol} /> <SideCell side={row.posSide} />
            </>
          ),
          isHead: true,
        },
        amountColumn<PastPosition>("entry", "Entry", (row) => row.avgPrice),
        amountColumn<PastPosition>("exit", "Exit", (row) => row.avgClosePrice),
        amountColumn<PastPosition>("qty", "Closed", (row) => row.closedQty),
        profitColumn("profit", "Realised", (row) => row.realisedPnl),
        profitColumn("funding", "Funding", (row) => row.totalFunding),
        profitColumn("net", "Net", (row) => row.netProfit),
        timeColumn("updated", "Closed at", zone, (row) => row.updatedTime),
      ] satisfies Column<PastPosition>[],
    }),
    [zone],
  );
  const isOff = (view === "positions" || view === "plans") && futures === undefined;
  return (
    <Panel
      title="History"
      feeds={[feed, live]}
      has={isOff || feed.rows !== undefined}
      empty={isOff ? "These are of futures: choose another category" : feed.rows?.length === 0 && "Nothing in the last 90 days"}
      className="wide"
      actions={
        <>
          <Tabs label="History of" tabs={VIEWS} value={view} onChange={setView} />
          <Select
            label="Category"
            isLabelHidden
            value={category}
            onChange={(value) => setCategory(categoryOf(value) ?? category)}
            options={CATEGORIES}
          />
        </>
      }
    >
      {view === "fills" && <Table name="Fills" columns={columns.fills} rows={fills.rows ?? []} keyOf={keyOf} more={fills.more} />}
      {view === "orders" && (
        <Table name="Order history" columns={columns.orders} rows={orders.rows ?? []} keyOf={keyOf} more={orders.more} />
      )}
      {view === "plans" && (
        <Table name="Trigger history" columns={columns.plans} rows={plans.rows ?? []} keyOf={keyOf} more={plans.more} />
      )}
      {view === "positions" && (
        <Table
          name="Position history"
          columns={columns.positions}
          rows={positions.rows ?? []}
          keyOf={keyOf}
          more={positions.more}
        />
      )}
    </Panel>
  );
}
