import type { ClassType } from "type-graphql";
import { rowWhere } from "../../datasources/index.js";
import {
  callsAtMost,
  conversions,
  MAX_EDGE_CALLS,
  MAX_FIRST,
  orderCalls,
  planOrderHistoryPages,
  planOrderPages,
  readOrder,
  readPlanOrder,
  rowsOf,
  savingsRecords,
  withdrawalsOfSubAccounts,
} from "../../datasources/reads/index.js";
import { findMaker, type Made } from "../../datasources/writes/index.js";
import { SubAccountWithdrawal } from "../../schema/broker.js";
import { ConvertRecord } from "../../schema/convert.js";
import type { ArgumentValues, CostContext } from "../../schema/cost.js";
import { JournalEntry } from "../../schema/mutations/journal.js";
import { Order } from "../../schema/order.js";
import { PlanOrder } from "../../schema/planOrder.js";
import { SavingsRecord } from "../../schema/savings.js";
import { type AccountScoped, withAccount } from "../accountScoped.js";
import { subAccountWithdrawalOf } from "../broker.js";
import { convertRecordOf } from "../convert.js";
import { accountField, resolversOf } from "../fieldTable.js";
import { journalEntryOf } from "./journal.js";

/** An entry with what its write has made. */
type Entry = AccountScoped<{ readonly made: Made | undefined }>;

/** Six lists for each order of a Classic account; for all of a unified one those of each category. */
const PLAN_LOOKUPS = 6 * MAX_EDGE_CALLS;
/** A trigger order is looked up in all lists of its account: of the waiting ones, and of those that have ended. */
const planOrderCalls = (_args: ArgumentValues, { mode, outlook }: CostContext): number =>
  [planOrderPages, planOrderHistoryPages]
    .map((pages) => callsAtMost(pages, { first: MAX_FIRST, hasCursor: false, category: "USDT-FUTURES" }, mode, outlook.now()))
    .reduce((sum, calls) => sum + calls);

/** A single record around its time, Unix ms. */
const AROUND_MS = 60_000;
const around = (time: number) => ({ from: time - AROUND_MS, to: time + AROUND_MS, first: 100 });

const JournalEntryEdges = resolversOf(JournalEntry, {
  order: accountField.orNull(Order, {
    description:
      "The order that it placed, changed or cancelled; null, without a call, for any other write and for one without effect. Source: as `account.order`",
    cost: { calls: (_args, { mode }) => orderCalls(mode, undefined), mostPerAccount: 3 * MAX_EDGE_CALLS },
    resolve: async ({ account, made }: Entry, { reads }) => {
      if (made?.kind !== "order" || (made.orderId ?? made.clientOid) === null) return null;
      reads.loaders.account.spend("order", account);
      const { category, symbol, orderId, clientOid } = made;
      const name = orderId === null ? { clientOid } : { orderId };
      const order = await readOrder(reads, account, { category, symbol, ...name });
      return order === null ? null : withAccount(account, order);
    },
  }),
  planOrder: accountField.orNull(PlanOrder, {
    description:
      "The trigger order that it placed, changed or cancelled; null, without a call, for any other write, for one without effect, and for a change or cancellation on a unified account, whose request does not say in which category. Source: as `account.planOrders` and `account.planOrderHistory`",
    cost: { calls: planOrderCalls, mostPerAccount: PLAN_LOOKUPS },
    resolve: async ({ account, made }: Entry, { reads }) => {
      if (made?.kind !== "planOrder" || (made.orderId ?? made.clientOid) === null) return null;
      const { category, symbol, orderId, clientOid } = made;
      if (category === null || symbol === null) return null;
      reads.loaders.account.spend("planOrder", account);
      const plan = await readPlanOrder(reads, account, { category, symbol, orderId, clientOid });
      return plan === null ? null : withAccount(account, plan);
    },
  }),
  conversion: accountField.orNull(ConvertRecord, {
    description:
      "The record of its conversion; null, without a call, for any other write and for one without effect. Source: GET /api/v2/convert/convert-record",
    cost: { calls: 2, mostPerAccount: 2 * MAX_EDGE_CALLS },
    resolve: async ({ account, made }: Entry, { reads }) => {
      if (made?.kind !== "conversion" || made.time === null) return null;
      const { time } = made;
      reads.loaders.account.spend("conversion", account);
      const rows = rowsOf(await conversions.read(reads, account, {}, around(time)));
      const record = rowWhere(rows, ({ createdTime }) => createdTime === time);
      return record === null ? null : convertRecordOf(account, record);
    },
  }),
  withdrawal: accountField.orNull(SubAccountWithdrawal, {
    description:
      "Its withdrawal from a sub-account; null, without a call, for any other write and for one without effect. Source: GET /api/v2/broker/subaccount-withdrawal",
    cost: { calls: 2, mostPerAccount: 2 * MAX_EDGE_CALLS },
    resolve: async ({ account, made }: Entry, { reads }) => {
      if (made?.kind !== "withdrawal" || made.orderId === null) return null;
      const { orderId, subUid } = made;
      reads.loaders.account.spend("withdrawal", account);
      const rows = rowsOf(await withdrawalsOfSubAccounts.read(reads, account, { userId: subUid, orderId }, { first: 20 }));
      const record = rowWhere(rows, (row) => row.orderId === orderId);
      return record === null ? null : subAccountWithdrawalOf(account, record);
    },
  }),
  redemption: accountField.orNull(SavingsRecord, {
    description:
      "The record of its redemption of savings; null, without a call, for any other write, for one without effect, and before the exchange has recorded it. Source: GET /api/v2/earn/savings/records",
    cost: { calls: 5, mostPerAccount: 5 * MAX_EDGE_CALLS },
    resolve: async ({ account, made }: Entry, { reads }) => {
      if (made?.kind !== "redemption" || made.orderId === null || made.periodType === null) return null;
      const { orderId, periodType } = made;
      reads.loaders.account.spend("redemption", account);
      const filter = { periodType, coin: null, orderType: "redeem" } as const;
      const rows = rowsOf(await savingsRecords.read(reads, account, filter, { first: MAX_FIRST }));
      const record = rowWhere(rows, (row) => row.orderId === orderId);
      return record === null ? null : withAccount(account, record);
    },
  }),
});

/** From a record to the write that has made it. */
function toMaker(type: ClassType<object>, kind: Parameters<typeof findMaker>[2]) {
  const ToMaker = resolversOf(type, {
    journalEntry: accountField.orNull(JournalEntry, {
      description:
        "The write through this gateway that has made it; null if it was made elsewhere, or the journal does not have it any more. No upstream call",
      cost: { calls: 0 },
      resolve: async (record: MadeRecord, { writes }) => {
        const entry = await findMaker(writes, record.account, kind, record);
        return entry === null ? null : withAccount(record.account, journalEntryOf(entry));
      },
    }),
  });
  return ToMaker;
}

type MadeRecord = AccountScoped<Parameters<typeof findMaker>[3]>;

/** Between writes and what they have made. */
export const JOURNAL_EDGES: readonly ClassType<object>[] = [
  JournalEntryEdges,
  toMaker(ConvertRecord, "conversion"),
  toMaker(Order, "order"),
  toMaker(PlanOrder, "planOrder"),
  toMaker(SavingsRecord, "redemption"),
  toMaker(SubAccountWithdrawal, "withdrawal"),
];
