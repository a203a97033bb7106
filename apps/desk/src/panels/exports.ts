import type { Order, PlanOrder } from "../live/orders.js";
import type { Position } from "../live/positions.js";
import type { FileColumn } from "../ui/csv.js";

/**
 * Columns of the files of orders, fills and positions: what is needed to book them. Values are those of the graph, with all their
 * decimals; times are UTC. `docs/desk.md` lists the columns.
 */

type Text = string | null | undefined;

interface OfMarket {
  readonly category: string;
  readonly symbol: string;
}

interface Fees {
  readonly fees: readonly { readonly amount: string | null; readonly coin: string | null }[] | null;
}

interface Sided {
  readonly side: Text;
  readonly posSide: Text;
  readonly tradeSide: Text;
}

interface Exits {
  readonly takeProfit: { readonly triggerPrice: string | null } | null;
  readonly stopLoss: { readonly triggerPrice: string | null } | null;
}

interface Spending {
  readonly quoteQty: Text;
  readonly instrument: { readonly quoteCoin: string | null } | null;
}

interface Identified {
  readonly orderId: Text;
  readonly clientOid: Text;
}

const column = <Row>(title: string, value: (row: Row) => Text): FileColumn<Row> => ({ title, value });
const market: readonly FileColumn<OfMarket>[] = [
  column("Category", ({ category }) => category),
  column("Market", ({ symbol }) => symbol),
];
const sides: readonly FileColumn<Sided>[] = [
  column("Side", ({ side }) => side),
  column("Position side", ({ posSide }) => posSide),
  column("Trade side", ({ tradeSide }) => tradeSide),
];
const ids: readonly FileColumn<Identified>[] = [
  column("Order ID", ({ orderId }) => orderId),
  column("Client order ID", ({ clientOid }) => clientOid),
];
const exits: readonly FileColumn<Exits>[] = [
  column("Take profit", ({ takeProfit }) => takeProfit?.triggerPrice),
  column("Stop loss", ({ stopLoss }) => stopLoss?.triggerPrice),
];
/** Of a market buy whose size is an amount of quote coin. */
const spent: readonly FileColumn<Spending>[] = [
  column("Amount to spend", ({ quoteQty }) => quoteQty),
  column("Amount coin", ({ quoteQty, instrument }) => (quoteQty === null ? null : instrument?.quoteCoin)),
];
/** The exchange takes a fee in one coin; a second one is a part that is paid in another coin. */
const fees: readonly FileColumn<Fees>[] = [0, 1].flatMap((index) => {
  const name = index === 0 ? "Fee" : "Second fee";
  return [column(name, (row: Fees) => row.fees?.[index]?.amount), column(`${name} coin`, (row: Fees) => row.fees?.[index]?.coin)];
});

interface Fill extends OfMarket, Sided, Identified, Fees {
  readonly execId: string;
  readonly orderType: Text;
  readonly tradeScope: Text;
  readonly price: Text;
  readonly qty: Text;
  readonly value: Text;
  readonly realisedPnl: Text;
  readonly createdTime: Text;
}

export const fillFile: readonly FileColumn<Fill>[] = [
  column("Time (UTC)", ({ createdTime }) => createdTime),
  ...market,
  ...sides,
  column("Order type", ({ orderType }) => orderType),
  column("Role", ({ tradeScope }) => tradeScope),
  column("Price", ({ price }) => price),
  column("Quantity", ({ qty }) => qty),
  column("Value", ({ value }) => value),
  ...fees,
  column("Realised profit", ({ realisedPnl }) => realisedPnl),
  column("Execution ID", ({ execId }) => execId),
  ...ids,
];

interface EndedOrder extends OfMarket, Sided, Identified, Fees, Spending {
  readonly orderType: Text;
  readonly timeInForce: Text;
  readonly status: Text;
  readonly price: Text;
  readonly avgPrice: Text;
  readonly qty: Text;
  readonly cumExecQty: Text;
  readonly cumExecValue: Text;
  readonly realisedPnl: Text;
  readonly cancelReason: Text;
  readonly createdTime: Text;
  readonly updatedTime: Text;
}

export const orderHistoryFile: readonly FileColumn<EndedOrder>[] = [
  column("Created (UTC)", ({ createdTime }) => createdTime),
  column("Ended (UTC)", ({ updatedTime }) => updatedTime),
  ...market,
  ...sides,
  column("Order type", ({ orderType }) => orderType),
  column("Time in force", ({ timeInForce }) => timeInForce),
  column("Status", ({ status }) => status),
  column("Price", ({ price }) => price),
  column("Average price", ({ avgPrice }) => avgPrice),
  column("Quantity", ({ qty }) => qty),
  ...spent,
  column("Filled quantity", ({ cumExecQty }) => cumExecQty),
  column("Filled value", ({ cumExecValue }) => cumExecValue),
  ...fees,
  column("Realised profit", ({ realisedPnl }) => realisedPnl),
  column("Cancel reason", ({ cancelReason }) => cancelReason),
  ...ids,
];

export const openOrderFile: readonly FileColumn<Order>[] = [
  column("Created (UTC)", ({ createdTime }) => createdTime),
  ...market,
  ...sides,
  column("Order type", ({ orderType }) => orderType),
  column("Time in force", ({ timeInForce }) => timeInForce),
  column("Status", ({ status }) => status),
  column("Price", ({ price }) => price),
  column("Trigger price", ({ triggerPrice }) => triggerPrice),
  column("Quantity", ({ qty }) => qty),
  ...spent,
  column("Filled quantity", ({ cumExecQty }) => cumExecQty),
  column("Filled value", ({ cumExecValue }) => cumExecValue),
  column("Average price", ({ avgPrice }) => avgPrice),
  column("Reduce only", ({ isReduceOnly }) => isReduceOnly?.toString()),
  ...exits,
  ...ids,
];

interface Plan extends OfMarket, Sided, Identified {
  readonly planType: Text;
  readonly status: Text;
  readonly triggerPrice: Text;
  readonly triggerBy: Text;
  readonly executePrice: Text;
  readonly qty: Text;
  readonly createdTime: Text;
}

const plan: readonly FileColumn<Plan>[] = [
  ...market,
  ...sides,
  column("Kind", ({ planType }) => planType),
  column("Status", ({ status }) => status),
  column("Trigger price", ({ triggerPrice }) => triggerPrice),
  column("Triggered by", ({ triggerBy }) => triggerBy),
  column("Price", ({ executePrice }) => executePrice),
  column("Quantity", ({ qty }) => qty),
];

export const planOrderFile: readonly FileColumn<PlanOrder>[] = [
  column("Created (UTC)", ({ createdTime }) => createdTime),
  ...plan,
  ...exits,
  ...ids,
];

export const planHistoryFile: readonly FileColumn<Plan & { readonly updatedTime: Text }>[] = [
  column("Created (UTC)", ({ createdTime }) => createdTime),
  column("Ended (UTC)", ({ updatedTime }) => updatedTime),
  ...plan,
  ...ids,
];

interface ClosedPosition extends OfMarket {
  readonly positionId: Text;
  readonly posSide: Text;
  readonly marginCoin: Text;
  readonly avgPrice: Text;
  readonly avgClosePrice: Text;
  readonly openedQty: Text;
  readonly closedQty: Text;
  readonly realisedPnl: Text;
  readonly openFee: Text;
  readonly closeFee: Text;
  readonly totalFunding: Text;
  readonly netProfit: Text;
  readonly createdTime: Text;
  readonly updatedTime: Text;
}

export const positionHistoryFile: readonly FileColumn<ClosedPosition>[] = [
  column("Opened (UTC)", ({ createdTime }) => createdTime),
  column("Closed (UTC)", ({ updatedTime }) => updatedTime),
  ...market,
  column("Position side", ({ posSide }) => posSide),
  column("Margin coin", ({ marginCoin }) => marginCoin),
  column("Entry price", ({ avgPrice }) => avgPrice),
  column("Exit price", ({ avgClosePrice }) => avgClosePrice),
  column("Opened quantity", ({ openedQty }) => openedQty),
  column("Closed quantity", ({ closedQty }) => closedQty),
  column("Realised profit", ({ realisedPnl }) => realisedPnl),
  column("Opening fee", ({ openFee }) => openFee),
  column("Closing fee", ({ closeFee }) => closeFee),
  column("Funding", ({ totalFunding }) => totalFunding),
  column("Net profit", ({ netProfit }) => netProfit),
  column("Position ID", ({ positionId }) => positionId),
];

export const positionFile: readonly FileColumn<Position>[] = [
  ...market,
  column("Position side", ({ posSide }) => posSide),
  column("Margin mode", ({ marginMode }) => marginMode),
  column("Margin coin", ({ marginCoin }) => marginCoin),
  column("Leverage", ({ leverage }) => leverage),
  column("Quantity", ({ qty }) => qty),
  column("Entry price", ({ avgPrice }) => avgPrice),
  column("Mark price", ({ markPrice }) => markPrice),
  column("Liquidation price", ({ liquidationPrice }) => liquidationPrice),
  column("Unrealised profit", ({ unrealisedPnl }) => unrealisedPnl),
  column("Margin", ({ margin }) => margin),
  column("Value", ({ notional }) => notional),
  ...exits,
];
