import { plain } from "@exchange-graph/contract/decimal";
import { fundingHistory, fundingRates, positionTiers } from "@exchange-graph/contract/funding";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { type FuturesInstrument, isFutures } from "../world/catalogue/instrument.js";
import { fundingMs, fundingRate, nextFunding, RATE_BOUNDS } from "../world/market/funding.js";
import { timeOf } from "../world/market/listing.js";
import type { Market } from "../world/market/market.js";
import type { Markets } from "../world/market/markets.js";
import { filledIn, type Handler, open } from "./handler.js";
import { numberedPage } from "./paging.js";
import { categoryOf, named } from "./symbols.js";

/** Funding and the tiers of leverage. */
export const fundingHandlers = (markets: Markets): readonly Handler[] => [
  open(fundingRates, ({ values }) =>
    contractsIn(markets, categoryOf(values.productType), values.symbol)
      .filter(isPerpetual)
      .map((contract) => runningPeriod(contract, timeOf(markets.tick))),
  ),
  open(fundingHistory, ({ values: { category, symbol, limit, cursor } }) => ({
    resultList: contractsIn(markets, category, symbol)
      .filter(isPerpetual)
      .flatMap(({ market, instrument }) =>
        numberedPage(settlements(instrument, timeOf(markets.tick)), { pageNo: cursor, pageSize: filledIn(limit) }).map(
          (time) => ({
            symbol: instrument.symbol,
            fundingRate: plain(fundingRate(market.listing, time)),
            fundingRateTimestamp: String(time),
          }),
        ),
      ),
  })),
  open(positionTiers, ({ values: { category, symbol } }) =>
    contractsIn(markets, category, symbol).flatMap(({ instrument: { contract } }) =>
      contract.tiers.map(({ maxValue, leverage, maintenanceRate }, at) => ({
        tier: String(at + 1),
        minTierValue: contract.tiers[at - 1]?.maxValue ?? "0",
        maxTierValue: maxValue,
        leverage: String(leverage),
        mmr: maintenanceRate,
      })),
    ),
  ),
];

/** A futures contract and its market. */
interface Contract {
  readonly market: Market;
  readonly instrument: FuturesInstrument;
}

/** The futures contract of a name, or all of a category. */
export const contractsIn = (markets: Markets, category: ProductCategory, symbol: string | undefined): readonly Contract[] =>
  named(markets, category, symbol).flatMap((market) => {
    const { instrument } = market.listing;
    return isFutures(instrument) ? [{ market, instrument }] : [];
  });

/** A contract with a delivery has no funding. */
export const isPerpetual = ({ instrument }: Contract): boolean => instrument.contract.delivery === undefined;

/** The funding period of a contract at a time, Unix ms: the same record in both versions. */
export function runningPeriod({ market, instrument }: Contract, at: number) {
  const next = nextFunding(instrument, at);
  return {
    symbol: instrument.symbol,
    fundingRate: plain(fundingRate(market.listing, next)),
    fundingRateInterval: String(instrument.contract.fundingHours),
    nextUpdate: String(next),
    minFundingRate: RATE_BOUNDS.min,
    maxFundingRate: RATE_BOUNDS.max,
  };
}

const LISTED_PERIODS = 270;

/** End times of the latest funding periods, newest first. */
export const settlements = (instrument: FuturesInstrument, at: number): readonly number[] =>
  Array.from({ length: LISTED_PERIODS }, (_, back) => nextFunding(instrument, at) - (back + 1) * fundingMs(instrument));
