import { createUnionType, Field } from "type-graphql";
import { SubAccountWithdrawal } from "./broker.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { SavingsRecord, SharkFinRecord } from "./earn.js";
import { ActivityKind } from "./enums/activity.js";
import { of, time } from "./fields.js";
import { ClosedLoan, LoanOrder, LoanReduction, LoanRepayment } from "./loan.js";
import { JournalEntry } from "./mutations/write.js";
import { type NodeRecord, typeNameOf } from "./node.js";
import { Fill, Order } from "./order.js";
import { PlanOrder } from "./planOrder.js";
import { fieldsOf, RecordType } from "./record.js";
import { ConvertRecord, Deposit, FinancialRecord, Transfer, Withdrawal } from "./wallet.js";

/** Records of an account's activity, by their kind. */
const ACTIVITY_TYPES = [
  ClosedLoan,
  ConvertRecord,
  Deposit,
  Fill,
  FinancialRecord,
  JournalEntry,
  LoanOrder,
  LoanReduction,
  LoanRepayment,
  Order,
  PlanOrder,
  SavingsRecord,
  SharkFinRecord,
  SubAccountWithdrawal,
  Transfer,
  Withdrawal,
] as const;

const ActivityRecord = createUnionType({
  name: "ActivityRecord",
  description: "Something that has happened on an account: each kind is a type of its own",
  types: () => ACTIVITY_TYPES,
  resolveType: (record) => typeNameOf({ __typename: "", ...record }),
});

@RecordType("One item of an account's activity")
export class Activity extends fieldsOf({
  kind: of(ActivityKind)("Kind of the item"),
  time: time("Time by which it is listed: when an order was placed, a loan taken, a write sent"),
}) {
  @Field(() => ActivityRecord, { description: "The order, execution, loan or other record itself" })
  readonly record!: NodeRecord;
}

export const ActivityConnection = connectionOf(Activity);
export type ActivityConnection = ConnectionOf<Activity>;
