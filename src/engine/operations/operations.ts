import type { Clock } from "@exchange-graph/contract/clock";
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from "graphql";
import type { ClientPrincipal } from "../../access/principal/clientPrincipal.js";
import type { ClientBudgets } from "../../access/quotas/clientBudgets.js";
import type { Origin } from "../../instrumentation/events.js";
import type { OperationRecorder, OperationReuse, OperationStart } from "../../instrumentation/operationRecorder.js";
import type { OperationRecording } from "../../instrumentation/operationRecording.js";
import type { Result } from "../answers/result.js";
import type { Admission, OperationCosts } from "../cost/operationCosts.js";
import type { Documents } from "../documents/documents.js";
import { coded } from "../errors/coded.js";
import { rateLimited } from "../errors/operationRefusals.js";
import { GRAPHQL_CODES } from "../errors/refusalCodes.js";
import { CompiledQueries, type CompiledQuery } from "../execution/compiledQuery.js";
import type { OperationCall } from "../operationCall.js";

/** An operation of a valid document. */
export interface FoundOperation {
  readonly kind: OperationTypeNode;
  readonly name: string | undefined;
  readonly call: OperationCall;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The compiled operation; undefined if graphql-js executes it. */
  readonly compiled: CompiledQuery | undefined;
}

export interface AdmittedOperation extends FoundOperation {
  /** Variables in the order of the operation, with defaults and without unknown ones. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly admission: Admission;
}

/** graphql-js stops collecting variable errors at this number. */
const MAX_VARIABLE_ERRORS = 50;

interface OperationOptions {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly costs: OperationCosts;
  readonly budgets: ClientBudgets;
  /** Whether errors suggest names of the schema. */
  readonly suggestions: boolean;
  /** False: graphql-js executes everything. */
  readonly isCompiling: boolean;
}

export class Operations {
  readonly #compiled: CompiledQueries;

  constructor(private readonly options: OperationOptions) {
    this.#compiled = new CompiledQueries(options.schema);
  }

  /** The refusal if the client's quota of operations is used up. Counts one operation. */
  refused({ id: principalId }: ClientPrincipal): GraphQLError | undefined {
    const waitMs = this.options.budgets.operation(principalId);
    return waitMs === undefined ? undefined : rateLimited(waitMs, "operations");
  }

  find(call: OperationCall): FoundOperation | readonly GraphQLError[] {
    const { query, operationName } = call.operation;
    const document = this.options.documents.read(query);
    if (!("kind" in document)) return document;
    const operation = getOperationAST(document, operationName);
    if (!operation) return [unresolved(document, operationName)];
    const compiled = this.options.isCompiling ? this.#compiled.find(document, operation) : undefined;
    return { kind: operation.operation, name: operation.name?.value, call, document, operation, compiled };
  }

  /** Admits an operation by its estimated cost and coerces its variables, or returns the errors. */
  admit(found: FoundOperation): AdmittedOperation | readonly GraphQLError[] {
    const { kind, name, call, document, operation, compiled } = found;
    const { variables: inputs } = call.operation;
    const admission = this.#admission(document, operation, inputs, call.caller.principal);
    if (admission instanceof GraphQLError) return [admission];
    const plain = compiled?.variablesOf(inputs);
    const { errors, coerced = {} } = plain === undefined ? this.#coerced(found) : { coerced: plain };
    // Each property by name: V8 adds one to a copy by `...` many times slower.
    if (errors === undefined) return { kind, name, call, document, operation, compiled, admission, variables: coerced };
    admission.ended(0);
    return errors.map((error) => coded(error, GRAPHQL_CODES.BAD_USER_INPUT));
  }

  #admission(...[document, operation, variables, principal]: Parameters<OperationCosts["admit"]>): Admission | GraphQLError {
    try {
      return this.options.costs.admit(document, operation, variables, principal);
    } catch (error) {
      if (error instanceof GraphQLError) return error;
      throw error;
    }
  }

  #coerced({ operation, call }: FoundOperation): {
    readonly errors?: readonly GraphQLError[];
    readonly coerced?: Readonly<Record<string, unknown>>;
  } {
    const { schema, suggestions } = this.options;
    return getVariableValues(schema, operation.variableDefinitions ?? [], call.operation.variables, {
      hideSuggestions: !suggestions,
      maxErrors: MAX_VARIABLE_ERRORS,
    });
  }
}

/** The same messages as in graphql-js. */
function unresolved({ definitions }: DocumentNode, name: string | undefined): GraphQLError {
  const isThere = definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const several = isThere ? "Must provide operation name if query contains multiple operations." : "Must provide an operation.";
  const reason = name === undefined ? several : `Unknown operation named "${name}".`;
  return coded(new GraphQLError(reason), GRAPHQL_CODES.OPERATION_RESOLUTION_FAILURE);
}

type Named = Pick<OperationStart, "kind" | "name">;

export const INTERNAL: readonly string[] = ["INTERNAL_SERVER_ERROR"];

/** The records of operations for traces. Without a recorder nothing is recorded. */
export class OperationRecords {
  constructor(
    private readonly recorder: OperationRecorder | undefined,
    private readonly clock: Clock,
  ) {}

  /** The recording of an operation that starts, and its origin, which names its trace. */
  begin({ kind, name }: Named, origin: Origin): { readonly recording: OperationRecording | undefined; readonly origin: Origin } {
    const recording = this.recorder?.begin({ origin, kind, name });
    return { recording, origin: tracedBy(origin, recording?.traceId) };
  }

  /** The result for a query that is answered with a kept one. */
  kept(result: Result, caller: { readonly origin: Origin }): Result {
    return this.recorder === undefined ? result : reused(this.recorder, result, "kept", caller.origin, 0);
  }

  /** The result for a query that waits for an equal one. `isRun`: whether it was executed after all. */
  async joined(result: Promise<Result>, name: string | undefined, origin: Origin, isRun: () => boolean): Promise<Result> {
    const { recorder, clock } = this;
    if (recorder === undefined) return result;
    const joinedAt = clock.now();
    const waitedMs = (): number => clock.now() - joinedAt;
    try {
      const made = await result;
      return isRun() ? made : reused(recorder, made, "shared", origin, waitedMs());
    } catch (error) {
      if (!isRun())
        recorder.reused({ origin, name, answer: "shared", maker: undefined, waitedMs: waitedMs(), errorCodes: INTERNAL });
      throw error;
    }
  }
}

function reused(
  recorder: OperationRecorder,
  result: Result,
  answer: OperationReuse["answer"],
  origin: Origin,
  waitedMs: number,
): Result {
  const { name, trace, errorCodes } = result;
  const traceId = recorder.reused({ origin, name, answer, maker: trace, waitedMs, errorCodes });
  return traceId === result.traceId ? result : { ...result, traceId };
}

/** The origin of an operation with this trace. */
export const tracedBy = (origin: Origin, traceId: string | undefined): Origin =>
  traceId === undefined ? origin : { ...origin, traceId };
