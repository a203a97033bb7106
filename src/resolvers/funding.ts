import { Arg, Ctx, Int, Query, Resolver } from "type-graphql";
import type { Row } from "../datasources/index.js";
import { readFundingHistory, readPositionTiers } from "../datasources/reads/index.js";
import { Cost } from "../schema/cost.js";
import { FuturesCategoryInput } from "../schema/enums/category.js";
import { bounded, TIERS } from "../schema/listLengths.js";
import { FundingSettlement, PositionTier } from "../schema/market.js";
import { RequiresScope } from "../schema/requiresScope.js";
import type { RequestContext } from "./context.js";
import { PAGE } from "./fieldCosts.js";
import { SYMBOL } from "./pageArguments.js";

const CATEGORY = { description: "Futures category, by the coin of the margin" };

export const SETTLEMENTS = {
  nullable: true,
  defaultValue: 100,
  description: "Number of settlements, from 1 to 100. Default: 100",
};

/** Funding and leverage tiers of futures. */
@Resolver()
export class FundingResolver {
  @RequiresScope("read:market")
  @Cost({ calls: 1, rows: ({ first }) => bounded(first, PAGE, PAGE) })
  @Query(() => [FundingSettlement], {
    nullable: "itemsAndList",
    description:
      "The latest settlements of funding of a perpetual contract, newest first; none for a delivery contract. The exchange keeps 90 days. Source: GET /api/v3/market/history-fund-rate",
  })
  fundingHistory(
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => FuturesCategoryInput, CATEGORY) category: FuturesCategoryInput,
    @Arg("symbol", () => String, SYMBOL) symbol: string,
    @Arg("first", () => Int, SETTLEMENTS) first?: number | null,
  ): Promise<readonly Row<FundingSettlement>[]> {
    return readFundingHistory(reads, { category, symbol, first });
  }

  @RequiresScope("read:market")
  @Cost({ calls: 1, rows: TIERS })
  @Query(() => [PositionTier], {
    nullable: "itemsAndList",
    description:
      "Leverage and maintenance margin of a futures contract by the value of a position, smallest value first. Up to five minutes old. Source: GET /api/v3/market/position-tier",
  })
  positionTiers(
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => FuturesCategoryInput, CATEGORY) category: FuturesCategoryInput,
    @Arg("symbol", () => String, SYMBOL) symbol: string,
  ): Promise<readonly Row<PositionTier>[]> {
    return readPositionTiers(reads, { category, symbol });
  }
}
