import { type EnumValueOf, ownEnum } from "./exchangeEnum.js";

export const BreakerState = ownEnum("BreakerState", "State of an endpoint's circuit breaker", {
  CLOSED: "Calls are sent",
  OPEN: "The endpoint kept failing: calls fail with EXCHANGE_UNAVAILABLE without being sent",
  HALF_OPEN: "The pause is over: one call is sent to try",
});

export const SocketState = ownEnum("SocketState", "State of a connection to the exchange's streams", {
  CONNECTING: "It is being opened",
  LOGGING_IN: "It is open, and its login is not yet answered",
  READY: "It carries channels",
  CLOSED: "It has ended",
});

export const ExchangeKind = ownEnum("ExchangeKind", "Kind of the exchange, and whether its money is real", {
  SANDBOX: "A sandbox exchange on the gateway's own machine: play money",
  DEMO: "The exchange's demo environment: play money",
  REAL: "The exchange itself: real money",
});
export type ExchangeKind = EnumValueOf<typeof ExchangeKind>;

export const UnprovenReason = ownEnum("UnprovenReason", "Why queries for a list of an account call the exchange", {
  INTERRUPTED: "A stream that the list depends on is interrupted, or has just been opened",
  BEING_READ: "It, or a list that its figures depend on, has changed in a way that is not pushed, and is about to be read",
  NOT_REPRODUCED: "The formulas have not reproduced the exchange's figures yet",
  NOT_COMPUTABLE: "A price or a rule that its figures depend on is not known, for example of a coin without a market in USDT",
});
