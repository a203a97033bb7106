import type { OperationTypeNode } from "graphql";

/** What a request turned out to be, as far as metrics count it. */
export interface Operation {
  /** `undefined` when it never became an operation: not JSON, not valid, not known. */
  readonly kind: OperationTypeNode | undefined;
  readonly name: string | undefined;
  /** The codes of the errors in its answer. */
  readonly errorCodes: readonly string[];
}

/** Listens to every answer of `/graphql`, for metrics. */
export interface AnswerObserver {
  /** `operation` is `undefined` for a request that was turned away before GraphQL saw it. */
  answered(operation: Operation | undefined, status: number, tookMs: number): void;
}
