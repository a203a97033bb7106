import { type ClassType, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
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
import { findMaker, type WrittenRecord } from "../../datasources/writes/index.js";
import { SubAccountWithdrawal } from "../../schema/broker.js";
import { type ArgumentValues, Cost, type CostContext } from "../../schema/cost.js";
import { SavingsRecord } from "../../schema/earn.js";
import { JournalEntry } from "../../schema/mutations/write.js";
import { Order } from "../../schema/order.js";
import { PlanOrder } from "../../schema/planOrder.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import { ConvertRecord } from "../../schema/wallet.js";
import { type AccountScoped, foundWithAccount, type Of, withAccount } from "../accountScoped.js";
import { subAccountWithdrawalOf } from "../broker.js";
import type { RequestContext } from "../context.js";
import { convertRecordOf } from "../convert.js";
import { journalEntryOf } from "./journal.js";

type Entry = AccountScoped<{ readonly made: WrittenRecord | undefined }>;

/** Six lists for each order of a Classic account; for all orders of a unified account, the lists of each category. */
const PLAN_LOOKUPS = 6 * MAX_EDGE_CALLS;
/** A trigger order is looked up in all lists of its account: of the waiting ones, and of those that have ended. */
const planOrderCalls = (_args: ArgumentValues, { mode, outlook }: CostContext): number =>
  [planOrderPages, planOrderHistoryPages]
    .map((pages) => callsAtMost(pages, { first: MAX_FIRST, hasCursor: false, category: "USDT-FUTURES" }, mode, outlook.now()))
    .reduce((sum, calls) => sum + calls);

/** A single record around its time, Unix ms. */
const AROUND_MS = 60_000;
const around = (time: number) => ({ from: time - AROUND_MS, to: time + AROUND_MS, first: 100 });

@Resolver(() => JournalEntry)
class JournalEntryEdges {
  @RequiresScope("read:account")
  @Cost({ calls: (_args, { mode }) => orderCalls(mode, undefined), mostPerAccount: 3 * MAX_EDGE_CALLS })
  @FieldResolver(() => Order, {
    nullable: true,
    description:
      "The order that it placed, changed or cancelled; null, without a call, for any other write and for one without effect. Source: as `account.order`",
  })
  async order(@Root() { account, made }: Entry, @Ctx() { reads }: RequestContext): Promise<Of<Order> | null> {
    if (made?.kind !== "order" || (made.orderId ?? made.clientOid) === null) return null;
    reads.loaders.account.spend("order", account);
    const { category, symbol, orderId, clientOid } = made;
    const name = orderId === null ? { clientOid } : { orderId };
    return foundWithAccount(account, await readOrder(reads, account, { category, symbol, ...name }));
  }

  @RequiresScope("read:account")
  @Cost({ calls: planOrderCalls, mostPerAccount: PLAN_LOOKUPS })
  @FieldResolver(() => PlanOrder, {
    nullable: true,
    description:
      "The trigger order that it placed, changed or cancelled; null, without a call, for any other write, for one without effect, and for a change or cancellation on a unified account, whose request does not say in which category. Source: as `account.planOrders` and `account.planOrderHistory`",
  })
  async planOrder(@Root() { account, made }: Entry, @Ctx() { reads }: RequestContext): Promise<Of<PlanOrder> | null> {
    if (made?.kind !== "planOrder" || (made.orderId ?? made.clientOid) === null) return null;
    const { category, symbol, orderId, clientOid } = made;
    if (category === null || symbol === null) return null;
    reads.loaders.account.spend("planOrder", account);
    return foundWithAccount(account, await readPlanOrder(reads, account, { category, symbol, orderId, clientOid }));
  }

  @RequiresScope("read:account")
  @Cost({ calls: 2, mostPerAccount: 2 * MAX_EDGE_CALLS })
  @FieldResolver(() => ConvertRecord, {
    nullable: true,
    description:
      "The record of its conversion; null, without a call, for any other write and for one without effect. Source: GET /api/v2/convert/convert-record",
  })
  async conversion(@Root() { account, made }: Entry, @Ctx() { reads }: RequestContext): Promise<Of<ConvertRecord> | null> {
    if (made?.kind !== "conversion" || made.time === null) return null;
    const { time } = made;
    reads.loaders.account.spend("conversion", account);
    const rows = rowsOf(await conversions.read(reads, account, {}, around(time)));
    const record = rowWhere(rows, ({ createdTime }) => createdTime === time);
    return record === null ? null : convertRecordOf(account, record);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 2, mostPerAccount: 2 * MAX_EDGE_CALLS })
  @FieldResolver(() => SubAccountWithdrawal, {
    nullable: true,
    description:
      "Its withdrawal from a sub-account; null, without a call, for any other write and for one without effect. Source: GET /api/v2/broker/subaccount-withdrawal",
  })
  async withdrawal(@Root() { account, made }: Entry, @Ctx() { reads }: RequestContext): Promise<Of<SubAccountWithdrawal> | null> {
    if (made?.kind !== "withdrawal" || made.orderId === null) return null;
    const { orderId, subUid } = made;
    reads.loaders.account.spend("withdrawal", account);
    const rows = rowsOf(await withdrawalsOfSubAccounts.read(reads, account, { userId: subUid, orderId }, { first: 20 }));
    const record = rowWhere(rows, (row) => row.orderId === orderId);
    return record === null ? null : subAccountWithdrawalOf(account, record);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 5, mostPerAccount: 5 * MAX_EDGE_CALLS })
  @FieldResolver(() => SavingsRecord, {
    nullable: true,
    description:
      "The record of its redemption of savings; null, without a call, for any other write, for one without effect, and before the exchange has recorded it. Source: GET /api/v2/earn/savings/records",
  })
  async redemption(@Root() { account, made }: Entry, @Ctx() { reads }: RequestContext): Promise<Of<SavingsRecord> | null> {
    if (made?.kind !== "redemption" || made.orderId === null || made.periodType === null) return null;
    const { orderId, periodType } = made;
    reads.loaders.account.spend("redemption", account);
    const filter = { periodType, coin: null, orderType: "redeem" } as const;
    const rows = rowsOf(await savingsRecords.read(reads, account, filter, { first: MAX_FIRST }));
    const found = rowWhere(rows, (row) => row.orderId === orderId);
    return foundWithAccount(account, found);
  }
}

/** From a record to the write that has made it. */
function toMaker(type: ClassType<object>, kind: Parameters<typeof findMaker>[2]) {
  @Resolver(() => type)
  class ToMaker {
    @RequiresScope("read:account")
    @Cost({ calls: 0 })
    @FieldResolver(() => JournalEntry, {
      nullable: true,
      description:
        "The write through this gateway that has made it; null if it was made elsewhere, or the journal does not have it any more. No upstream call",
    })
    async journalEntry(@Root() record: MadeRecord, @Ctx() { writes }: RequestContext): Promise<Of<JournalEntry> | null> {
      const entry = await findMaker(writes, record.account, kind, record);
      return entry === null ? null : withAccount(record.account, journalEntryOf(entry));
    }
  }
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
