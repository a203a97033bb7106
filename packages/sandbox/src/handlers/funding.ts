import { exact, plain } from "@exchange-graph/contract/decimal";
import { fundingHistory, fundingRates, openInterests, positionTiers } from "@exchange-graph/contract/funding";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { type FuturesInstrument, isFutures } from "../world/catalogue/instrument.js";
import { maxCoinLeverage } from "../world/catalogue/margin.js";
import type { Catalogue } from "../world/catalogue.js";
import { fundingMs, fundingRate, nextFunding, RATE_BOUNDS } from "../world/market/funding.js";
import { timeOf } from "../world/market/listing.js";
import type { Market } from "../world/market/market.js";
import type { Markets } from "../world/market/markets.js";
import { filledIn, type Handler, open } from "./handler.js";
import { numberedPage } from "./paging.js";
import { categoryOf, named } from "./symbols.js";

/** Funding, open interest, and the tiers of leverage. */
export const fundingHandlers = (markets: Markets, { marginPairs }: Pick<Catalogue, "marginPairs">): readonly Handler[] => [
  open(fundingRates, ({ values }) =>
    contractsIn(markets, categoryOf(values.productType), values.symbol)
      .filter(isPerpetual)
      .map((contract) => runningPeriod(contract, timeOf(markets.tick))),
  ),
  open(fundingHistory, ({ values: { category, symbol, limit, cursor } }) => ({
    resultList: contractsIn(markets, category, symbol)
      .filter(isPerpetual)
      .flatMap((contract) => pastRates(contract, timeOf(markets.tick), { pageNo: cursor, pageSize: filledIn(limit) }))
      .map(({ time, ...rate }) => ({ ...rate, fundingRateTimestamp: time })),
  })),
  open(openInterests, ({ values }) => ({
    list: contractsIn(markets, values.category, values.symbol).map(({ market, instrument }) => ({
      symbol: instrument.symbol,
      openInterest: openInterestOf(market, markets.tick),
    })),
    ts: String(timeOf(markets.tick)),
  })),
  open(positionTiers, ({ values: { category, symbol, coin = "" } }) =>
    category === "MARGIN"
      ? tierRows(coinTiers(maxCoinLeverage(marginPairs, inCapitals(coin))))
      : contractsIn(markets, category, symbol).flatMap(({ instrument }) => tierRows(instrument.contract.tiers)),
  ),
];

type Tier = FuturesInstrument["contract"]["tiers"][number];

const tierRows = (tiers: readonly Tier[]) =>
  tiers.map(({ maxValue, leverage, maintenanceRate }, at) => ({
    tier: String(at + 1),
    minTierValue: tiers[at - 1]?.maxValue ?? "0",
    maxTierValue: maxValue,
    leverage: String(leverage),
    mmr: maintenanceRate,
  }));

/** Values up to which a coin can be borrowed with one leverage, highest first, and the maintenance rates. */
const COIN_STEPS = [
  ["100000", "0.05"],
  ["500000", "0.1"],
  ["2000000", "0.15"],
] as const;

/** The tiers of a coin in margin trading; none if it cannot be borrowed. */
const coinTiers = (highest: number): readonly Tier[] =>
  COIN_STEPS.slice(0, highest - 1).map(([maxValue, maintenanceRate], at) => ({
    maxValue,
    leverage: Math.max(2, highest - at),
    maintenanceRate,
  }));

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

/** Open positions of all users in a contract. */
export const openInterestOf = (market: Market, tick: number): string =>
  plain(market.ticker(tick).futures?.openInterest ?? exact("0"));

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

/** A page of the latest funding periods, newest first, with the times at which they ended. */
export function pastRates({ market, instrument }: Contract, at: number, page: Parameters<typeof numberedPage>[1]) {
  const ends = Array.from(
    { length: LISTED_PERIODS },
    (_, back) => nextFunding(instrument, at) - (back + 1) * fundingMs(instrument),
  );
  return numberedPage(ends, page).map((time) => ({
    symbol: instrument.symbol,
    fundingRate: plain(fundingRate(market.listing, time)),
    time: String(time),
  }));
}
