/** The data source: everything about the exchange. */
export { isRead, mapRows, type Row } from "@exchange-graph/contract/rows";
export type { ExchangeAccount } from "./accounts/exchangeAccount.js";
export { createExchange, type Exchange, type ExchangeSettings } from "./exchange.js";
export { badInput, FAULTS, Fault, type FaultCode } from "./fault.js";
export { RequestReads } from "./requestReads.js";
export { rowWhere } from "./rows.js";
export { clientGone, type Requester, SharedRequester } from "./scheduler/requester.js";
export { Secret } from "./secret.js";
