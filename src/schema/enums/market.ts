import { CANDLE_INTERVALS, CANDLE_PRICES } from "@exchange-graph/contract/candle";
import { FUND_FLOW_PERIODS } from "@exchange-graph/contract/market";
import { closedEnum, type EnumValueOf, ownEnum } from "./exchangeEnum.js";

export const FundFlowPeriod = closedEnum(
  "FundFlowPeriod",
  FUND_FLOW_PERIODS,
  "Period up to now that the fund flow covers",
  {
    "15m": "The last 15 minutes",
    "30m": "The last 30 minutes",
    "1h": "The last hour",
    "2h": "The last 2 hours",
    "4h": "The last 4 hours",
    "1d": "The last 24 hours",
  },
  { "15m": "MINUTES_15", "30m": "MINUTES_30", "1h": "HOUR_1", "2h": "HOURS_2", "4h": "HOURS_4", "1d": "DAY_1" },
);
export type FundFlowPeriod = EnumValueOf<typeof FundFlowPeriod>;

const EASTERN = "from midnight at UTC+8";
const UTC = "from midnight UTC";

export const CandleInterval = closedEnum(
  "CandleInterval",
  CANDLE_INTERVALS,
  "Length of a candle. Six hours and longer begin on the exchange's own days (UTC+8), unless the name says UTC",
  {
    "1m": "One minute (`1m`)",
    "3m": "Three minutes (`3m`)",
    "5m": "Five minutes (`5m`)",
    "15m": "Fifteen minutes (`15m`)",
    "30m": "Thirty minutes (`30m`)",
    "1H": "One hour (`1H`)",
    "2H": "Two hours (`2H`)",
    "4H": "Four hours (`4H`)",
    "6H": `Six hours ${EASTERN} (\`6H\`)`,
    "12H": `Twelve hours ${EASTERN} (\`12H\`)`,
    "1D": `One day ${EASTERN} (\`1D\`)`,
    "3D": `Three days ${EASTERN} (\`3D\`)`,
    "1W": `One week ${EASTERN} (\`1W\`)`,
    "1M": `One month ${EASTERN} (\`1M\`)`,
    "6Hutc": `Six hours ${UTC} (\`6Hutc\`)`,
    "12Hutc": `Twelve hours ${UTC} (\`12Hutc\`)`,
    "1Dutc": `One day ${UTC} (\`1Dutc\`)`,
    "3Dutc": `Three days ${UTC} (\`3Dutc\`)`,
    "1Wutc": `One week ${UTC} (\`1Wutc\`)`,
    "1Mutc": `One month ${UTC} (\`1Mutc\`)`,
  },
  {
    "1m": "MINUTE_1",
    "3m": "MINUTES_3",
    "5m": "MINUTES_5",
    "15m": "MINUTES_15",
    "30m": "MINUTES_30",
    "1H": "HOUR_1",
    "2H": "HOURS_2",
    "4H": "HOURS_4",
    "6H": "HOURS_6",
    "12H": "HOURS_12",
    "1D": "DAY_1",
    "3D": "DAYS_3",
    "1W": "WEEK_1",
    "1M": "MONTH_1",
    "6Hutc": "HOURS_6_UTC",
    "12Hutc": "HOURS_12_UTC",
    "1Dutc": "DAY_1_UTC",
    "3Dutc": "DAYS_3_UTC",
    "1Wutc": "WEEK_1_UTC",
    "1Mutc": "MONTH_1_UTC",
  },
);

export const CandlePrice = closedEnum("CandlePrice", CANDLE_PRICES, "Price that a candle is made of", {
  market: "The price of the trades",
  mark: "The mark price; futures only",
  index: "The index price; futures only",
  premium: "The premium of the contract over its index; futures only",
});

export const BookDepth = ownEnum("BookDepth", "Number of levels per side of an order book", {
  L1: "The best level",
  L5: "Five levels",
  L15: "Fifteen levels",
  L50: "Fifty levels",
  FULL: "All levels that the exchange sends",
});
