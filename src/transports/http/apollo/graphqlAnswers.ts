import type { IncomingMessage } from "node:http";
import { type ApolloServer, type BaseContext, HeaderMap } from "@apollo/server";
import type { Clock } from "@exchange-graph/contract/clock";
import { OperationTypeNode } from "graphql";
import type { AuditTrail } from "../../../access/principal/auditTrail.js";
import type { Caller } from "../../../access/principal/caller.js";
import type { CallerBudgets } from "../../../access/quotas/callerBudgets.js";
import type { Requester } from "../../../datasources/index.js";
import type { Trace } from "../../../datasources/reads/trace.js";
import type { OperationCosts } from "../../../engine/cost/operationCosts.js";
import { jsonIn } from "../../../engine/documents/json.js";
import type { TrustedDocuments } from "../../../engine/documents/trustedDocuments.js";
import { formatError } from "../../../engine/errors/formatError.js";
import { rateLimited, retryAfter } from "../../../engine/errors/refusal.js";
import { ExecutionTurns } from "../../../engine/execution/executionTurns.js";
import type { Pause } from "../../../engine/execution/run.js";
import type { MutationObserver } from "../../../resolvers/index.js";
import { type Answer, refusal } from "../answer.js";
import { withDocument, withDocumentIn } from "../documentId.js";
import { isFromNoOtherPage } from "../fetchSite.js";
import { saysJson } from "../json.js";
import { statusFor } from "../jsonStatus.js";
import { asksForTrace, searchOf } from "../traceRequest.js";
import { PlainQueries, type PlainRequest, plainRequest, type Repeatable } from "./plainQueries.js";
import { Asked, type Executed, SharedAnswers } from "./sharedAnswers.js";
import { TrackedRequest } from "./trackedRequest.js";

/**
 * Makes what the resolvers of one operation work with. What is answered depends on the caller alone: see `Caller`. Where
 * there are no `mutations` to hear of them, the operation is none. What it reads and writes it does for `requester`.
 */
export type ContextFor<Context> = (caller: Caller, mutations?: MutationObserver, requester?: Requester) => Context;

/** One request: who sends it, under which number, and for whom it is answered as long as somebody waits. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly id: string;
  readonly caller: Caller;
  readonly requester: Requester;
}

interface GraphqlOptions<Context extends BaseContext> {
  readonly apollo: ApolloServer<Context>;
  readonly contextFor: ContextFor<Context>;
  /** What was read from the exchange for an operation. */
  readonly traceOf: (context: Context) => Trace;
  readonly costs: OperationCosts;
  readonly budgets: CallerBudgets;
  /** The only documents that are run, where there is a manifest. */
  readonly trusted?: TrustedDocuments | undefined;
  readonly audit: AuditTrail;
  readonly clock: Clock;
}

const NOT_JSON = refusal(400, "The request body is not valid JSON.");

/**
 * Finds the answer to a request by the shortest road that leads to it: one that was given or is being given to an equal
 * request, a query that is known, or Apollo, which alone judges what is allowed.
 */
export class GraphqlAnswers<Context extends BaseContext> {
  readonly #shared: SharedAnswers;
  readonly #plain = new PlainQueries();
  readonly #turns = new ExecutionTurns();

  constructor(private readonly options: GraphqlOptions<Context>) {
    this.#shared = new SharedAnswers(options.clock);
    options.trusted?.onReplace(() => this.#shared.written());
  }

  /** `body` is the text that came with a POST. */
  answer(
    request: IncomingMessage,
    identified: Caller,
    requester: Requester,
    id: string,
    body: string | undefined,
  ): Answer | Promise<Answer> {
    const waitMs = this.options.budgets.operation(identified.principal);
    if (waitMs !== undefined) return comeAgain(waitMs);
    const caller = asksForTrace(request) ? identified.asTraced : identified;
    const { "content-type": contentType, accept } = request.headers;
    // Everything else, a form that some web page makes a browser post included, is Apollo's to refuse.
    if (body === undefined || !saysJson(contentType)) {
      const search = withDocumentIn(searchOf(request));
      if ("refused" in search) return search.refused;
      const arrival = { request, id, caller, requester };
      return this.#throughApollo(arrival, search.request, undefined).then((executed) => executed.answer);
    }
    const asked = new Asked(caller, requester, accept, body);
    return this.#shared.ready(asked) ?? this.#find(request, id, asked);
  }

  /** What an execution for this requester waits for between its slices. */
  #pauses(requester: Requester): Pause {
    return async () => {
      await this.#turns.wait(requester);
      const why = await requester.refusal();
      if (why !== undefined) throw why;
    };
  }

  /** A mutation has ended, here or on another road: nothing that was read before is passed on. */
  written(): void {
    this.#shared.written();
  }

  #find(request: IncomingMessage, id: string, asked: Asked): Answer | Promise<Answer> {
    const json = jsonIn(asked.body);
    if (json === undefined) return NOT_JSON;
    const named = withDocument(json, this.options.trusted);
    if ("refused" in named) return named.refused;
    const { request: body } = named;
    const { caller } = asked;
    // Apollo's hooks write the trace into an answer.
    const plain = caller.traced ? undefined : plainRequest(body);
    const isTrusted = plain !== undefined && this.options.trusted?.refused(plain.query) === undefined;
    const known = isTrusted ? this.#plain.find(plain, request.headers.accept) : undefined;
    return this.#shared.answer(asked, known !== undefined, async (requester) => {
      const arrival = { request, id, caller, requester };
      const executed = known && (await this.#again(known, arrival));
      return executed ?? this.#throughApollo(arrival, searchOf(request), body, plain);
    });
  }

  /** Answers with a query that Apollo has answered with before; `undefined` when Apollo is to refuse it. */
  async #again({ query, variables, headers }: Repeatable, { id, caller, requester }: Arrival): Promise<Executed | undefined> {
    const { contextFor, costs, traceOf } = this.options;
    const admission = costs.admitted(query, variables, caller);
    if (admission === undefined) return undefined;
    const context = contextFor(caller, undefined, requester);
    const trace = traceOf(context);
    const answered = await query.answer(context, variables, id, this.#pauses(requester));
    admission.ended(trace.upstreamCalls);
    if (answered === undefined) return undefined;
    const { data, errors } = answered;
    const errorCodes = errors?.map(({ extensions }) => String(extensions?.code)) ?? [];
    return {
      answer: {
        status: 200,
        headers,
        body: errors === undefined ? `{"data":${data}}` : `{"errors":${JSON.stringify(errors)},"data":${data}}`,
        operation: { kind: OperationTypeNode.QUERY, name: query.name, errorCodes },
      },
      trace,
    };
  }

  async #throughApollo(
    { request, id, caller, requester }: Arrival,
    search: string,
    body: unknown,
    plain?: PlainRequest,
  ): Promise<Executed> {
    const { contextFor, audit } = this.options;
    const { method = "", headers: received } = request;
    const headersForApollo = headerMap(received);
    // The guard's own way to say that a request needed a preflight, or could not have been forged.
    if (method === "GET" && isFromNoOtherPage(received)) headersForApollo.set("apollo-require-preflight", "1");
    const tracked = new TrackedRequest(id, method, headersForApollo, search, body, caller, this.#pauses(requester));
    let trace: Trace | undefined;
    const response = await this.options.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: tracked,
      context: async () => {
        const { principal: who } = caller;
        const address = request.socket.remoteAddress;
        const context = contextFor(caller, audit.mutationsOf({ who, address, over: "http", requestId: id }), requester);
        trace = this.options.traceOf(context);
        return context;
      },
    });
    if (tracked.kind === "mutation") this.written();
    if (response.body.kind !== "complete") throw new Error("the schema has no incremental delivery");
    const contentType = response.headers.get("content-type");
    const status = statusFor(response.status ?? 200, tracked.errorCodes, contentType, received.accept);
    const headers = { "cache-control": "no-store", ...Object.fromEntries(response.headers) };
    if (plain !== undefined && tracked.ranAs !== undefined && status === 200)
      this.#plain.learn(plain, received.accept, tracked.ranAs, headers);
    return { answer: { status, headers, body: response.body.string, operation: tracked }, trace };
  }
}

/** The caller's budget of operations is spent. */
function comeAgain(waitMs: number): Answer {
  const error = formatError(rateLimited(waitMs, "operations"));
  return {
    status: 429,
    headers: { "content-type": "application/json; charset=utf-8", ...retryAfter(waitMs) },
    body: JSON.stringify({ errors: [error] }),
    operation: { kind: undefined, name: undefined, errorCodes: [String(error.extensions?.code)] },
  };
}

function headerMap(headers: IncomingMessage["headers"]): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(", ") : value);
  return map;
}
