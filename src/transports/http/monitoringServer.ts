import type { Clock } from "@exchange-graph/contract/clock";
import type { Logger } from "pino";
import { NO_CLIENTS } from "../../access/clients.js";
import { isLoopback } from "../../config/loopback.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { AllowedHosts } from "../arrival/hostsAndOrigins.js";
import { appOn } from "./app.js";
import { CONNECTION_LIMITS, limitConnections, timeoutsOf } from "./connectionLimits.js";
import { type Health, healthRoutes } from "./health.js";
import { refuse } from "./httpErrors.js";
import { createHttpServer } from "./httpServer.js";
import { listenAt } from "./listen.js";
import { type MetricsText, metricsRoute } from "./metricsRoute.js";
import { OpenConnections } from "./openConnections.js";

/** The separate address of metrics and health checks. */
export interface MonitoringAddress {
  readonly host: string;
  readonly port: number;
}

interface MonitoringOptions {
  readonly address: MonitoringAddress;
  readonly metrics: MetricsText;
  readonly health: Health;
  readonly instrumentation: Instrumentation;
  readonly clock: Clock;
  readonly log: Logger;
  readonly nextRequestId: () => string;
}

/** Maximum number of connections; scrapers and health checks need few. */
const CONNECTIONS = 100;
/** Requests have no body. */
const MAX_BODY_BYTES = 1_024;
/** Longer than a health check takes. */
const CLOSING_MS = 3_000;

/**
 * `/metrics`, `/healthz` and `/readyz` on a port of their own, over plain HTTP and without a token: the network has to restrict
 * access to it. On a loopback address, only requests with a loopback name in `Host` are answered, so that web pages cannot reach
 * it.
 */
export class MonitoringServer {
  readonly #app;
  readonly #connections: OpenConnections;
  readonly #address: MonitoringAddress;
  readonly #clock: Clock;

  constructor({ address, metrics, health, instrumentation, clock, log, nextRequestId }: MonitoringOptions) {
    const limits = { ...CONNECTION_LIMITS, connections: CONNECTIONS, connectionsPerAddress: CONNECTIONS };
    const server = createHttpServer(timeoutsOf(limits));
    limitConnections(server, limits);
    const names = new AllowedHosts(isLoopback(address.host) ? [] : undefined);
    this.#connections = new OpenConnections(server);
    this.#address = address;
    this.#clock = clock;
    this.#app = appOn(server, { log, maxBodyBytes: MAX_BODY_BYTES, nextRequestId, names, instrumentation });
    refuse(this.#app, MAX_BODY_BYTES);
    this.#app.register(healthRoutes(health));
    this.#app.register(metricsRoute(metrics, NO_CLIENTS, instrumentation));
  }

  /** Starts listening and returns the address. Port 0 takes a free one. */
  listen(): Promise<string> {
    const address = { ...this.#address, settings: { host: "METRICS_HOST", port: "METRICS_PORT" } };
    return listenAt(this.#app, address, (url) => `Metrics and health checks at ${url}`);
  }

  async close(): Promise<void> {
    const cancel = this.#clock.after(CLOSING_MS, () => this.#connections.destroy());
    this.#connections.closeKept();
    await this.#app.close();
    cancel();
  }
}
