import { type ExecutionResult, execute, type GraphQLError, type GraphQLSchema, OperationTypeNode } from "graphql";
import type { Requester } from "../datasources/index.js";
import { Trace } from "../datasources/reads/index.js";
import type { Origin } from "../instrumentation/events.js";
import type { MutationAuthor, Resuming } from "../resolvers/index.js";
import { type Result, SharedResults, type Sharing } from "./answers/result.js";
import { shownTrace } from "./answers/shownTrace.js";
import { Documents } from "./documents/documents.js";
import type { EngineOptions } from "./engineOptions.js";
import { asGraphqlError } from "./errors/coded.js";
import { ExecutionTurns } from "./execution/executionTurns.js";
import type { Caller, OperationCall } from "./operationCall.js";
import { type AdmittedOperation, type FoundOperation, INTERNAL, OperationRecords, Operations } from "./operations/operations.js";
import { Results } from "./results.js";
import { openEventStream } from "./subscriptions/eventStream.js";
import { FanOut, groupKey, type Membership } from "./subscriptions/fanOut.js";
import type { SubscriberSink } from "./subscriptions/subscriberSink.js";

/** Executes operations for all transports: documents and their identifiers, limits, cost, trace, execution and sharing. */
export class Engine {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly fanOut: FanOut;
  readonly results: Results;
  readonly #operations: Operations;
  readonly #shared: SharedResults;
  readonly #turns: ExecutionTurns;
  readonly #records: OperationRecords;

  constructor(private readonly options: EngineOptions) {
    const { schema, documents: policy, recorder, clock, instrumentation, isCompiling = true } = options;
    const { suggestions } = policy;
    this.schema = schema;
    this.documents = new Documents(schema, policy);
    this.results = new Results(policy, instrumentation);
    this.#operations = new Operations({ ...options, documents: this.documents, suggestions, isCompiling });
    this.#turns = new ExecutionTurns(clock);
    this.fanOut = new FanOut(clock, this.#turns);
    this.#shared = new SharedResults(clock);
    this.#records = new OperationRecords(recorder, clock);
    policy.trusted?.onReplace(() => this.written());
  }

  /**
   * Called before a message or request of a client is processed. Undefined if that may be done at once; otherwise resolves when it
   * may.
   */
  begin(client: Pick<Requester, "client" | "weight">): Promise<void> | undefined {
    return this.#turns.begin(client);
  }

  /** A kept result of an equal request that is still valid. Counts as an operation of the client. */
  answered(caller: Caller, sharing: Sharing): Result | undefined {
    const ready = this.#shared.ready(sharing);
    if (ready === undefined || this.#operations.refused(caller.principal) !== undefined) return undefined;
    return this.#records.kept(ready, caller);
  }

  /** Finds the operation of a request: valid and of a kind that the transport supports, or the refusal. */
  find(call: OperationCall): FoundOperation | Result {
    const { caller, refuses } = call;
    const spent = this.#operations.refused(caller.principal);
    if (spent !== undefined) return this.#refused([spent], call);
    const found = this.#operations.find(call);
    if (!("kind" in found)) return this.#refused(found, call);
    const refused = refuses?.(found.kind);
    return refused === undefined ? found : this.#refused([refused], call, found);
  }

  execute(found: FoundOperation): Result | Promise<Result> {
    const { caller, sharing } = found.call;
    return found.kind === OperationTypeNode.QUERY && sharing !== undefined
      ? this.#sharedResult(found, sharing)
      : this.#admitted(found, caller.requester);
  }

  /** Reads and admits an operation without executing it. The result goes to `run` or `subscribe`, or is a refusal. */
  read(call: OperationCall): AdmittedOperation | Result {
    const found = this.find(call);
    return "text" in found ? found : this.#admit(found);
  }

  run(ready: AdmittedOperation): Promise<Result> {
    return this.#run(ready, ready.call.caller.requester);
  }

  /**
   * Subscribes; events are written to `sink`. Returns a stream that ends with the subscription, or a refusal. Listeners with
   * equal operations and rights share one execution.
   */
  async subscribe(ready: AdmittedOperation, sink: SubscriberSink): Promise<Membership | Result> {
    const { caller, operation: request } = ready.call;
    const { principal, requester } = caller;
    const { schema } = this.options;
    const { document, operation, compiled, variables, kind } = ready;
    const open = (all: Requester, resuming?: Resuming) => {
      const context = this.options.contextFor(principal.asListener, undefined, all);
      const pause = this.#turns.pausesFor(all, kind);
      return openEventStream(
        {
          schema,
          document,
          operationName: operation.name?.value,
          variableValues: request.variables,
          contextValue: context,
          rootValue: resuming,
        },
        (errors) => this.results.shown(errors, undefined),
        compiled?.onEvents(context, variables, pause),
      );
    };
    const trace = new Trace();
    const { recording, origin } = this.#records.begin(ready, caller.origin);
    let errorCodes = NONE;
    const refused = (errors: readonly GraphQLError[]): Result => {
      const result = this.results.of(ready, origin, { data: undefined, errors });
      errorCodes = result.errorCodes;
      return result;
    };
    try {
      const spend = this.options.budgets.eventsOf(principal.id);
      const joined = await this.fanOut.join(groupKey(principal, request, variables), open, sink, requester, {
        after: request.after,
        spend,
      });
      return Symbol.asyncIterator in joined ? joined : refused(joined.errors);
    } catch (error) {
      return refused([asGraphqlError(error)]);
    } finally {
      recording?.ended(errorCodes, trace.sources);
    }
  }

  /** Drops all kept results: a mutation has ended, or rules have changed. */
  written(): void {
    this.#shared.written();
  }

  /** Executes a query, or waits for an equal one. */
  #sharedResult(found: FoundOperation, sharing: Sharing): Result | Promise<Result> {
    const { caller } = found.call;
    let isRun = false;
    const result = this.#shared.result(sharing, caller.requester, (all) => {
      isRun = true;
      return this.#admitted(found, all);
    });
    if (isRun || !(result instanceof Promise)) return result;
    return this.#records
      .joined(result, found.name, caller.origin, () => isRun)
      .then((made) => (isRun ? made : this.results.publishedFor(caller, made)));
  }

  #admitted(found: FoundOperation, requester: Requester): Result | Promise<Result> {
    const ready = this.#admit(found);
    return "text" in ready ? ready : this.#run(ready, requester);
  }

  #admit(found: FoundOperation): AdmittedOperation | Result {
    const admitted = this.#operations.admit(found);
    return "kind" in admitted ? admitted : this.#refused(admitted, found.call, found);
  }

  async #run(operation: AdmittedOperation, requester: Requester): Promise<Result> {
    const { kind, admission, compiled, variables, call } = operation;
    const { caller } = call;
    const isMutation = kind === OperationTypeNode.MUTATION;
    const { recording, origin } = this.#records.begin(operation, caller.origin);
    const context = this.options.contextFor(caller.principal, isMutation ? this.#author(origin) : undefined, requester);
    const { trace } = context.reads;
    trace.recording = recording;
    let errorCodes = NONE;
    try {
      const ran =
        compiled === undefined
          ? await this.#interpret(operation, context)
          : await compiled.execute(context, variables, this.#turns.pausesFor(requester, kind));
      const extensions = call.operation.isTraced ? shownTrace(trace, admission, ran.data) : undefined;
      const result = this.results.of(operation, origin, ran, extensions, trace);
      errorCodes = result.errorCodes;
      return result;
    } catch (error) {
      errorCodes = INTERNAL;
      throw error;
    } finally {
      recording?.ended(errorCodes, trace.sources);
      admission.ended(trace.upstreamCalls);
      if (isMutation) this.written();
    }
  }

  #author(origin: Origin): MutationAuthor {
    const { audit, instrumentation } = this.options;
    return {
      who: origin.who,
      leaving: (entry, reducesRisk) => audit.leaving(origin, entry, reducesRisk),
      ended: (mutation) => instrumentation.mutation.publish({ origin, ...mutation }),
    };
  }

  async #interpret({ document, operation, call }: FoundOperation, context: unknown) {
    const { schema } = this.options;
    const { data, errors = [] }: ExecutionResult = await execute({
      schema,
      document,
      operationName: operation.name?.value,
      contextValue: context,
      variableValues: call.operation.variables,
    });
    return { data: data === undefined ? undefined : JSON.stringify(data), errors };
  }

  #refused(errors: readonly GraphQLError[], { caller, operation }: OperationCall, found?: FoundOperation): Result {
    const extensions = operation.isTraced ? shownTrace(new Trace(), undefined, undefined) : undefined;
    return this.results.of(found, caller.origin, { data: undefined, errors }, extensions);
  }
}

const NONE: readonly string[] = [];
