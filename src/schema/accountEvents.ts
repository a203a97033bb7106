import { Field, ID } from "type-graphql";
import { Cost } from "./cost.js";
import { Fill } from "./fill.js";
import { EVENT_ROWS } from "./listLengths.js";
import { LoanOrder } from "./loan.js";
import { Order } from "./order.js";
import { PlanOrder } from "./planOrder.js";
import { Position } from "./position.js";
import { RecordType } from "./record.js";
import { AccountEvent } from "./streamStatus.js";

/** What a list of an event means, and when there is none. */
const rows = (what: string) => ({
  nullable: true,
  description: `${what}. Null, with the reason in \`errors\`, once the stream of this account alone has ended`,
});
const gone = (what: string) => ({
  description: `Identifiers (\`id\`) of ${what} in this event. Empty in a snapshot: what is not in it is gone`,
});

@RecordType("An event of an account's orders")
export class OrdersEvent extends AccountEvent {
  @Cost({ rows: EVENT_ROWS })
  @Field(() => [Order], rows("A snapshot has the open orders, an update those that have changed, with their last state"))
  readonly orders!: readonly Order[] | Error;

  @Cost({ rows: EVENT_ROWS })
  @Field(() => [ID], gone("orders that are no longer open"))
  readonly gone!: readonly string[];
}

@RecordType("An event of an account's trigger orders")
export class PlanOrdersEvent extends AccountEvent {
  @Cost({ rows: EVENT_ROWS })
  @Field(() => [PlanOrder], rows("A snapshot has those that wait, an update those that have changed, with their last state"))
  readonly planOrders!: readonly PlanOrder[] | Error;

  @Cost({ rows: EVENT_ROWS })
  @Field(() => [ID], gone("trigger orders that no longer wait"))
  readonly gone!: readonly string[];
}

@RecordType("An event of an account's positions")
export class PositionsEvent extends AccountEvent {
  @Cost({ rows: EVENT_ROWS })
  @Field(
    () => [Position],
    rows("A snapshot has the open positions, an update those that have changed; a closed one has a `qty` of 0"),
  )
  readonly positions!: readonly Position[] | Error;

  @Cost({ rows: EVENT_ROWS })
  @Field(() => [ID], gone("positions that are closed"))
  readonly gone!: readonly string[];
}

@RecordType("An event of an account's executions")
export class FillsEvent extends AccountEvent {
  @Cost({ rows: EVENT_ROWS })
  @Field(() => [Fill], rows("Executions, each once"))
  readonly fills!: readonly Fill[] | Error;
}

@RecordType("An event of an account's running loans")
export class LoansEvent extends AccountEvent {
  @Cost({ rows: EVENT_ROWS })
  @Field(() => [LoanOrder], rows("A snapshot has the running loans, an update those that have changed or whose prices have"))
  readonly loans!: readonly LoanOrder[] | Error;

  @Cost({ rows: EVENT_ROWS })
  @Field(() => [ID], gone("loans that are over"))
  readonly gone!: readonly string[];
}
