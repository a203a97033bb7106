import { randomBytes } from "node:crypto";
import type { BaseContext } from "@apollo/server";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import type { GraphQLSchema } from "graphql";
import type { Clock } from "../clock.js";
import type { Trace } from "../datasources/reads/trace.js";
import { createApollo } from "./apollo.js";
import { graphiql } from "./graphiql.js";
import { type ContextFor, graphqlRoute } from "./graphqlRoute.js";
import { healthRoutes, type Readiness } from "./health.js";
import type { Logger } from "./log.js";
import type { Metrics } from "./metrics/metrics.js";
import { metricsRoute } from "./metrics/metricsRoute.js";
import { refuse } from "./refusals.js";
import { SECURITY_HEADERS } from "./securityHeaders.js";

export interface GatewayOptions<Context extends BaseContext> {
  readonly schema: GraphQLSchema;
  readonly contextFor: ContextFor<Context>;
  /** What was read from the exchange for an operation. */
  readonly traceOf: (context: Context) => Trace;
  readonly readiness: () => Promise<Readiness>;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** May callers ask what the schema is? */
  readonly introspection: boolean;
  /** Where the built GraphiQL page lies. */
  readonly graphiqlFolder: string;
  readonly maxBodyBytes: number;
  /** How long requests under way may take once `stop` was called. */
  readonly shutdownTimeoutMs: number;
}

/** The HTTP server in front of the graph. */
export interface Gateway {
  /** Starts to accept requests and says at which address. Port 0 takes a free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Accepts nothing more, lets requests under way finish until the deadline, then cuts them off. */
  stop(): Promise<void>;
}

/** The time to send a whole request, headers and body. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Composes the server; nothing listens yet. */
export async function createGateway<Context extends BaseContext>(options: GatewayOptions<Context>): Promise<Gateway> {
  const { log, clock, metrics, shutdownTimeoutMs } = options;
  const apollo = createApollo<Context>({ ...options, compiled: true });
  await apollo.start();

  const app = createApp(log, options.maxBodyBytes);
  let stopping = false;
  // A connection that is kept alive past its last answer would hold up the stop.
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (stopping) reply.header("connection", "close");
    done(null, payload);
  });
  refuse(app, options.maxBodyBytes);
  await app.register(graphqlRoute(apollo, options.contextFor, metrics.answers));
  await app.register(healthRoutes(options.readiness, clock));
  await app.register(metricsRoute(metrics.registry));
  await app.register(graphiql(options.graphiqlFolder));

  return {
    listen: (address) => app.listen(address),
    async stop() {
      stopping = true;
      const cancel = clock.after(shutdownTimeoutMs, () => {
        log.warn({ shutdownTimeoutMs }, "requests were cut off: they did not finish in time");
        app.server.closeAllConnections();
      });
      await app.close();
      cancel();
      await apollo.stop();
    },
  };
}

function createApp(log: Logger, maxBodyBytes: number): FastifyInstance {
  const process = randomBytes(6).toString("base64url");
  let count = 0;
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Our own hook below writes one line per request, and no query string, which can hold variables.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    bodyLimit: maxBodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    requestIdHeader: false,
    genReqId: () => `${process}-${(count++).toString(36)}`,
  });
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header("x-request-id", request.id);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { method, url } = request;
    const path = url.split("?", 1)[0];
    log.debug({ requestId: request.id, method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, "request");
    done();
  });
  return app;
}
