import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ListedTicker } from "../datasources/reads/index.js";
import { Cost } from "../schema/cost.js";
import { Ticker } from "../schema/market.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { DateTime, Decimal } from "../schema/scalars.js";
import type { RequestContext } from "./context.js";
import { joined } from "./fieldCosts.js";

/** Fields that ticker lists lack and some pushes have: joined if they are selected. */
@Resolver(() => Ticker)
export class TickerResolver {
  @RequiresScope("read:market")
  @Cost(joined("fundingRates"))
  @FieldResolver(() => DateTime, {
    nullable: true,
    description:
      "Next settlement of funding (`nextUpdate`); null except for perpetual futures. One call per category for any number of tickers; none if the ticker stream has it. Source: GET /api/v2/mix/market/current-fund-rate",
  })
  async nextFundingTime(
    @Root() { category, symbol, nextFundingTime }: ListedTicker,
    @Ctx() { reads }: RequestContext,
  ): Promise<number | null> {
    return nextFundingTime ?? (await reads.loaders.fundingRate(category, symbol))?.nextFundingTime ?? null;
  }

  @RequiresScope("read:market")
  @Cost(joined("classicTickers"))
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "Price at midnight UTC, in quote coin; null where the exchange has none. One call per category for any number of tickers; none if the ticker stream has it. Source: GET /api/v2/spot/market/tickers, or GET /api/v2/mix/market/tickers",
  })
  async openUtc(@Root() { category, symbol, openUtc }: ListedTicker, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return openUtc ?? (await reads.loaders.classicTicker(category, symbol))?.openUtc ?? null;
  }

  @RequiresScope("read:market")
  @Cost(joined("classicTickers"))
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "Change of the price since midnight UTC, as a fraction: 0.05 is 5 %; null where the exchange has none. Source: as `openUtc`",
  })
  async changeUtc24h(
    @Root() { category, symbol, changeUtc24h }: ListedTicker,
    @Ctx() { reads }: RequestContext,
  ): Promise<string | null> {
    return changeUtc24h ?? (await reads.loaders.classicTicker(category, symbol))?.changeUtc24h ?? null;
  }

  @RequiresScope("read:market")
  @Cost(joined("classicTickers"))
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "Traded in the last 24 hours, in USDT (`usdtVolume`); null where the exchange has none. One call per category for any number of tickers. Source: as `openUtc`",
  })
  async turnover24hUsdt(@Root() { category, symbol }: ListedTicker, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return (await reads.loaders.classicTicker(category, symbol))?.turnover24hUsdt ?? null;
  }
}
