import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import {
  readSharkFinHoldings,
  readSharkFinOffers,
  readSharkFinRecords,
  readSharkFinTotals,
  sharkFinHoldingPages,
  sharkFinOfferPages,
  sharkFinRecordPages,
} from "../datasources/queries/sharkFin.js";
import { Cost } from "../schema/cost.js";
import { SharkFinHoldingStatus, SharkFinRecordTypeInput } from "../schema/enums/sharkFin.js";
import { RequiresScope } from "../schema/requiresScope.js";
import {
  Earn,
  SharkFin,
  SharkFinOfferConnection,
  SharkFinProductConnection,
  SharkFinRecordConnection,
  SharkFinTotals,
} from "../schema/sharkFin.js";
import { withAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged } from "./fieldCosts.js";
import { WITHIN_HALF_A_MINUTE } from "./maxAge.js";
import { HistoryArguments, PageArguments } from "./pageArguments.js";

@ArgsType()
class SharkFinAssetsArguments extends HistoryArguments {
  @Field(() => SharkFinHoldingStatus, {
    defaultValue: "subscribed",
    description: "What the account holds, or what was settled. Default: SUBSCRIBED",
  })
  readonly status!: SharkFinHoldingStatus;
}

@ArgsType()
class SharkFinOffersArguments extends PageArguments {
  @Field(() => String, { description: "Coin that is paid in" })
  readonly coin!: string;
}

@ArgsType()
class SharkFinRecordsArguments extends HistoryArguments {
  @Field(() => SharkFinRecordTypeInput, { description: "Which kind of movements" })
  readonly type!: SharkFinRecordTypeInput;

  @Field(() => String, { nullable: true, description: "Only products that are subscribed in this coin" })
  readonly coin?: string | null;
}

@Resolver(() => Earn)
export class EarnResolver {
  @RequiresScope("read:account")
  @FieldResolver(() => SharkFin, { description: "Shark-fin products: interest by where a price ends" })
  sharkFin(@Root() account: ExchangeAccount): ExchangeAccount {
    return account;
  }
}

@Resolver(() => SharkFin)
export class SharkFinResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => SharkFinTotals, {
    nullable: true,
    description:
      "What the account has in shark-fin products, and has earned with them. Source: GET /api/v2/earn/sharkfin/account",
  })
  totals(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SharkFinTotals> {
    return readSharkFinTotals(reads.within(maxAgeMs), account);
  }

  @RequiresScope("read:account")
  @Cost(paged(sharkFinOfferPages))
  @FieldResolver(() => SharkFinOfferConnection, {
    nullable: true,
    description: "Products on offer for a coin, newest first. Up to five minutes old. Source: GET /api/v2/earn/sharkfin/product",
  })
  async offers(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SharkFinOffersArguments) { coin, ...page }: SharkFinOffersArguments,
  ): Promise<SharkFinOfferConnection> {
    return connectionFrom(await readSharkFinOffers(reads, account, { coin }, page), page.after, (row) => row);
  }

  @RequiresScope("read:account")
  @Cost(paged(sharkFinHoldingPages))
  @FieldResolver(() => SharkFinProductConnection, {
    nullable: true,
    description:
      "Products that the account holds or held, by the time of their creation: the last three months unless asked otherwise, newest first. Source: GET /api/v2/earn/sharkfin/assets",
  })
  async assets(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SharkFinAssetsArguments) { status, ...history }: SharkFinAssetsArguments,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SharkFinProductConnection> {
    const slice = await readSharkFinHoldings(reads.within(maxAgeMs), account, { status }, history);
    return connectionFrom(slice, history.after, (row) => withAccount(account, row));
  }

  @RequiresScope("read:account")
  @Cost(paged(sharkFinRecordPages))
  @FieldResolver(() => SharkFinRecordConnection, {
    nullable: true,
    description:
      "What went into and came out of shark-fin products: the last three months unless asked otherwise, newest first. Source: GET /api/v2/earn/sharkfin/records",
  })
  async records(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SharkFinRecordsArguments) { type, coin, ...history }: SharkFinRecordsArguments,
  ): Promise<SharkFinRecordConnection> {
    const filter = { type: type, coin };
    return connectionFrom(await readSharkFinRecords(reads, account, filter, history), history.after, (row) => row);
  }
}
