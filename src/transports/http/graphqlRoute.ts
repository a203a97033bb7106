import type { IncomingMessage, RequestListener } from "node:http";
import type { Logger } from "pino";
import { presenceOf } from "../../access/principal/presence.js";
import { refusalsIn } from "../../engine/errors/refusalCodes.js";
import { type Answer, refusal, STOPPING } from "../arrival/answer.js";
import { Arrival, type Reception } from "../arrival/arrival.js";
import type { ArrivalParts } from "../arrival/arrivalParts.js";
import { readBody } from "../arrival/requestParts.js";
import type { GraphqlAnswers } from "./graphqlAnswers.js";
import { logRequest } from "./requestLog.js";
import { writeAnswer } from "./writeAnswer.js";

interface GraphqlRouteOptions {
  readonly answers: GraphqlAnswers;
  readonly log: Logger;
  /** Whether the server refuses new requests. */
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

    const send = (ready: Answer): void => {
      writeAnswer(response, ready, requestId);
      const ms = clock.now() - arrivedAt;
      const { operation, status } = ready;
      if (instrumentation.answer.hasSubscribers) instrumentation.answer.publish({ operation, status, tookMs: ms });
      // The engine has already published its own refusals.
      if (operation === undefined || operation.errorCodes.length === 0)
        arrival.refused(refusalsIn(undefined, status), operation?.name);
      logRequest(log, request, requestId, status, ms);
    };
    const fail = (error: unknown): void => {
      log.error({ requestId, err: error }, "unexpected error in a request");
      send(FAILED);
    };
    const reception: Reception = { refuse: send, fail };
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
        else answer(undefined);
      });
  };
}

const FAILED = refusal(500, "Internal server error");
