import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { readSharkFinTotals, sharkFinHoldings, sharkFinOffers, sharkFinRecords } from "../datasources/reads/index.js";
import { Cost } from "../schema/cost.js";
import {
  Earn,
  SharkFin,
  SharkFinOfferConnection,
  SharkFinProductConnection,
  SharkFinRecordConnection,
  SharkFinTotals,
} from "../schema/earn.js";
import { SharkFinHoldingStatus, SharkFinRecordTypeInput } from "../schema/enums/earn.js";
import { of, text } from "../schema/fields.js";
import { Arguments, extended } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { accountConnection } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged } from "./fieldCosts.js";
import { WITHIN_HALF_A_MINUTE } from "./maxAge.js";
import { HistoryArguments, PageArguments } from "./pageArguments.js";

@Arguments()
class SharkFinAssetsArguments extends extended(HistoryArguments, {
  status: of(SharkFinHoldingStatus).withDefault("Current or settled products. Default: SUBSCRIBED", "subscribed"),
}) {}

@Arguments()
class SharkFinOffersArguments extends extended(PageArguments, { coin: text("Coin that is paid in") }) {}

@Arguments()
class SharkFinRecordsArguments extends extended(HistoryArguments, {
  type: of(SharkFinRecordTypeInput)("Kind of records"),
  coin: text.optional("Only products with this subscription coin"),
}) {}

@Resolver(() => Earn)
export class EarnResolver {
  @RequiresScope("read:account")
  @FieldResolver(() => SharkFin, {
    description: "Shark-fin products, whose interest depends on a price at the end of their term",
  })
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
    description: "Total holdings and earnings in shark-fin products. Source: GET /api/v2/earn/sharkfin/account",
  })
  totals(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SharkFinTotals> {
    return readSharkFinTotals(reads.within(maxAgeMs), account);
  }

  @RequiresScope("read:account")
  @Cost(paged(sharkFinOffers.pages))
  @FieldResolver(() => SharkFinOfferConnection, {
    nullable: true,
    description: "Products on offer for a coin, newest first. Up to five minutes old. Source: GET /api/v2/earn/sharkfin/product",
  })
  async offers(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SharkFinOffersArguments) { coin, ...page }: SharkFinOffersArguments,
  ): Promise<SharkFinOfferConnection> {
    return accountConnection(sharkFinOffers.read, reads, account, { coin }, page);
  }

  @RequiresScope("read:account")
  @Cost(paged(sharkFinHoldings.pages))
  @FieldResolver(() => SharkFinProductConnection, {
    nullable: true,
    description:
      "Current or settled products of the account, by creation time, newest first. Default: the last three months. Source: GET /api/v2/earn/sharkfin/assets",
  })
  async assets(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SharkFinAssetsArguments) { status, ...history }: SharkFinAssetsArguments,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SharkFinProductConnection> {
    return accountConnection(sharkFinHoldings.read, reads.within(maxAgeMs), account, { status }, history);
  }

  @RequiresScope("read:account")
  @Cost(paged(sharkFinRecords.pages))
  @FieldResolver(() => SharkFinRecordConnection, {
    nullable: true,
    description:
      "Records of shark-fin products, newest first. Default: the last three months. Source: GET /api/v2/earn/sharkfin/records",
  })
  async records(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SharkFinRecordsArguments) { type, coin, ...history }: SharkFinRecordsArguments,
  ): Promise<SharkFinRecordConnection> {
    return accountConnection(sharkFinRecords.read, reads, account, { type: type, coin }, history);
  }
}
