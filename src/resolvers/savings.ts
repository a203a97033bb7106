import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, Resolver, Root } from "type-graphql";
import type { ExchangeAccount, Row } from "../datasources/index.js";
import {
  readSavingsHoldings,
  readSavingsProducts,
  readSavingsRecords,
  readSavingsTotals,
  savingsHoldingPages,
  savingsRecordPages,
} from "../datasources/queries/savings.js";
import { Cost } from "../schema/cost.js";
import { SavingsFilter, SavingsPeriodTypeInput, SavingsRecordTypeInput } from "../schema/enums/savings.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { Savings, SavingsHoldingConnection, SavingsProduct, SavingsRecordConnection, SavingsTotals } from "../schema/savings.js";
import { Earn } from "../schema/sharkFin.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged } from "./fieldCosts.js";
import { WITHIN_HALF_A_MINUTE } from "./maxAge.js";
import { CreatedArguments, HistoryArguments } from "./pageArguments.js";

const PERIOD_TYPE = { description: "Which kind of term" };

@ArgsType()
class SavingsHoldingsArguments extends CreatedArguments {
  @Field(() => SavingsPeriodTypeInput, PERIOD_TYPE)
  readonly periodType!: SavingsPeriodTypeInput;
}

@ArgsType()
class SavingsRecordsArguments extends HistoryArguments {
  @Field(() => SavingsPeriodTypeInput, PERIOD_TYPE)
  readonly periodType!: SavingsPeriodTypeInput;

  @Field(() => String, { nullable: true, description: "Only records in this coin" })
  readonly coin?: string | null;

  @Field(() => SavingsRecordTypeInput, { nullable: true, description: "Only records of this kind" })
  readonly orderType?: SavingsRecordTypeInput | null;
}

@Resolver(() => Earn)
export class EarnSavingsResolver {
  @RequiresScope("read:account")
  @FieldResolver(() => Savings, { description: "Savings: coins lent to the exchange for interest" })
  savings(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }
}

@Resolver(() => Savings)
export class SavingsResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 1, rows: 1_000 })
  @FieldResolver(() => [SavingsProduct], {
    nullable: "itemsAndList",
    description: "Products on offer. Up to five minutes old. Source: GET /api/v2/earn/savings/product",
  })
  products(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("coin", () => String, { nullable: true, description: "Only products of this coin" }) coin?: string | null,
    @Arg("filter", () => SavingsFilter, {
      nullable: true,
      description: "Which products. Default: chosen by the exchange, which does not document it",
    })
    filter?: SavingsFilter | null,
  ): Promise<readonly Row<SavingsProduct>[]> {
    return readSavingsProducts(reads, account, { coin, filter });
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => SavingsTotals, {
    nullable: true,
    description: "What the account has in savings, and has earned with them. Source: GET /api/v2/earn/savings/account",
  })
  totals(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SavingsTotals> {
    return readSavingsTotals(reads.within(maxAgeMs), account);
  }

  @RequiresScope("read:account")
  @Cost(paged(savingsHoldingPages))
  @FieldResolver(() => SavingsHoldingConnection, {
    nullable: true,
    description: "Savings that the account holds, newest first. Source: GET /api/v2/earn/savings/assets",
  })
  async assets(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SavingsHoldingsArguments) { periodType, ...page }: SavingsHoldingsArguments,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SavingsHoldingConnection> {
    const filter = { periodType };
    return connectionFrom(await readSavingsHoldings(reads.within(maxAgeMs), account, filter, page), page.after, (row) => row);
  }

  @RequiresScope("read:account")
  @Cost(paged(savingsRecordPages))
  @FieldResolver(() => SavingsRecordConnection, {
    nullable: true,
    description:
      "What went into and came out of savings: the last three months unless asked otherwise, newest first. Source: GET /api/v2/earn/savings/records",
  })
  async records(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SavingsRecordsArguments) { periodType, coin, orderType, ...history }: SavingsRecordsArguments,
  ): Promise<SavingsRecordConnection> {
    const filter = {
      periodType,
      coin,
      orderType,
    };
    return connectionFrom(await readSavingsRecords(reads, account, filter, history), history.after, (row) => row);
  }
}
