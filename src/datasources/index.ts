/** The data source: everything about the exchange. */
export { jsonIn } from "@exchange-graph/contract/json";
export { isRead, mapRows, type Row } from "@exchange-graph/contract/rows";
export { clientGone, type ExchangeAccount, type Requester, SharedRequester } from "./calls/index.js";
export { createDataSource, type DataSource, type ExchangeSettings, realmOf } from "./dataSource.js";
export {
  aboutArgument,
  badInput,
  FAULTS,
  Fault,
  type FaultCode,
  isUnreadPart,
  reversedRange,
  rowWhere,
  Secret,
} from "./errors/index.js";
export { RequestReads } from "./reads/index.js";
export { RequestWrites } from "./writes/index.js";
