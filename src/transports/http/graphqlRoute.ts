import type { IncomingMessage, RequestListener } from "node:http";
import type { Clock } from "@exchange-graph/contract/clock";
import type { Logger } from "pino";
import { ClientRequester, clientOf } from "../../access/clientRequester.js";
import type { Clients } from "../../access/clients.js";
import { bearerOf } from "../../access/principal/bearer.js";
import type { ClientPrincipal } from "../../access/principal/clientPrincipal.js";
import { presenceOf } from "../../access/principal/presence.js";
import { traceContextOf } from "../../access/principal/traceContext.js";
import { Fault, type Requester } from "../../datasources/index.js";
import { refusalsIn } from "../../engine/errors/refusalCodes.js";
import type { Origin } from "../../instrumentation/events.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { type Answer, bodyTooLong, refusal, STOPPING } from "./answer.js";
import { readBody } from "./requestBody.js";
import { logRequest } from "./requestLog.js";
import { refusedAs } from "./unauthenticatedAnswer.js";
import { writeAnswer } from "./writeAnswer.js";

interface GraphqlRouteOptions {
  /** Answers a request; `body` is the text of a POST. */
  readonly answer: (
    request: IncomingMessage,
    principal: ClientPrincipal,
    requester: Requester,
    originOf: () => Origin,
    body: string | undefined,
  ) => Answer | Promise<Answer>;
  /** Undefined if a request of the client may be answered at once; otherwise resolves when it may. */
  readonly begin: (requester: Requester) => Promise<void> | undefined;
  readonly clients: Clients;
  readonly log: Logger;
  readonly instrumentation: Instrumentation;
  readonly clock: Clock;
  readonly maxBodyBytes: number;
  readonly nextRequestId: () => string;
  /** Whether the server refuses new requests. */
  readonly isStopping: () => boolean;
}

/** Whether this is a request for the GraphQL endpoint. */
export const isForGraphql = ({ url = "" }: IncomingMessage): boolean => url === "/graphql" || url.startsWith("/graphql?");

/** GraphQL over HTTP, on the bare server: a framework's overhead per request exceeds the cost of an answer that is ready. */
export function graphqlRoute(options: GraphqlRouteOptions): RequestListener {
  const { answer, begin, clients, log, instrumentation, clock, maxBodyBytes, nextRequestId, isStopping } = options;
  const tooLong = bodyTooLong(maxBodyBytes);

  return (request, response) => {
    const arrivedAt = clock.now();
    const requestId = nextRequestId();
    let who: string | null = null;
    let origin: Origin | undefined;
    const newOrigin = (): Origin => {
      const address = request.socket.remoteAddress;
      const { traceparent } = traceContextOf(request);
      return { who, address, over: "http", requestId, traceparent };
    };
    const originOf = (): Origin => {
      origin ??= newOrigin();
      return origin;
    };

    const send = (ready: Answer): void => {
      writeAnswer(response, ready, requestId, ready === tooLong);
      const ms = clock.now() - arrivedAt;
      const { operation, status } = ready;
      if (instrumentation.answer.hasSubscribers) instrumentation.answer.publish({ operation, status, tookMs: ms });
      // The engine has already published its own refusals.
      const refusals = (operation?.errorCodes.length ?? 0) > 0 ? [] : refusalsIn(undefined, status);
      if (refusals.length > 0) {
        instrumentation.refusal.publish({ origin: originOf(), operation: operation?.name, codes: refusals });
      }
      logRequest(log, request, requestId, status, ms);
    };
    const fail = (error: unknown): void => {
      log.error({ requestId, err: error }, "unexpected error in a request");
      send(FAILED);
    };
    const find = (principal: ClientPrincipal, body: string | undefined): void => {
      try {
        const { socket } = request;
        const client = clientOf(principal, socket.remoteAddress);
        const requester = new ClientRequester(clients, token, principal, client, presenceOf(socket));
        const turn = begin(requester);
        const found =
          turn === undefined
            ? answer(request, principal, requester, originOf, body)
            : turn.then(() => answer(request, principal, requester, originOf, body));
        if (found instanceof Promise) found.then(send, fail);
        else send(found);
      } catch (error) {
        fail(error);
      }
    };

    const token = bearerOf(request.headers.authorization);
    const identify = (then: (principal: ClientPrincipal) => void): void => {
      const take = (principal: ClientPrincipal | Fault): void => {
        if (principal instanceof Fault) {
          send(refusedAs(principal));
          return;
        }
        who = principal.id;
        then(principal);
      };
      const identified = clients.identify(token);
      if (identified instanceof Promise) identified.then(take, fail);
      else take(identified);
    };

    if (isStopping()) {
      // The body is read first: the system resets a connection that is closed with unread bytes, and its client gets no answer.
      readBody(request, maxBodyBytes, () => send(STOPPING));
      return;
    }
    identify((sender) => {
      if (request.method !== "POST") find(sender, undefined);
      else
        readBody(request, maxBodyBytes, (body) => {
          if (body === undefined) send(tooLong);
          // The client is identified again after the body, which may have taken long to arrive: its current rights apply.
          else identify((principal) => find(principal, body));
        });
    });
  };
}

const FAILED = refusal(500, "Internal server error");
