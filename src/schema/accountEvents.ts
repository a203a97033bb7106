import { ID } from "type-graphql";
import { listOf } from "./fields.js";
import { Fill } from "./fill.js";
import { EVENT_ROWS } from "./listLengths.js";
import { LoanOrder } from "./loan.js";
import { Order } from "./order.js";
import { PlanOrder } from "./planOrder.js";
import { Position } from "./position.js";
import { extended, RecordType } from "./record.js";
import { AccountEvent } from "./streamStatus.js";

/** The rows of an event. Null once the stream of their account has ended. */
const rows = <G extends object>(type: G, what: string) =>
  listOf(type, EVENT_ROWS).orError(
    `${what}. Null, with the reason in \`errors\`, once the stream of this account alone has ended`,
  );
const gone = (what: string) =>
  listOf(
    ID,
    EVENT_ROWS,
  )(`Identifiers (\`id\`) of ${what} since the last event. Empty in a snapshot, which lists everything that exists`);

@RecordType("An event of an account's orders")
export class OrdersEvent extends extended(AccountEvent, {
  orders: rows(Order, "A snapshot has the open orders, an update those that have changed, with their last state"),
  gone: gone("orders that are no longer open"),
}) {}

@RecordType("An event of an account's trigger orders")
export class PlanOrdersEvent extends extended(AccountEvent, {
  planOrders: rows(
    PlanOrder,
    "A snapshot has those that wait for their trigger, an update those that have changed, with their last state",
  ),
  gone: gone("trigger orders that have ended"),
}) {}

@RecordType("An event of an account's positions")
export class PositionsEvent extends extended(AccountEvent, {
  positions: rows(
    Position,
    "A snapshot has the open positions, an update those that have changed; a closed one has a `qty` of 0",
  ),
  gone: gone("positions that are closed"),
}) {}

@RecordType("An event of an account's executions")
export class FillsEvent extends extended(AccountEvent, { fills: rows(Fill, "Executions, each once") }) {}

@RecordType("An event of an account's running loans")
export class LoansEvent extends extended(AccountEvent, {
  loans: rows(LoanOrder, "A snapshot has the running loans, an update those that have changed or whose prices have"),
  gone: gone("loans that have ended"),
}) {}
