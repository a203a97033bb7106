import { Args, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import { MAX_POINTS, sumOfCurves } from "../datasources/history/index.js";
import type { ExchangeAccount } from "../datasources/index.js";
import { Account } from "../schema/account.js";
import { Cost, type FieldCost } from "../schema/cost.js";
import { EquityInterval, PerformanceGroup } from "../schema/enums/history.js";
import { of, time } from "../schema/fields.js";
import { EquityHistory, HistoryBackfill, Performance, ProfitDay } from "../schema/history.js";
import { pointCount } from "../schema/listLengths.js";
import { ReconciledDay } from "../schema/reconciliation.js";
import { Arguments, extended, fieldsOf } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import type { RequestContext } from "./context.js";
import { calendarOf, performanceOf } from "./performance.js";
import { backfillOf, gapOf, missingFrom, pointOf, readCurves, readReconciliation } from "./recordedCurves.js";

@Arguments()
class RangeArguments extends fieldsOf({
  from: time("From here on"),
  to: time.optional("Up to here. Default: now"),
}) {}

@Arguments()
class EquityArguments extends extended(RangeArguments, {
  interval: of(EquityInterval).withDefault(
    `Interval of the points. Default: HOUR. A range has at most ${MAX_POINTS} of them`,
    "HOUR",
  ),
}) {}

@Arguments()
class PerformanceArguments extends extended(RangeArguments, {
  by: of(PerformanceGroup).withDefault("What the rows are about. Default: ACCOUNT", "ACCOUNT"),
}) {}

/** These fields are refused if nothing is recorded. */
const NO_CALLS: FieldCost = { calls: 0, refused: (_asked, { outlook }) => outlook.own("histories") === 0 };
/** Rows of a table by month, symbol or category. */
const TABLE_ROWS = 500;

/** What accounts were worth. Everything is answered from what the gateway has recorded. */
@Resolver(() => Account)
export class AccountHistoryResolver {
  @RequiresScope("read:account")
  @Cost(NO_CALLS)
  @FieldResolver(() => EquityHistory, {
    nullable: true,
    description:
      "What the account was worth over time, with its gaps, and why it changed. Source: the gateway's own record of proven live state, and the account's financial records",
  })
  equityHistory(
    @Root() account: ExchangeAccount,
    @Ctx() context: RequestContext,
    @Args(() => EquityArguments) args: EquityArguments,
  ): Promise<EquityHistory> {
    return equityOf(context, [account], args);
  }

  @RequiresScope("read:account")
  @Cost(NO_CALLS)
  @FieldResolver(() => HistoryBackfill, {
    nullable: true,
    description:
      "How far the account's past is rebuilt; null where `HISTORY_BACKFILL_DAYS` is 0. Points of it have the source `RECONSTRUCTED`. No upstream call",
  })
  historyBackfill(@Root() account: ExchangeAccount, @Ctx() context: RequestContext): Promise<HistoryBackfill | null> {
    return backfillOf(context, account);
  }

  @RequiresScope("read:account")
  @Cost({ ...NO_CALLS, rows: TABLE_ROWS })
  @FieldResolver(() => [Performance], {
    nullable: true,
    description:
      "Return, drawdown, risk and trading statistics of the account. A range of up to two days is computed from single samples, up to 120 days from hours, a longer one from days. Source: as for `equityHistory`",
  })
  performance(
    @Root() account: ExchangeAccount,
    @Ctx() context: RequestContext,
    @Args(() => PerformanceArguments) args: PerformanceArguments,
  ): Promise<readonly Performance[]> {
    return performanceOf(context, [account], args);
  }

  @RequiresScope("read:account")
  @Cost({ ...NO_CALLS, rows: (args, place) => pointCount(args, place, "DAY") })
  @FieldResolver(() => [ProfitDay], {
    nullable: true,
    description: "Profit of each day (UTC) that has a sample, the earliest first. Source: as for `equityHistory`",
  })
  profitCalendar(
    @Root() account: ExchangeAccount,
    @Ctx() context: RequestContext,
    @Args(() => RangeArguments) range: RangeArguments,
  ): Promise<readonly ProfitDay[]> {
    return calendarOf(context, [account], range);
  }

  @RequiresScope("read:account")
  @Cost({ ...NO_CALLS, rows: (args, place) => pointCount(args, place, "DAY") })
  @FieldResolver(() => [ReconciledDay], {
    nullable: true,
    description:
      "Days of the account that were compared with the exchange, the earliest first: each is compared soon after its end. A day without a row was not compared yet. Source: the gateway's own record. No upstream call",
  })
  reconciliation(
    @Root() account: ExchangeAccount,
    @Ctx() context: RequestContext,
    @Args(() => RangeArguments) { from, to }: RangeArguments,
  ): Promise<readonly ReconciledDay[]> {
    return readReconciliation(context, account, { from, to });
  }
}

/** The same for all accounts that the client may read. */
@Resolver()
export class HistoryResolver {
  @RequiresScope("read:account")
  @Cost(NO_CALLS)
  @Query(() => EquityHistory, {
    nullable: true,
    description:
      "What all accounts that the client may read were worth together: at the times at which each of them has a sample. An account counts from its first sample on, by which its equity comes in as a transfer. An account with several names counts once. Source: as for `Account.equityHistory`",
  })
  equityHistory(@Ctx() context: RequestContext, @Args(() => EquityArguments) args: EquityArguments): Promise<EquityHistory> {
    return equityOf(context, readable(context), args);
  }

  @RequiresScope("read:account")
  @Cost({ ...NO_CALLS, rows: TABLE_ROWS })
  @Query(() => [Performance], {
    nullable: true,
    description:
      "Performance of all accounts that the client may read: by account one row of each and one of all together, otherwise of all together. Source: as for `Account.performance`",
  })
  performance(
    @Ctx() context: RequestContext,
    @Args(() => PerformanceArguments) args: PerformanceArguments,
  ): Promise<readonly Performance[]> {
    return performanceOf(context, readable(context), args);
  }

  @RequiresScope("read:account")
  @Cost({ ...NO_CALLS, rows: (args, place) => pointCount(args, place, "DAY") })
  @Query(() => [ProfitDay], {
    nullable: true,
    description:
      "Profit of each day (UTC) of all accounts that the client may read together. Source: as for `Account.profitCalendar`",
  })
  profitCalendar(
    @Ctx() context: RequestContext,
    @Args(() => RangeArguments) range: RangeArguments,
  ): Promise<readonly ProfitDay[]> {
    return calendarOf(context, readable(context), range);
  }
}

const readable = ({ exchange, principal: { rights } }: RequestContext): readonly ExchangeAccount[] =>
  exchange.accounts.filter(({ name }) => rights.on("read:account", name));

async function equityOf(
  context: RequestContext,
  accounts: readonly ExchangeAccount[],
  args: EquityArguments,
): Promise<EquityHistory> {
  const found = await readCurves(context, accounts, args, args.interval);
  const { points, gaps, coverage } = sumOfCurves(found.map(({ curve }) => curve));
  return {
    interval: args.interval,
    points: points.map(pointOf),
    gaps: gaps.map(gapOf),
    changesStartTime: coverage?.from ?? null,
    changesEndTime: coverage?.until ?? null,
    missingAccounts: missingFrom(context, accounts, found),
  };
}
