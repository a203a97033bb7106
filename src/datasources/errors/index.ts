/** What the other modules of the data source may use of this one. */
export {
  type ArgumentViolation,
  aboutArgument,
  badInput,
  callFault,
  FAULTS,
  Fault,
  type FaultCode,
  faultIn,
  ifFault,
  inClientsWords,
  reversedRange,
  titleOf,
  unknownSymbol,
} from "./fault.js";
export { inTime } from "./inTime.js";
export { growingLru, lruByWeight } from "./lru.js";
export { Secret } from "./secret.js";
export { accountStandIn, isStandIn, standIn } from "./standIn.js";
export { StoreUnreachable } from "./storeUnreachable.js";
export {
  everyPart,
  everyRow,
  isUnreadPart,
  type Part,
  readableParts,
  rowWhere,
  type UnreadPart,
  unreadFault,
  unreadPart,
} from "./unread.js";
