import type { GraphQLError, OperationTypeNode } from "graphql";
import type { ClientPrincipal } from "../access/principal/clientPrincipal.js";
import type { Requester } from "../datasources/index.js";
import type { Origin } from "../instrumentation/events.js";
import type { Sharing } from "./answers/sharedResults.js";
import type { OperationRequest } from "./documents/operationRequest.js";
import type { AdmittedOperation } from "./operations/operations.js";

/** Who asks, and how. */
export interface Asking {
  readonly principal: ClientPrincipal;
  /** For whom it is read and written, as long as somebody waits. */
  readonly requester: Requester;
  readonly origin: Origin;
}

/** An operation as a transport has it from its client. */
export interface AskedOperation extends Asking {
  readonly operation: OperationRequest;
  /** What makes it equal to other requests: then equal queries of one client share one execution. */
  readonly sharing?: Sharing | undefined;
  /** Why operations of this kind do not go this way. */
  readonly refuses?: (kind: OperationTypeNode) => GraphQLError | undefined;
}

/** An operation that may run, and for whom. */
export interface ReadyOperation extends AdmittedOperation {
  readonly asked: AskedOperation;
}
