import type { ClassType } from "type-graphql";
import type { ProductCategory } from "../schema/enums/category.js";
import { Fill } from "../schema/fill.js";
import { HistoricalPosition } from "../schema/historicalPosition.js";
import { Instrument } from "../schema/instrument.js";
import { Order } from "../schema/order.js";
import { PlanOrder } from "../schema/planOrder.js";
import { Position } from "../schema/position.js";
import { Ticker } from "../schema/ticker.js";
import { instrumentJoin, tickerJoin } from "./fieldCosts.js";
import { marketField, resolversOf } from "./fieldTable.js";

/** The market of a record. */
interface Traded {
  readonly category: ProductCategory;
  readonly symbol: string;
}

function marketJoin(type: ClassType<Traded>) {
  const MarketJoin = resolversOf(type, {
    instrument: marketField.orNull(Instrument, {
      description:
        "The trading rules of its symbol; null if the symbol is not listed any more. One call per category for any number of rows. Source: GET /api/v3/market/instruments",
      cost: instrumentJoin,
      resolve: ({ category, symbol }: Traded, { reads }) => reads.loaders.instrument(category, symbol),
    }),
    ticker: marketField.orNull(Ticker, {
      description:
        "The ticker of its symbol; null if the symbol is not quoted any more. One call per category for any number of rows. Source: GET /api/v3/market/tickers",
      cost: tickerJoin,
      resolve: ({ category, symbol }: Traded, { reads }) => reads.loaders.ticker(category, symbol),
    }),
  });
  return MarketJoin;
}

/** Joins for everything that is traded in a symbol. */
export const MARKET_JOINS = [Fill, HistoricalPosition, Order, PlanOrder, Position].map(marketJoin);
