import type { RequestListener, Server } from "node:http";
import { type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions, fastify, LogController } from "fastify";
import type { Logger } from "pino";
import { refusal, SECURITY_HEADERS } from "../arrival/answer.js";
import type { ArrivalParts } from "../arrival/arrivalParts.js";
import { onlyServed, writeAnswer } from "./writeAnswer.js";

const UNREADABLE = refusal(400, "The request could not be read.");

interface AppOptions extends Pick<ArrivalParts, "maxBodyBytes" | "nextRequestId" | "names" | "instrumentation"> {
  readonly log: Logger;
  /** Answers what cannot be read as a request. Default: Fastify's answer. */
  readonly broken?: FastifyServerOptions["clientErrorHandler"];
}

/**
 * A Fastify app on a server. `before` gets the listener of its routes, and returns that of all requests. It logs no request: its line
 * would have the query string, which can contain variables.
 */
export function appOn(
  server: Server,
  { log, maxBodyBytes, nextRequestId, names, instrumentation, broken }: AppOptions,
  before: (routes: RequestListener) => RequestListener = (routes) => routes,
): FastifyInstance {
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    bodyLimit: maxBodyBytes,
    requestIdHeader: false,
    genReqId: nextRequestId,
    // The router refuses some paths before any hook.
    frameworkErrors: (_, request, reply) => {
      writeAnswer(reply.raw, UNREADABLE, request.id);
    },
    ...(broken && { clientErrorHandler: broken }),
    serverFactory: (routes) => server.on("request", onlyServed(names, instrumentation, nextRequestId, before(routes))),
  });
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header("x-request-id", request.id);
    done();
  });
  return app;
}
