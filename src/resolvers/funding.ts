import { readFundingHistory, readPositionTiers } from "../datasources/reads/index.js";
import { FuturesCategoryInput } from "../schema/enums/category.js";
import { integer, of, text } from "../schema/fields.js";
import { FundingSettlement, PositionTier } from "../schema/funding.js";
import { bounded, TIERS } from "../schema/listLengths.js";
import { PAGE } from "./fieldCosts.js";
import { query, resolversOf } from "./fieldTable.js";

const CATEGORY = of(FuturesCategoryInput)("Futures category, by the coin of the margin");
const SYMBOL = text("Symbol name, for example `BTCUSDT`");

export const SETTLEMENTS = integer.optional("Number of settlements, from 1 to 100. Default: 100", 100);

/** Funding and leverage tiers of futures. */
export const FundingResolver = resolversOf(null, {
  fundingHistory: query("read:market", [FundingSettlement], {
    description:
      "The latest settlements of funding of a perpetual contract, newest first; none for a delivery contract. The exchange keeps 90 days. Source: GET /api/v3/market/history-fund-rate",
    cost: { calls: 1, rows: ({ first }) => bounded(first, PAGE, PAGE) },
    args: { category: CATEGORY, symbol: SYMBOL, first: SETTLEMENTS },
    resolve: ({ reads }, { category, symbol, first }) => readFundingHistory(reads, { category, symbol, first }),
  }),
  positionTiers: query("read:market", [PositionTier], {
    description:
      "Leverage and maintenance margin of a futures contract by the value of a position, smallest value first. Up to five minutes old. Source: GET /api/v3/market/position-tier",
    cost: { calls: 1, rows: TIERS },
    args: { category: CATEGORY, symbol: SYMBOL },
    resolve: ({ reads }, { category, symbol }) => readPositionTiers(reads, { category, symbol }),
  }),
});
