import type { GraphQLError, GraphQLFormattedError } from "graphql";
import type { Trace } from "../datasources/reads/index.js";
import type { Operation, Origin } from "../instrumentation/events.js";
import type { Instrumentation } from "../instrumentation/instrumentation.js";
import { answerText, type Result } from "./answers/result.js";
import type { DocumentPolicy } from "./documents/documentPolicy.js";
import { asGraphqlError } from "./errors/coded.js";
import { type ErrorLike, publishUnexpected } from "./errors/formatError.js";
import { isRefusal } from "./errors/refusalCodes.js";
import { shownErrors } from "./errors/shownErrors.js";
import type { Caller } from "./operationCall.js";
import { tracedBy } from "./operations/operations.js";

/** Outcome of an execution, before the response is written. */
interface ExecutionOutcome {
  /** JSON; undefined if nothing was executed. */
  readonly data: string | undefined;
  readonly errors: readonly GraphQLError[];
}

/** Makes the results of operations. Publishes their internal errors, and the refusals that a client gets. */
export class Results {
  readonly #show: (error: ErrorLike) => GraphQLFormattedError;

  constructor(
    policy: DocumentPolicy,
    private readonly instrumentation: Instrumentation,
  ) {
    this.#show = shownErrors(policy);
  }

  /** The result of an operation for the client that it is executed for. `found`: the operation, as far as there is one. */
  of(
    found: Pick<Operation, "kind" | "name"> | undefined,
    origin: Origin,
    { data, errors }: ExecutionOutcome,
    extensions?: Readonly<Record<string, unknown>>,
    trace?: Trace,
  ): Result {
    const { kind, name } = found ?? NO_OPERATION;
    const shown = errors.length === 0 ? NO_ERRORS : this.shown(errors, origin, name);
    return {
      kind,
      name,
      text: answerText(data, shown, extensions),
      errors,
      shown,
      errorCodes: codesOf(shown),
      traceId: origin.traceId,
      hasRun: data !== undefined,
      isTraced: extensions !== undefined,
      trace,
    };
  }

  /** The result for a request that could not be read as an operation, or for a failed subscription. */
  failed(error: unknown, { origin }: Pick<Caller, "origin">): Result {
    return this.of(undefined, origin, { data: undefined, errors: [asGraphqlError(error)] });
  }

  /** Publishes the refusals in a result that was made for another client. */
  publishedFor({ origin }: Pick<Caller, "origin">, result: Result): Result {
    if (result.errorCodes.length > 0) this.#publishRefusals(result.errorCodes, tracedBy(origin, result.traceId), result.name);
    return result;
  }

  /** Errors as clients may see them. Without an origin they are those of an event, which may have many listeners. */
  shown(errors: readonly GraphQLError[], origin: Origin | undefined, name?: string): readonly GraphQLFormattedError[] {
    publishUnexpected(this.instrumentation.failure, errors, { origin }, name);
    const shown = errors.map(this.#show);
    if (origin !== undefined) this.#publishRefusals(codesOf(shown), origin, name);
    return shown;
  }

  #publishRefusals(errorCodes: readonly string[], origin: Origin, operation: string | undefined): void {
    const codes = errorCodes.filter(isRefusal);
    if (codes.length > 0) this.instrumentation.refusal.publish({ origin, operation, codes });
  }
}

const NO_OPERATION = { kind: undefined, name: undefined };
const NO_ERRORS: readonly GraphQLFormattedError[] = [];

const codesOf = (errors: readonly GraphQLFormattedError[]): readonly string[] =>
  errors.length === 0 ? NO_CODES : errors.map(({ extensions }) => String(extensions?.code));
const NO_CODES: readonly string[] = [];
