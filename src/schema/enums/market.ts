import { FUND_FLOW_PERIODS } from "@exchange-graph/contract/market";
import { closedEnum, type EnumValueOf } from "./exchangeEnum.js";

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
