import { randomBytes } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import { type Clients, NO_CLIENTS } from "./access/clients.js";
import { ClientBudgets } from "./access/quotas/clientBudgets.js";
import { ConnectionQuota, type OpenConnectionStore } from "./access/quotas/connectionQuota.js";
import type { QuotaStore } from "./access/quotas/quotaStore.js";
import type { TlsMaterial } from "./config/tls.js";
import { inTime } from "./datasources/errors/index.js";
import type { ExternalStore } from "./datasources/reads/index.js";
import { OperationCosts } from "./engine/cost/operationCosts.js";
import { documentPolicy } from "./engine/documents/documentPolicy.js";
import type { TrustedDocuments } from "./engine/documents/trustedDocuments.js";
import { Engine } from "./engine/engine.js";
import type { EngineOptions } from "./engine/engineOptions.js";
import { Load, LoopDelay } from "./engine/load/load.js";
import { type LimitOverrides, limitsWith } from "./limits.js";
import type { EstimateState } from "./schema/cost.js";
import type { Logger } from "./telemetry/logs/log.js";
import { listenerState } from "./telemetry/metrics/gatewayState.js";
import type { Metrics } from "./telemetry/metrics/metrics.js";
import { type ArrivalParts, Shedding } from "./transports/arrival/arrivalParts.js";
import { AllowedHosts, AllowedOrigins } from "./transports/arrival/hostsAndOrigins.js";
import { ApolloHttp, type ApolloPlugin } from "./transports/http/apollo/apolloServer.js";
import { appOn } from "./transports/http/app.js";
import { brokenRequests } from "./transports/http/brokenRequests.js";
import { limitConnections, timeoutsOf } from "./transports/http/connectionLimits.js";
import { docs } from "./transports/http/docs.js";
import { isForExport } from "./transports/http/exports/exportRequest.js";
import { ExportRoute, type OpenExports } from "./transports/http/exports/exportRoute.js";
import { GraphqlAnswers, graphqlRoute, isForGraphql } from "./transports/http/graphqlRoute.js";
import { type Health, healthRoutes } from "./transports/http/health.js";
import { nothingForBrowsers, refuse } from "./transports/http/httpErrors.js";
import { createHttpServer, renewTls, stopListening } from "./transports/http/httpServer.js";
import { listenAt } from "./transports/http/listen.js";
import { metricsRoute } from "./transports/http/metricsRoute.js";
import { type MonitoringAddress, MonitoringServer } from "./transports/http/monitoringServer.js";
import { OpenConnections } from "./transports/http/openConnections.js";
import { desk, graphiql, toGraphiql } from "./transports/http/pages.js";
import { logRequest } from "./transports/http/writeAnswer.js";
import { EventStreams } from "./transports/sse/eventStreams.js";
import { isForEventStream } from "./transports/sse/streamRequest.js";
import { serveSockets } from "./transports/websocket/socketServer.js";

interface GatewayOptions
  extends Pick<EngineOptions, "schema" | "contextFor" | "audit" | "instrumentation" | "recorder" | "clock"> {
  /** Authenticates clients. Default: every request has all scopes. */
  readonly clients?: Clients;
  /** Quotas of clients. Default: those of this process alone. */
  readonly quotas?: QuotaStore | undefined;
  /** Open connections of clients at other replicas. Default: none. */
  readonly openConnections?: OpenConnectionStore | undefined;
  readonly readiness: Health["readiness"];
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly introspection: boolean;
  /** Whether errors suggest names of the schema. Default: as `introspection`. */
  readonly suggestions?: boolean;
  /** The trusted documents. Default: any document is allowed. */
  readonly trusted?: TrustedDocuments | undefined;
  /** Keeps persisted queries beyond this process. Default: none. */
  readonly externalStore?: ExternalStore | undefined;
  readonly limits?: LimitOverrides;
  /** Other origins whose pages may use this server from a browser. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** Allowed host names besides loopback names. Default: any. */
  readonly hosts?: readonly string[] | undefined;
  /** Further plugins of Apollo Server, which then sees every request over HTTP. Default: none. */
  readonly plugins?: readonly ApolloPlugin[];
  /** Opens exports. Default: nothing is exported, and there is no `/export`. */
  readonly openExport?: OpenExports;
  /** State of the gateway that cost estimates depend on. */
  readonly outlook: EstimateState;
  /** Certificate and key of TLS. Default: plain HTTP. */
  readonly tls?: TlsMaterial | undefined;
  /** Separate address of metrics and health checks. Default: `/metrics` is on the main port. */
  readonly monitoring?: MonitoringAddress | undefined;
  /** Delay of the event loop, in ms. Default: measured. */
  readonly loopDelay?: { readonly ms: number };
  readonly graphiqlFolder: string;
  /** Folder of the built desk. Default: none, and `/` redirects to GraphiQL. */
  readonly deskFolder?: string;
  /** Folder of the built documentation. Default: none, and there is no `/docs`. */
  readonly docsFolder?: string;
  readonly maxBodyBytes: number;
  /** Time for running requests to finish after `stop` was called, in ms. */
  readonly shutdownTimeoutMs: number;
  /** Time before that in which requests are still served while `/readyz` is not ready, in ms. Default: 0. */
  readonly shutdownDelayMs?: number;
  /** Maximum time after it in which requests on connections that clients keep open are answered with 503, in ms. Default: 0. */
  readonly keptConnectionsMs?: number;
}

export interface Gateway {
  /** Starts listening and returns the address. Port 0 takes a free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Uses this certificate for new connections; only if TLS is on. */
  renewTls(material: TlsMaterial): void;
  /** The accounts have changed: drops all kept results. */
  accountsChanged(): void;
  /** Stops accepting requests, lets running ones finish until the deadline, then closes their connections. */
  stop(): Promise<void>;
}

/** Composes the server without listening. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { log, instrumentation, clock, metrics, shutdownTimeoutMs, clients = NO_CLIENTS } = options;
  const { shutdownDelayMs = 0, keptConnectionsMs = 0 } = options;
  const limits = limitsWith(options.limits);
  const policy = documentPolicy({ ...options, store: options.externalStore, limits: limits.document });
  const budgets = new ClientBudgets(limits.principal, clock, options.quotas);
  const ownDelay = options.loopDelay === undefined ? new LoopDelay(clock) : undefined;
  const load = new Load(limits.load, options.loopDelay ?? ownDelay ?? { ms: 0 });
  const engine = new Engine({
    ...{ ...options, budgets, documents: policy },
    costs: new OperationCosts({ ...options, budgets, load, limits: limits.cost, listItems: limits.document.listItems }),
  });
  const apollo = new ApolloHttp({ ...options, policy });
  await apollo.start();

  let leaving = false;
  let stopping = false;
  const nextRequestId = requestIds();
  const origins = new AllowedOrigins(options.corsOrigins ?? []);
  const names = new AllowedHosts(options.hosts);
  const shedding = new Shedding();
  const connectionQuota = new ConnectionQuota(limits.socket.connectionsPerClient, options.openConnections);
  const { maxBodyBytes } = options;
  const parts: ArrivalParts = {
    ...{ engine, clients, connectionQuota, clock, instrumentation },
    ...{ nextRequestId, origins, names, shedding, maxBodyBytes },
  };
  const answers = new GraphqlAnswers(engine, apollo);
  const graphql = graphqlRoute(parts, { answers, log, isStopping: () => stopping });
  const exports = options.openExport && new ExportRoute(parts, { open: options.openExport, budgets });
  const server = createHttpServer(timeoutsOf(limits.connection), options.tls);
  limitConnections(server, limits.connection);
  const connections = new OpenConnections(server);
  const routeOf = (request: IncomingMessage): RequestListener | undefined => {
    if (isForGraphql(request)) return graphql;
    if (isForEventStream(request)) return (...opened) => streams.serve(...opened);
    return exports !== undefined && isForExport(request) ? (...args) => exports.serve(...args) : undefined;
  };
  const broken = brokenRequests(connections, shedding);
  // In front of the pages are the routes that need no framework.
  const app = appOn(
    server,
    { log, maxBodyBytes, nextRequestId, broken, names, instrumentation },
    (pages) => (request, response) => {
      const route = routeOf(request);
      if (route === undefined) pages(request, response);
      else if (!origins.admit(request, response)) route(request, response);
    },
  );
  app.addHook("onResponse", (request, reply, done) => {
    logRequest(log, request, request.id, reply.statusCode, reply.elapsedTime);
    done();
  });
  refuse(app, maxBodyBytes, nothingForBrowsers(options.docsFolder !== undefined));
  const health: Health = { readiness: options.readiness, isStopping: () => leaving, clients };
  await app.register(healthRoutes(health));
  const monitoring =
    options.monitoring && new MonitoringServer({ ...options, address: options.monitoring, health, nextRequestId });
  if (monitoring === undefined) await app.register(metricsRoute(metrics, clients, instrumentation));
  await app.register(graphiql(options.graphiqlFolder));
  await app.register(options.deskFolder === undefined ? toGraphiql : desk(options.deskFolder));
  if (options.docsFolder !== undefined) await app.register(docs(options.docsFolder));

  const failed = (error: unknown) => instrumentation.connectionFailure.publish(error);
  const sockets = serveSockets(server, parts, limits.socket, failed);
  const streams = new EventStreams(parts, limits.socket, failed);
  listenerState(metrics.registry, engine.fanOut, () => sockets.connections + streams.open);

  return {
    listen: async ({ host, port }) => {
      await monitoring?.listen();
      // Fastify did not create the server, and assumes plain HTTP.
      const shown = (url: string) => (options.tls === undefined ? url : url.replace(/^http:/, "https:"));
      const address = { host, port, settings: { host: "HOST", port: "PORT" } };
      return shown(await listenAt(app, address, (url) => `Server listening at ${shown(url)}`));
    },
    renewTls: (material) => renewTls(server, material),
    accountsChanged: () => engine.written(),
    async stop() {
      leaving = true;
      connections.leave();
      // After the delay, health checks have seen that it is not ready, and no proxy sends further requests.
      if (shutdownDelayMs > 0) await new Promise<void>((over) => clock.after(shutdownDelayMs, over));
      stopping = true;
      exports?.close();
      ownDelay?.close();
      const cancel = clock.after(shutdownTimeoutMs, () => {
        log.warn({ shutdownTimeoutMs }, "requests were cut off: they did not finish in time");
        connections.destroy();
      });
      clients.close();
      const closed = stopListening(server);
      streams.close();
      await sockets.close();
      // A client that sends at this moment gets an answer rather than a reset.
      if (keptConnectionsMs > 0) await inTime(clock, connections.noneKept(), keptConnectionsMs);
      connections.closeKept();
      await app.close();
      await closed;
      cancel();
      await apollo.stop();
      await monitoring?.close();
    },
  };
}

function requestIds(): () => string {
  const process = randomBytes(6).toString("base64url");
  let count = 0;
  return () => `${process}-${(count++).toString(36)}`;
}
