import { fileURLToPath } from "node:url";
import { type Clock, systemClock } from "@exchange-graph/contract/clock";
import type { Clients } from "../../../src/access/clients.js";
import type { TlsMaterial } from "../../../src/config/tls.js";
import { Trace } from "../../../src/datasources/reads/reader/trace.js";
import type { ExternalStore } from "../../../src/datasources/reads/store/externalStore.js";
import type { TrustedDocuments } from "../../../src/engine/documents/trustedDocuments.js";
import { createGateway, type Gateway } from "../../../src/gateway.js";
import type { LimitOverrides } from "../../../src/limits.js";
import type { ApolloPlugin } from "../../../src/transports/http/apollo/apolloServer.js";
import type { Health } from "../../../src/transports/http/health.js";
import type { MonitoringAddress } from "../../../src/transports/http/monitoringServer.js";
import { searchedTelemetry } from "../searchedTelemetry.js";
import { unknownOutlook } from "../unknownOutlook.js";
import { readyWith } from "./ready.js";
import { type TinyContext, tinyGraph } from "./tinyGraph.js";

export interface TinyGateway {
  readonly gateway: Gateway;
  /** For example `http://127.0.0.1:43210`. */
  readonly url: string;
  readonly counts: TinyContext["counts"];
  /** Every line of the log, as text. */
  readonly lines: string[];
}

/** A gateway over the tiny graph on a free port, with a page in place of the built GraphiQL. */
export async function tinyGateway(
  options: {
    readonly readiness?: Health["readiness"];
    /** The promise that the field `slow` waits for. */
    readonly gate?: () => Promise<void>;
    readonly clock?: Clock;
    readonly introspection?: boolean;
    readonly graphiqlFolder?: string;
    readonly docsFolder?: string;
    readonly deskFolder?: string;
    readonly trace?: Trace;
    readonly plugins?: readonly ApolloPlugin[];
    readonly limits?: LimitOverrides;
    readonly loopDelay?: { readonly ms: number };
    readonly suggestions?: boolean;
    readonly trusted?: TrustedDocuments;
    readonly externalStore?: ExternalStore;
    readonly corsOrigins?: readonly string[];
    readonly hosts?: readonly string[];
    readonly tls?: TlsMaterial;
    readonly clients?: Clients;
    readonly monitoring?: MonitoringAddress;
    readonly shutdownDelayMs?: number;
    readonly keptConnectionsMs?: number;
  } = {},
): Promise<TinyGateway> {
  const counts = { reads: 0 };
  const lines: string[] = [];
  const gateway = await createGateway({
    schema: tinyGraph(),
    outlook: unknownOutlook(),
    ...searchedTelemetry(lines),
    contextFor: ({ id: principal }): TinyContext => ({
      principal,
      counts,
      gate: options.gate?.() ?? Promise.resolve(),
      reads: { trace: options.trace ?? new Trace() },
    }),
    readiness: readyWith(),
    clock: systemClock,
    loopDelay: { ms: 0 },
    introspection: true,
    graphiqlFolder: fileURLToPath(new URL("./page", import.meta.url)),
    maxBodyBytes: 2_048,
    shutdownTimeoutMs: 5_000,
    ...options,
  });
  const url = await gateway.listen({ host: "127.0.0.1", port: 0 });
  return { gateway, url, counts, lines };
}

/** One POST of JSON to `/graphql`. */
export const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
