import { type ClassType, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { Cost } from "../schema/cost.js";
import type { ProductCategory } from "../schema/enums/category.js";
import { Instrument } from "../schema/instrument.js";
import { Ticker } from "../schema/market.js";
import { Fill, Order } from "../schema/order.js";
import { PlanOrder } from "../schema/planOrder.js";
import { HistoricalPosition, Position } from "../schema/position.js";
import { RequiresScope } from "../schema/requiresScope.js";
import type { RequestContext } from "./context.js";
import { instrumentJoin, tickerJoin } from "./fieldCosts.js";

/** A record of a market. */
export interface Traded {
  readonly category: ProductCategory;
  readonly symbol: string;
}

function marketJoin(type: ClassType<Traded>) {
  @Resolver(() => type)
  class MarketJoin {
    @RequiresScope("read:market")
    @Cost(instrumentJoin)
    @FieldResolver(() => Instrument, {
      nullable: true,
      description:
        "The trading rules of its symbol; null if the symbol is not listed any more. One call per category for any number of rows. Source: GET /api/v3/market/instruments",
    })
    instrument(@Root() { category, symbol }: Traded, @Ctx() { reads }: RequestContext): Promise<Instrument | null> {
      return reads.loaders.instrument(category, symbol);
    }

    @RequiresScope("read:market")
    @Cost(tickerJoin)
    @FieldResolver(() => Ticker, {
      nullable: true,
      description:
        "The ticker of its symbol; null if the symbol is not quoted any more. One call per category for any number of rows. Source: GET /api/v3/market/tickers",
    })
    ticker(@Root() { category, symbol }: Traded, @Ctx() { reads }: RequestContext): Promise<Ticker | null> {
      return reads.loaders.ticker(category, symbol);
    }
  }
  return MarketJoin;
}

/** Joins for everything that is traded in a symbol. */
export const MARKET_JOINS = [Fill, HistoricalPosition, Order, PlanOrder, Position].map(marketJoin);
