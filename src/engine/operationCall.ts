import type { GraphQLError, OperationTypeNode } from "graphql";
import type { ClientPrincipal } from "../access/principal/clientPrincipal.js";
import type { Requester } from "../datasources/index.js";
import type { Origin } from "../instrumentation/events.js";
import type { Sharing } from "./answers/result.js";
import type { OperationRequest } from "./documents/operationRequest.js";

/** The client of an operation, and the context of its request. */
export interface Caller {
  readonly principal: ClientPrincipal;
  /** On whose behalf reads and writes are made. It is cancelled when no client waits any more. */
  readonly requester: Requester;
  readonly origin: Origin;
}

/** An operation as a transport received it. */
export interface OperationCall {
  readonly caller: Caller;
  readonly operation: OperationRequest;
  /** Identity of the request: equal queries of one client share one execution. Undefined: not shared. */
  readonly sharing?: Sharing | undefined;
  /** The error for operations of this kind if the transport does not support them. */
  readonly refuses?: ((kind: OperationTypeNode) => GraphQLError | undefined) | undefined;
}
