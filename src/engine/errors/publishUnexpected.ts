import type { GraphQLError } from "graphql";
import type { Failure } from "../../instrumentation/events.js";
import type { EventChannel } from "../../instrumentation/instrumentation.js";
import { isUnexpected } from "./formatError.js";

/** Publishes the internal errors of an operation. Clients see them only as `INTERNAL_SERVER_ERROR`. */
export function publishUnexpected(
  failure: EventChannel<Failure>,
  errors: readonly GraphQLError[],
  { requestId, origin }: Pick<Failure, "requestId" | "origin">,
  operation: string | undefined,
): void {
  for (const error of errors) {
    if (!isUnexpected(error)) continue;
    const place = { requestId: requestId ?? origin?.requestId, origin, operation, path: error.path?.join(".") };
    failure.publish({ ...place, error: error.originalError ?? error, what: "unexpected error in an operation" });
  }
}
