import { closedEnum, type WordOf } from "./exchangeEnum.js";

export const BreakerState = closedEnum("BreakerState", ["CLOSED", "OPEN", "HALF_OPEN"], {
  description: "State of an endpoint's circuit breaker",
  meanings: {
    CLOSED: "In order: calls pass",
    OPEN: "It kept failing: calls are answered with EXCHANGE_UNAVAILABLE without being sent",
    HALF_OPEN: "The pause is over: one call may try",
  },
});
export type BreakerState = WordOf<typeof BreakerState>;
