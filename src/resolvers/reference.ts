import { Arg, Ctx, Query, Resolver } from "type-graphql";
import type { Row } from "../datasources/index.js";
import {
  readDiscountRates,
  readMarginPairs,
  readSpotFundFlow,
  readSpotSymbol,
  readSpotSymbols,
} from "../datasources/reads/index.js";
import { Cost, type FieldCost } from "../schema/cost.js";
import { FundFlowPeriod } from "../schema/enums/market.js";
import { MarginPair, SpotSymbol } from "../schema/instrument.js";
import { COINS, named, rowsOf, SYMBOLS } from "../schema/listLengths.js";
import { DiscountRate, SpotFundFlow } from "../schema/market.js";
import { RequiresScope } from "../schema/requiresScope.js";
import type { RequestContext } from "./context.js";
import { unlessKept } from "./fieldCosts.js";
import { ONLY_COINS, ONLY_SYMBOLS, SYMBOL } from "./pageArguments.js";

const SPOT_SYMBOLS: FieldCost = { lists: { spotSymbols: ["SPOT"] }, category: () => "SPOT" };

/** Public reference data: pairs, collateral, fund flow. */
@Resolver()
export class ReferenceResolver {
  @RequiresScope("read:market")
  @Cost({ ...SPOT_SYMBOLS, rows: named("symbols", (_args, place) => rowsOf(place, "spotSymbols", SYMBOLS)) })
  @Query(() => [SpotSymbol], {
    nullable: "itemsAndList",
    description: "Spot trading pairs with their rules. Up to five minutes old. Source: GET /api/v2/spot/public/symbols",
  })
  spotSymbols(
    @Ctx() { reads }: RequestContext,
    @Arg("symbols", () => [String], ONLY_SYMBOLS) symbols?: readonly string[] | null,
  ): Promise<readonly Row<SpotSymbol>[]> {
    return readSpotSymbols(reads, symbols);
  }

  @RequiresScope("read:market")
  @Cost(SPOT_SYMBOLS)
  @Query(() => SpotSymbol, {
    nullable: true,
    description: "One spot trading pair; null if there is none with that name. Source: GET /api/v2/spot/public/symbols",
  })
  spotSymbol(@Ctx() { reads }: RequestContext, @Arg("symbol", () => String, SYMBOL) symbol: string): Promise<SpotSymbol | null> {
    return readSpotSymbol(reads, symbol);
  }

  @RequiresScope("read:market")
  @Cost({
    lists: { marginPairs: ["MARGIN"] },
    category: () => "MARGIN",
    rows: named("symbols", (_args, place) => rowsOf(place, "marginPairs", SYMBOLS)),
  })
  @Query(() => [MarginPair], {
    nullable: "itemsAndList",
    description: "Pairs that can be traded on margin. Up to five minutes old. Source: GET /api/v2/margin/currencies",
  })
  marginPairs(
    @Ctx() { reads }: RequestContext,
    @Arg("symbols", () => [String], ONLY_SYMBOLS) symbols?: readonly string[] | null,
  ): Promise<readonly Row<MarginPair>[]> {
    return readMarginPairs(reads, symbols);
  }

  @RequiresScope("read:market")
  @Cost({ calls: unlessKept("discountRates"), rows: named("coins", (_args, place) => rowsOf(place, "discountRates", COINS)) })
  @Query(() => [DiscountRate], {
    nullable: "itemsAndList",
    description:
      "Shares of each coin's value that count as collateral. Up to five minutes old. Source: GET /api/v2/mix/market/discount-rate",
  })
  discountRates(
    @Ctx() { reads }: RequestContext,
    @Arg("coins", () => [String], ONLY_COINS) coins?: readonly string[] | null,
  ): Promise<readonly Row<DiscountRate>[]> {
    return readDiscountRates(reads, coins);
  }

  @RequiresScope("read:market")
  @Cost({ calls: 1 })
  @Query(() => SpotFundFlow, {
    nullable: true,
    description:
      "Purchases and sales on the spot market, by size of investor. The exchange answers one call per second, for all symbols together. Source: GET /api/v2/spot/market/fund-flow",
  })
  async spotFundFlow(
    @Ctx() { reads }: RequestContext,
    @Arg("symbol", () => String, {
      nullable: true,
      description: "Symbol name, for example `BTCUSDT`; the exchange may require one",
    })
    symbol?: string | null,
    @Arg("period", () => FundFlowPeriod, {
      nullable: true,
      description: "Period up to now. Default: MINUTES_15",
    })
    period?: FundFlowPeriod | null,
  ): Promise<SpotFundFlow> {
    const flow = await readSpotFundFlow(reads, { symbol, period });
    const flowOf = (who: "whale" | "dolphin" | "fish") => ({
      buyVolume: flow[`${who}BuyVolume`],
      sellVolume: flow[`${who}SellVolume`],
      buyRatio: flow[`${who}BuyRatio`],
      sellRatio: flow[`${who}SellRatio`],
    });
    return { whale: flowOf("whale"), dolphin: flowOf("dolphin"), fish: flowOf("fish") };
  }
}
