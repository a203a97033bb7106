import type { GraphQLError } from "graphql";
import type { ErrorReports } from "../../engine/errors/errorReports.js";
import { isUnexpected } from "../../engine/errors/formatError.js";
import type { Logger } from "./log.js";

/** What the other end of a connection can bring about as often as it likes. */
const THEIRS = /^(?:WS_ERR_\w+|ECONNRESET|EPIPE)$/;

/** Writes down, with stack and request, what clients see only as `INTERNAL_SERVER_ERROR`. */
export class ErrorLog implements ErrorReports {
  constructor(private readonly log: Logger) {}

  /** Logs those of `errors` that nobody foresaw. */
  unexpected(errors: readonly GraphQLError[], requestId: string | undefined, operation: string | undefined): void {
    for (const error of errors) {
      if (!isUnexpected(error)) continue;
      const place = { requestId, operation, path: error.path?.join(".") };
      this.log.error({ ...place, err: error.originalError ?? error }, "unexpected error in an operation");
    }
  }

  /** Logs that a connection failed: for the record alone when its other end has gone, or sent what is no frame. */
  connection(error: unknown): void {
    const isTheirs = error instanceof Error && "code" in error && THEIRS.test(String(error.code));
    this.log[isTheirs ? "debug" : "warn"]({ err: error }, "a socket failed");
  }

  /** Logs what failed around an operation. `what` says where. */
  around(error: Error, what: string, requestId?: string): void {
    this.log.error({ requestId, err: error }, what);
  }
}
