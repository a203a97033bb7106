/** What the other modules of the data source may use of this one. */
export { Accounts, KnownUsers } from "./accounts/accounts.js";
export {
  ACCOUNT_NAME,
  type AccountMode,
  type Credentials,
  type ExchangeAccount,
  keyDigest,
  MAX_ACCOUNTS,
} from "./accounts/exchangeAccount.js";
export { Breaker, type BreakerState, EXCHANGE_FAILURES, isExchangeFailure } from "./breaker.js";
export { ExchangeAnswered, refusal, reported } from "./client/answers.js";
export { type Answer, ExchangeClient, type SendTerms } from "./client/exchangeClient.js";
export { ExchangeClock } from "./client/exchangeClock.js";
export { type ExchangeTransport, Transport, TransportFailure } from "./client/transport.js";
export { ADDRESS_COUNTER, type BucketState, counterOf } from "./scheduler/buckets.js";
export { Budget } from "./scheduler/budget.js";
export type { RateBudgetStore, SharedCounter, SlotLease, SlotUse } from "./scheduler/rateBudgetStore.js";
export {
  clientGone,
  evenIfGone,
  GATEWAY,
  gatewayFor,
  LIVE_STATE,
  type Requester,
  SharedRequester,
} from "./scheduler/requester.js";
export { type Permit, Scheduler } from "./scheduler/scheduler.js";
export { FairQueue, PRIORITIES, type Priority } from "./scheduler/waitingLine.js";
