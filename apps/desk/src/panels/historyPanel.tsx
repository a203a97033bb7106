import { useMemo, useState } from "react";
import { amount, signed, tone, words } from "../format/format.js";
import { graphql, type ResultOf } from "../graph/document.js";
import { useLive } from "../graph/useLive.js";
import { useRead } from "../graph/useRead.js";
import { useAccount } from "../live/accounts.js";
import { useSettings } from "../state/settings.js";
import { Select, Tabs } from "../ui/controls.js";
import type { Column } from "../ui/csv.js";
import { Panel } from "../ui/panel.js";
import { Table } from "../ui/table.js";
import { CATEGORIES, type Category, categoryOf, futuresOf } from "./market.js";
import { marketColumn, timeColumn } from "./orderColumns.js";
import { SideCell, SymbolCell } from "./symbolCell.js";

const Fills = graphql(`
  query Fills($account: String, $category: ProductCategoryInput!) {
    account(name: $account) {
      fills(category: $category, first: 200) {
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
  query OrderHistory($account: String, $category: ProductCategoryInput!) {
    account(name: $account) {
      orderHistory(category: $category, first: 200) {
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
          createdTime
          updatedTime
        }
      }
    }
  }
`);

const PositionHistory = graphql(`
  query PositionHistory($account: String, $category: FuturesCategoryInput!) {
    account(name: $account) {
      positionHistory(category: $category, first: 200) {
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

type Rows<List> = List extends { readonly nodes: readonly (infer Row)[] } ? NonNullable<Row> : never;
type Fill = Rows<NonNullable<NonNullable<ResultOf<typeof Fills>["account"]>["fills"]>>;
type PastOrder = Rows<NonNullable<NonNullable<ResultOf<typeof OrderHistory>["account"]>["orderHistory"]>>;
type PastPosition = Rows<NonNullable<NonNullable<ResultOf<typeof PositionHistory>["account"]>["positionHistory"]>>;

type View = "fills" | "orders" | "positions";
const VIEWS: readonly { readonly value: View; readonly text: string }[] = [
  { value: "fills", text: "Fills" },
  { value: "orders", text: "Order history" },
  { value: "positions", text: "Position history" },
];

const profit = (value: string | null) => <span className={tone(value)}>{signed(value)}</span>;
const present = <Row,>(rows: readonly (Row | null)[] | undefined): readonly Row[] => rows?.filter((row) => row !== null) ?? [];
const number = <Row,>(id: string, title: string, value: (row: Row) => string | null): Column<Row> => ({
  id,
  title,
  value,
  cell: (row) => amount(value(row)),
  isNumber: true,
});

/** What has happened: fills, finished orders, closed positions. */
export function HistoryPanel() {
  const account = useAccount();
  const { zone } = useSettings();
  const [view, setView] = useState<View>("fills");
  const [category, setCategory] = useState<Category>("USDT_FUTURES");
  const futures = futuresOf(category);
  const of = { account, category };
  const fills = useRead(Fills, of, { isPaused: view !== "fills" });
  const orders = useRead(OrderHistory, of, { isPaused: view !== "orders" });
  const positions = useRead(
    PositionHistory,
    { account, category: futures ?? "USDT_FUTURES" },
    { isPaused: view !== "positions" || futures === undefined },
  );
  const feed = { fills, orders, positions }[view];
  const live = useLive(WatchFills, account === "" ? undefined : { account }, () => feed.refresh());
  const columns = useMemo(
    () => ({
      fills: [
        marketColumn<Fill>(),
        number<Fill>("price", "Price", (row) => row.price),
        number<Fill>("qty", "Quantity", (row) => row.qty),
        number<Fill>("value", "Value", (row) => row.value),
        {
          id: "fee",
          title: "Fee",
          value: ({ fees }) => fees?.map((fee) => `${fee.amount ?? ""} ${fee.coin ?? ""}`).join(" + "),
          cell: ({ fees }) => fees?.map((fee) => `${amount(fee.amount)} ${fee.coin ?? ""}`).join(" + "),
          isNumber: true,
        },
        {
          id: "profit",
          title: "Realised",
          value: (row) => row.realisedPnl,
          cell: (row) => profit(row.realisedPnl),
          isNumber: true,
        },
        { id: "scope", title: "As", value: (row) => row.tradeScope, cell: (row) => words(row.tradeScope) },
        timeColumn("created", "Time", zone, (row) => row.createdTime),
      ] satisfies Column<Fill>[],
      orders: [
        marketColumn<PastOrder>(),
        { id: "type", title: "Type", value: (row) => row.orderType, cell: (row) => words(row.orderType) },
        number<PastOrder>("price", "Price", (row) => row.price),
        number<PastOrder>("average", "Average", (row) => row.avgPrice),
        number<PastOrder>("qty", "Quantity", (row) => row.qty),
        number<PastOrder>("filled", "Filled", (row) => row.cumExecQty),
        {
          id: "profit",
          title: "Realised",
          value: (row) => row.realisedPnl,
          cell: (row) => profit(row.realisedPnl),
          isNumber: true,
        },
        {
          id: "status",
          title: "Status",
          value: (row) => row.orderStatus,
          cell: (row) => <span title={words(row.cancelReason)}>{words(row.orderStatus)}</span>,
        },
        timeColumn("updated", "Ended", zone, (row) => row.updatedTime),
      ] satisfies Column<PastOrder>[],
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
        number<PastPosition>("entry", "Entry", (row) => row.avgPrice),
        number<PastPosition>("exit", "Exit", (row) => row.avgClosePrice),
        number<PastPosition>("qty", "Closed", (row) => row.closedQty),
        {
          id: "profit",
          title: "Realised",
          value: (row) => row.realisedPnl,
          cell: (row) => profit(row.realisedPnl),
          isNumber: true,
        },
        {
          id: "funding",
          title: "Funding",
          value: (row) => row.totalFunding,
          cell: (row) => profit(row.totalFunding),
          isNumber: true,
        },
        { id: "net", title: "Net", value: (row) => row.netProfit, cell: (row) => profit(row.netProfit), isNumber: true },
        timeColumn("updated", "Closed at", zone, (row) => row.updatedTime),
      ] satisfies Column<PastPosition>[],
    }),
    [zone],
  );
  const past = fills.data?.account?.fills ?? undefined;
  const ended = orders.data?.account?.orderHistory ?? undefined;
  const closed = positions.data?.account?.positionHistory ?? undefined;
  const list = { fills: past, orders: ended, positions: closed }[view];
  const isOff = view === "positions" && futures === undefined;
  return (
    <Panel
      title="History"
      feeds={[feed, live]}
      has={isOff || list !== undefined}
      empty={
        isOff ? "Positions are of futures: choose another category" : list?.nodes.length === 0 && "Nothing in the last 90 days"
      }
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
      {view === "fills" && <Table name="Fills" columns={columns.fills} rows={present(past?.nodes)} keyOf={({ id }) => id} />}
      {view === "orders" && (
        <Table name="Order history" columns={columns.orders} rows={present(ended?.nodes)} keyOf={({ id }) => id} />
      )}
      {view === "positions" && (
        <Table name="Position history" columns={columns.positions} rows={present(closed?.nodes)} keyOf={({ id }) => id} />
      )}
    </Panel>
  );
}
