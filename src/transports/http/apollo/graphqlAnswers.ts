import type { IncomingMessage } from "node:http";
import { type ApolloServer, HeaderMap } from "@apollo/server";
import { jsonIn } from "@exchange-graph/contract/json";
import { GraphQLError, OperationTypeNode } from "graphql";
import { LRUCache } from "lru-cache";
import type { ClientPrincipal } from "../../../access/principal/clientPrincipal.js";
import type { Requester } from "../../../datasources/index.js";
import type { Result } from "../../../engine/answers/result.js";
import { Sharing } from "../../../engine/answers/sharedResults.js";
import { withDocument } from "../../../engine/documents/documentId.js";
import { type OperationRequest, operationIn } from "../../../engine/documents/operationRequest.js";
import type { Engine } from "../../../engine/engine.js";
import { badRequest } from "../../../engine/errors/coded.js";
import type { Origin } from "../../../instrumentation/events.js";
import { type Answer, refusal } from "../answer.js";
import { withDocumentIn } from "../documentId.js";
import { isFromNoOtherPage } from "../fetchSite.js";
import { saysJson } from "../json.js";
import { statusFor } from "../jsonStatus.js";
import { headOf } from "../resultStatus.js";
import { asksForTrace, searchOf } from "../traceRequest.js";
import { TrackedRequest } from "./trackedRequest.js";

/** Maximum number of cached `Accept` headers; clients of one kind send the same one. */
const MAX_ACCEPTS = 100;

/** One request: its client, its origin, and the requester of its reads. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly originOf: () => Origin;
  readonly principal: ClientPrincipal;
  readonly requester: Requester;
  /** Whether the answer includes the trace and the cost. */
  readonly isTraced: boolean;
}

interface GraphqlOptions {
  readonly apollo: ApolloServer;
  readonly engine: Engine;
}

const NOT_JSON = refusal(400, "The request body is not valid JSON.");

/**
 * Answers requests to `/graphql`. A POST of JSON that needs no further checks goes straight to the engine; every other request
 * goes through Apollo, which implements GraphQL over HTTP. Apollo also decides the content type for an `Accept` header; its
 * answer is cached per header.
 */
export class GraphqlAnswers {
  readonly #headers = new LRUCache<string, Answer["headers"]>({ max: MAX_ACCEPTS });

  constructor(private readonly options: GraphqlOptions) {}

  /** `body` is the text of a POST. */
  answer(
    request: IncomingMessage,
    principal: ClientPrincipal,
    requester: Requester,
    originOf: () => Origin,
    body: string | undefined,
  ): Answer | Promise<Answer> {
    const { engine } = this.options;
    const arrival = { request, originOf, principal, requester, isTraced: asksForTrace(request) };
    const { "content-type": contentType, accept } = request.headers;
    // Everything else is Apollo's to refuse, including forms that a web page made a browser post.
    if (body === undefined || !saysJson(contentType)) {
      const search = withDocumentIn(searchOf(request));
      return "refused" in search ? refusal(400, search.refused) : this.#throughApollo(arrival, search.request, undefined);
    }
    const sharing = new Sharing(principal, arrival.isTraced ? `traced\n${body}` : body);
    const headers = this.#headers.get(acceptKey(accept));
    const ready = headers && engine.answered(principal, sharing, originOf);
    if (headers !== undefined && ready !== undefined) return answerOf(ready, headers, accept);
    const json = jsonIn(body);
    if (json === undefined) return NOT_JSON;
    const named = withDocument(json, engine.documents);
    if ("refused" in named) return refusal(400, named.refused);
    const operation = operationIn(named.request, engine.documents);
    if (headers === undefined || operation === undefined || operation instanceof GraphQLError)
      return this.#throughApollo(arrival, searchOf(request), named.request, sharing);
    const result = this.#execute(arrival, operation, sharing);
    return result instanceof Promise ? result.then((each) => answerOf(each, headers, accept)) : answerOf(result, headers, accept);
  }

  #execute(arrival: Arrival, operation: OperationRequest, sharing?: Sharing): Result | Promise<Result> {
    const { request, originOf, principal, requester, isTraced } = arrival;
    return this.options.engine.execute({
      sharing,
      operation: isTraced ? { ...operation, isTraced } : operation,
      principal,
      requester,
      origin: originOf(),
      refuses: request.method === "GET" ? refusedByGet : refusedByPost,
    });
  }

  async #throughApollo(arrival: Arrival, search: string, body: unknown, sharing?: Sharing): Promise<Answer> {
    const { method = "", headers: received } = arrival.request;
    const headersForApollo = headerMap(received);
    // Satisfies Apollo's CSRF prevention: such a request cannot have been forged.
    if (method === "GET" && isFromNoOtherPage(received)) headersForApollo.set("apollo-require-preflight", "1");
    const execute = async (operation: OperationRequest) => this.#execute(arrival, operation, sharing);
    const tracked = new TrackedRequest(arrival.originOf().requestId, method, headersForApollo, search, body, execute);
    const response = await this.options.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: tracked,
      context: async () => ({}),
    });
    if (response.body.kind !== "complete") throw new Error("the schema has no incremental delivery");
    const { operation } = tracked;
    const contentType = response.headers.get("content-type");
    const status = statusFor(response.status ?? 200, operation.errorCodes, contentType, received.accept);
    const headers = { "cache-control": "no-store", ...Object.fromEntries(response.headers) };
    if (sharing !== undefined && tracked.result?.hasRun === true && status === 200)
      this.#headers.set(acceptKey(received.accept), headers);
    return { status, headers, body: response.body.string, operation };
  }
}

/** Answers with a result in the same way as Apollo. */
function answerOf(result: Result, usual: Answer["headers"], accept: string | undefined): Answer {
  const { status, headers } = headOf(result);
  return {
    status: statusFor(status, result.errorCodes, usual["content-type"], accept),
    headers: result.hasRun ? usual : { ...usual, ...headers },
    body: result.text,
    operation: result,
  };
}

const refusedByPost = (kind: OperationTypeNode): GraphQLError | undefined =>
  kind === OperationTypeNode.SUBSCRIPTION ? SUBSCRIPTION : undefined;
/** A query has one answer. A subscription executed as a query would have no event. */
const SUBSCRIPTION = badRequest("Subscriptions go over a WebSocket at /graphql, or as an event stream at /graphql/stream.");

const refusedByGet = (kind: OperationTypeNode): GraphQLError | undefined =>
  kind === OperationTypeNode.QUERY
    ? undefined
    : badRequest(`GET requests only support query operations, not ${kind} operations`, {
        status: 405,
        headers: new HeaderMap([["allow", "POST"]]),
      });

function headerMap(headers: IncomingMessage["headers"]): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(", ") : value);
  return map;
}

/** A missing header differs from an empty one. */
const acceptKey = (accept: string | undefined): string => (accept === undefined ? "none" : `: ${accept}`);
