/** The data source: everything about the exchange. */
export { isRead, mapRows, type Row } from "@exchange-graph/contract/rows";
export type { ExchangeAccount } from "./calls/accounts/exchangeAccount.js";
export { clientGone, type Requester, SharedRequester } from "./calls/scheduler/requester.js";
export { badInput, FAULTS, Fault, type FaultCode } from "./errors/fault.js";
export { rowWhere } from "./errors/rows.js";
export { Secret } from "./errors/secret.js";
export { createExchange, type Exchange, type ExchangeSettings } from "./exchange.js";
export { RequestReads } from "./reads/requestReads.js";
export { RequestWrites } from "./writes/requestWrites.js";
