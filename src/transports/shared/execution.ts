import type { Clock } from "@exchange-graph/contract/clock";
import { type ExecutionArgs, GraphQLError, type GraphQLFormattedError } from "graphql";
import type { Callers } from "../../access/callers.js";
import type { AuditTrail, Origin } from "../../access/principal/auditTrail.js";
import type { Caller } from "../../access/principal/caller.js";
import type { CallerSeats } from "../../access/quotas/callerSeats.js";
import type { Requester } from "../../datasources/index.js";
import type { FanOut } from "../../engine/subscriptions/fanOut.js";
import type { Attempt } from "../../engine/subscriptions/group.js";
import type { Operations } from "../../engine/subscriptions/operation.js";
import type { MutationObserver } from "../../resolvers/index.js";
import type { AllowedOrigins } from "../http/allowedOrigins.js";
import type { ServedNames } from "../http/servedNames.js";
import type { Shedding } from "../http/shedding.js";

/** Every message of an operation carries its id: longer ones help nobody. */
export const MAX_ID_LENGTH = 200;

/** How operations are run, whatever they came over. */
export interface Execution {
  readonly callers: Callers;
  /** For sockets and event streams together. */
  readonly seats: CallerSeats;
  readonly operations: Operations;
  readonly fanOut: FanOut;
  /** One operation of this caller, for this requester: its context, and what its stream says of itself. */
  readonly attempt: (
    args: ExecutionArgs,
    caller: Caller,
    mutations: MutationObserver | undefined,
    requester: Requester,
  ) => Attempt;
  readonly clock: Clock;
  /** A mutation has ended: nothing that was read before it is passed on. */
  readonly written: () => void;
  readonly audit: AuditTrail;
  readonly nextRequestId: () => string;
  readonly origins: AllowedOrigins;
  readonly names: ServedNames;
  /** Takes sockets that never said hello. */
  readonly shedding: Shedding;
  /** The errors of an answer as its caller may see them. What was refused, and what nobody foresaw, is written down. */
  readonly shown: (errors: readonly GraphQLError[], origin: Origin) => readonly GraphQLFormattedError[];
}

/** As graphql-js would have it, with what a fault says of itself. */
export function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
