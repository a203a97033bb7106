import type { IncomingMessage, RequestListener } from "node:http";
import { jsonIn } from "@exchange-graph/contract/json";
import { GraphQLError, OperationTypeNode } from "graphql";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { type Result, Sharing } from "../../engine/answers/result.js";
import type { ReadRequest } from "../../engine/documents/operationRequest.js";
import type { Engine } from "../../engine/engine.js";
import { badRequest } from "../../engine/errors/coded.js";
import type { Caller } from "../../engine/operationCall.js";
import type { FoundOperation } from "../../engine/operations/operations.js";
import { type HttpAnswer, methodRefusal, refusal, STOPPING } from "../arrival/answer.js";
import { Arrival, presenceOf, type RefusalWriter } from "../arrival/arrival.js";
import type { ArrivalParts } from "../arrival/arrivalParts.js";
import { graphqlSearchOf, isJsonType, parametersIn, readBody } from "../arrival/requestParts.js";
import type { ApolloHttp } from "./apollo/apolloServer.js";
import { headOf, logRequest, statusFor, writeAnswer } from "./writeAnswer.js";

/** Maximum number of cached `Accept` headers; clients of one kind send the same one. */
const MAX_ACCEPTS = 100;

const NOT_JSON = refusal(400, "The request body is not valid JSON.");

/**
 * Answers requests to `/graphql`. Apollo Server implements HTTP, and the engine executes. For a JSON POST with an operation,
 * Apollo's headers depend on the `Accept` header alone, so they are cached by it: Apollo in front of every request would make an
 * operation on cached data half as expensive again. With further plugins Apollo handles every request.
 */
export class GraphqlAnswers {
  readonly #headers = new LRUCache<string, HttpAnswer["headers"]>({ max: MAX_ACCEPTS });

  constructor(
    private readonly engine: Engine,
    private readonly apollo: ApolloHttp,
  ) {}

  /** `body` is the text of a POST. */
  answer(arrival: Arrival, caller: Caller, body: string | undefined): HttpAnswer | Promise<HttpAnswer> {
    const { request, client, isTraced } = arrival;
    const { "content-type": contentType, accept } = request.headers;
    if (body === undefined) return this.#throughApollo(arrival, caller, parametersIn(graphqlSearchOf(request)));
    // Apollo refuses other content types: a web page can make a browser post them.
    if (!isJsonType(contentType)) return this.#throughApollo(arrival, caller, undefined);
    const sharing = new Sharing(client, isTraced ? `traced\n${body}` : body);
    const headers = this.#headers.get(acceptKey(accept));
    const kept = headers && this.engine.answered(caller, sharing);
    if (headers !== undefined && kept !== undefined) return answerOf(kept, headers, accept);
    const parameters = jsonIn(body);
    if (parameters === undefined) return NOT_JSON;
    if (headers === undefined) return this.#throughApollo(arrival, caller, parameters, sharing);
    const run = (operation: ReadRequest): HttpAnswer | Promise<HttpAnswer> => {
      if (operation === undefined) return this.#throughApollo(arrival, caller, parameters);
      const found = this.#find(operation, caller, sharing);
      const result = "text" in found ? found : this.engine.execute(found);
      return result instanceof Promise
        ? result.then((each) => answerOf(each, headers, accept))
        : answerOf(result, headers, accept);
    };
    const operation = arrival.operationIn(parameters);
    return operation instanceof Promise ? operation.then(run) : run(operation);
  }

  /** With `sharing`: the request is one of those whose headers are kept. */
  async #throughApollo(arrival: Arrival, caller: Caller, parameters: unknown, sharing?: Sharing): Promise<HttpAnswer> {
    const { method = "", headers: received } = arrival.request;
    const call = {
      find: async () => this.#find(await arrival.operationIn(parameters), caller, sharing, method),
      execute: (found: FoundOperation) => this.engine.execute(found),
    };
    const request = { method, headers: received, search: graphqlSearchOf(arrival.request), body: parameters };
    const { status: chosen, headers: own, body, passage } = await this.apollo.answer(request, arrival.requestId, call);
    const { operation, result } = passage;
    const status = statusFor(chosen, operation.errorCodes, own["content-type"], received.accept);
    const headers = { "cache-control": "no-store", ...own };
    if (sharing !== undefined && result?.hasRun === true && status === 200 && !this.apollo.hasPlugins)
      this.#headers.set(acceptKey(received.accept), headers);
    return { status, headers, body, operation };
  }

  /** The operation of a request, or its refusal. */
  #find(operation: ReadRequest, caller: Caller, sharing?: Sharing, method = "POST"): FoundOperation | Result {
    if (operation === undefined || operation instanceof GraphQLError)
      return this.engine.results.failed(operation ?? NO_OPERATION, caller);
    // Apollo refuses writes and subscriptions by GET.
    return this.engine.find({ caller, operation, sharing, refuses: method === "POST" ? refusedByPost : undefined });
  }
}

/** Answers with a result in the same way as Apollo. */
function answerOf(result: Result, usual: HttpAnswer["headers"], accept: string | undefined): HttpAnswer {
  const { status, headers } = headOf(result);
  return {
    status: statusFor(status, result.errorCodes, usual["content-type"], accept),
    headers: result.hasRun ? usual : { ...usual, ...headers },
    body: result.text,
    operation: result,
  };
}

const NO_OPERATION = badRequest("The request holds no GraphQL operation.");

const refusedByPost = (kind: OperationTypeNode): GraphQLError | undefined =>
  kind === OperationTypeNode.SUBSCRIPTION ? SUBSCRIPTION : undefined;
/** A query has one answer. A subscription executed as a query would have no event. */
const SUBSCRIPTION = badRequest("Subscriptions go over a WebSocket at /graphql, or as an event stream at /graphql/stream.");

/** A missing header differs from an empty one. */
const acceptKey = (accept: string | undefined): string => (accept === undefined ? "none" : `: ${accept}`);

interface GraphqlRouteOptions {
  readonly answers: GraphqlAnswers;
  readonly log: Logger;
  readonly isStopping: () => boolean;
}

/** Whether this is a request for the GraphQL endpoint. */
export const isForGraphql = ({ url = "" }: IncomingMessage): boolean => url === "/graphql" || url.startsWith("/graphql?");

/** GraphQL over HTTP, on the bare server: a framework's overhead per request exceeds the cost of an answer that is ready. */
export function graphqlRoute(parts: ArrivalParts, { answers, log, isStopping }: GraphqlRouteOptions): RequestListener {
  const { clock, instrumentation, maxBodyBytes } = parts;
  return (request, response) => {
    const arrivedAt = clock.now();
    const arrival = new Arrival(parts, request, "http");
    const { requestId } = arrival;

    const send = (ready: HttpAnswer): void => {
      writeAnswer(response, ready, requestId);
      const ms = clock.now() - arrivedAt;
      const { operation, status, refusalCode } = ready;
      if (instrumentation.answer.hasSubscribers) instrumentation.answer.publish({ operation, status, tookMs: ms });
      // The engine has already published its own refusals.
      arrival.refused(refusalCode);
      logRequest(log, request, requestId, status, ms);
    };
    const fail = (error: unknown): void => {
      log.error({ requestId, err: error }, "unexpected error in a request");
      send(FAILED);
    };
    const reception: RefusalWriter = { refuse: send, fail };
    const answer = (body: string | undefined): void => {
      try {
        const caller = arrival.caller(presenceOf(request.socket));
        const turn = arrival.turn(caller.requester);
        const found =
          turn === undefined ? answers.answer(arrival, caller, body) : turn.then(() => answers.answer(arrival, caller, body));
        if (found instanceof Promise) found.then(send, fail);
        else send(found);
      } catch (error) {
        fail(error);
      }
    };

    // The body is read first: the system resets a connection that is closed with unread bytes, and its client gets no answer.
    if (isStopping()) readBody(request, maxBodyBytes, () => send(STOPPING));
    else
      arrival.admit(reception, () => {
        if (request.method === "POST") arrival.readBody(reception, answer);
        else if (request.method === "GET") answer(undefined);
        else send(OTHER_METHOD);
      });
  };
}

const OTHER_METHOD = methodRefusal("GET", "POST");
const FAILED = refusal(500, "Internal server error");
