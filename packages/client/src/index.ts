export { createClient } from "./client.js";
export {
  addDecimals,
  compareDecimals,
  type DecimalFormat,
  divideDecimals,
  formatDecimal,
  formatPercent,
  isDecimal,
  isOnStep,
  multiplyDecimals,
  type Rounding,
  roundToStep,
  subtractDecimals,
  trimDecimal,
} from "./decimal.js";
export type { GraphDocument, Typed } from "./document.js";
export { ERROR_CODES, type ErrorCode, type GraphError, NoAnswer } from "./errors.js";
export { SubscriptionEnded } from "./eventIterator.js";
export type { GraphAnswer, Token } from "./http.js";
export type { Connection, SocketConstructor } from "./line.js";
export { type Outcome, outcomeOf, type PayloadOf } from "./outcome.js";
export type { Gap, GraphEvent, Listener, Refusal } from "./subscription.js";
export type {
  Client,
  ClientOptions,
  Operation,
  Preview,
  QueryResult,
  RequestOptions,
  WriteOptions,
  WriteResult,
} from "./types.js";
export { newKey } from "./write.js";
