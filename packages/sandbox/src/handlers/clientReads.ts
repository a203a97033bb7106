import type { Codec } from "@exchange-graph/contract/codec";
import { plain } from "@exchange-graph/contract/decimal";
import { endpoint, type ParametersOf, perSecond } from "@exchange-graph/contract/endpoint";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { isNamed } from "@exchange-graph/contract/letterCase";
import {
  maybe,
  type ParameterSet,
  pageSize,
  required,
  symbolName,
  textRule,
  timestamp,
  whole,
} from "@exchange-graph/contract/parameter";
import { productType } from "@exchange-graph/contract/trading";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import { nextFunding } from "../world/market/funding.js";
import { tickAt, timeOf } from "../world/market/listing.js";
import type { Market } from "../world/market/market.js";
import type { Markets } from "../world/market/markets.js";
import { contractsIn, isPerpetual, openInterestOf, pastRates, runningPeriod } from "./funding.js";
import { filledIn, type Handler, open } from "./handler.js";
import { classicTrade } from "./market.js";
import { categoryOf, listed } from "./symbols.js";

/**
 * Public data that the gateway does not read, but other clients do: they load lists of coins, fees and funding rates from here
 * before their first order.
 */

const AS_IT_IS: Codec<unknown> = { decode: (wire) => wire };

const symbol = required("Symbol name", symbolName());
const tradePage = {
  limit: maybe("How many", pageSize(500, 1_000)),
  idLessThan: maybe("Only trades before this one", textRule({ max: 40, pattern: /^\d{1,19}$/, allowed: "a trade's id" })),
  startTime: maybe("Only trades from this time on", timestamp()),
  endTime: maybe("Only trades up to this time", timestamp()),
};

const contract = { symbol, productType };

const read = <const P extends ParameterSet>(
  name: string,
  doc: string,
  path: `/api/v${2 | 3}/${string}`,
  perS: number,
  parameters: P,
) => endpoint({ name, doc, path, rate: perSecond(perS, "IP"), parameters, data: AS_IT_IS });

const CLIENT_READS = {
  spotFills: read("spotFillsHistory", "Trades of a spot symbol, back in time", "/api/v2/spot/market/fills-history", 10, {
    symbol,
    ...tradePage,
  }),
  futuresFills: read("futuresFillsHistory", "Trades of a futures symbol, back in time", "/api/v2/mix/market/fills-history", 10, {
    ...contract,
    ...tradePage,
  }),
  spotFees: read("spotFeeLevels", "Fee rates of spot by level", "/api/v2/spot/market/vip-fee-rate", 10, {}),
  futuresFees: read("futuresFeeLevels", "Fee rates of futures by level", "/api/v2/mix/market/vip-fee-rate", 10, {}),
  fundingRates: read("pastFundingRates", "The rates of past funding periods", "/api/v2/mix/market/history-fund-rate", 20, {
    ...contract,
    pageSize: maybe("How many", pageSize(20, 100)),
    pageNo: maybe("Page, from 1", whole({ min: 1, max: 1_000, fallback: 1 })),
  }),
  fundingTimes: read("fundingTimes", "When a funding period ends", "/api/v2/mix/market/funding-time", 20, contract),
  unifiedFundingRate: read(
    "unifiedFundingRate",
    "The rate of the running funding period of one symbol",
    "/api/v3/market/current-fund-rate",
    20,
    { symbol },
  ),
  openInterests: read("openInterests", "Open interest of a futures symbol", "/api/v2/mix/market/open-interest", 20, contract),
  prices: read("symbolPrices", "Last, mark and index price of a futures symbol", "/api/v2/mix/market/symbol-price", 20, contract),
  tiers: read(
    "positionTiers",
    "Leverage and maintenance margin by the value of a position",
    "/api/v2/mix/market/query-position-lever",
    10,
    contract,
  ),
};

export function clientReadHandlers(markets: Markets): readonly Handler[] {
  const futures = (product: Parameters<typeof categoryOf>[0], name: string | undefined) =>
    contractsIn(markets, categoryOf(product), name);
  const now = () => timeOf(markets.tick);

  return [
    open(CLIENT_READS.spotFills, ({ values }) => trades(listed(markets, "SPOT", values.symbol), markets.tick, values)),
    open(CLIENT_READS.futuresFills, ({ values }) =>
      trades(listed(markets, categoryOf(values.productType), values.symbol), markets.tick, values),
    ),
    open(CLIENT_READS.spotFees, () => [feeLevel("0.001", "0.001")]),
    open(CLIENT_READS.futuresFees, () => [feeLevel("0.0002", "0.0006")]),
    open(CLIENT_READS.fundingRates, ({ values }) =>
      futures(values.productType, values.symbol)
        .flatMap((contract) => pastRates(contract, now(), values))
        .map(({ time, ...rate }) => ({ ...rate, fundingTime: time })),
    ),
    open(CLIENT_READS.fundingTimes, ({ values }) =>
      futures(values.productType, values.symbol).map(({ instrument }) => ({
        symbol: instrument.symbol,
        nextFundingTime: String(nextFunding(instrument, now())),
        ratePeriod: String(instrument.contract.fundingHours),
      })),
    ),
    open(CLIENT_READS.unifiedFundingRate, ({ values }) => {
      const contracts = FUTURES_CATEGORIES.flatMap((category) => contractsIn(markets, category, undefined));
      const found = contracts.filter((one) => isPerpetual(one) && isNamed(one.instrument.symbol, values.symbol));
      if (found.length === 0) throw new Refused(REFUSAL.unknownSymbol, "symbol");
      return found.map((contract) => runningPeriod(contract, now()));
    }),
    open(CLIENT_READS.openInterests, ({ values }) => ({
      openInterestList: futures(values.productType, values.symbol).map(({ market, instrument }) => ({
        symbol: instrument.symbol,
        size: openInterestOf(market, markets.tick),
      })),
      ts: String(now()),
    })),
    open(CLIENT_READS.prices, ({ values }) =>
      futures(values.productType, values.symbol).map(({ market: { listing }, instrument }) => ({
        symbol: instrument.symbol,
        price: plain(listing.price(markets.tick)),
        indexPrice: plain(listing.price(markets.tick, "index")),
        markPrice: plain(listing.price(markets.tick, "mark")),
        ts: String(now()),
      })),
    ),
    open(CLIENT_READS.tiers, ({ values }) =>
      futures(values.productType, values.symbol).flatMap(({ instrument }) => {
        const { tiers } = instrument.contract;
        return tiers.map(({ maxValue, leverage, maintenanceRate }, at) => ({
          symbol: instrument.symbol,
          level: String(at + 1),
          startUnit: tiers[at - 1]?.maxValue ?? "0",
          endUnit: maxValue,
          leverage: String(leverage),
          keepMarginRate: maintenanceRate,
        }));
      }),
    ),
  ];
}

/** All users trade at the fees of the lowest level. */
const feeLevel = (makerFeeRate: string, takerFeeRate: string) => ({
  level: "0",
  dealAmount: "0",
  assetAmount: "0",
  takerFeeRate,
  makerFeeRate,
  btcWithdrawAmount: "300",
  usdtWithdrawAmount: "5000000",
});

/** Number of digits of the time in ms at the start of an id. */
const TIME_DIGITS = 13;
const ID_DIGITS = 19;
/** Users' trades come before the generated ones, at any age. */
const USER_TRADES = 500;

function trades(
  market: Market,
  tick: number,
  { limit, idLessThan, startTime = 0, endTime }: Omit<ParametersOf<typeof CLIENT_READS.spotFills>, "symbol">,
): unknown {
  const before = idLessThan?.padStart(ID_DIGITS, "0");
  const bounds = [timeOf(tick), endTime, before === undefined ? undefined : Number.parseInt(before.slice(0, TIME_DIGITS), 10)];
  const end = Math.min(...bounds.filter((bound) => bound !== undefined));
  const count = filledIn(limit);
  return market
    .trades(tickAt(end), count + USER_TRADES)
    .filter(({ at, execId }) => at >= startTime && at <= end && (before === undefined || execId < before))
    .slice(0, count)
    .map((trade) => classicTrade(market, trade));
}
