/** The door of the room: what the others use of it. */
export { callFault, titleOf } from "./callFault.js";
export { type ArgumentViolation, badInput, FAULTS, Fault, type FaultCode } from "./fault.js";
export { inTime } from "./inTime.js";
export { growingLru, lruByWeight } from "./lru.js";
export { everyRow, rowWhere, unreadFault } from "./rows.js";
export { Secret } from "./secret.js";
export { accountStandIn, isStandIn, standIn } from "./standIn.js";
export { StoreGone } from "./storeGone.js";
export { inClientsWords, unknownSymbol } from "./unknownSymbol.js";
export { everyPart, isUnreadPart, type Part, readableParts, type UnreadPart, unreadPart } from "./unreadPart.js";
