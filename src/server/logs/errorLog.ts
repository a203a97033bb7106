import type { GraphQLError } from "graphql";
import { isUnexpected } from "../answers/formatError.js";
import type { Logger } from "./log.js";

/** Writes down, with stack and request, what callers see only as `INTERNAL_SERVER_ERROR`. */
export class ErrorLog {
  constructor(private readonly log: Logger) {}

  /** Logs those of `errors` that nobody foresaw. */
  unexpected(errors: readonly GraphQLError[], requestId: string | undefined, operation: string | undefined): void {
    for (const error of errors) {
      if (!isUnexpected(error)) continue;
      const place = { requestId, operation, path: error.path?.join(".") };
      this.log.error({ ...place, err: error.originalError ?? error }, "unexpected error in an operation");
    }
  }

  /** Logs what failed around an operation. `what` says where. */
  around(error: Error, what: string, requestId?: string): void {
    this.log.error({ requestId, err: error }, what);
  }
}
