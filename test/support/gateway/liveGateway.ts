import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "graphql-ws";
import { WebSocket } from "ws";
import { createGateway, type Gateway } from "../../../src/gateway.js";
import { createContext, estimateStateOver } from "../../../src/resolvers/index.js";
import type { Metrics } from "../../../src/telemetry/metrics/metrics.js";
import { type StreamedSandbox, streamedSandbox } from "../../datasources/streams/support/streamedSandbox.js";
import { graph } from "../graph.js";
import { type SearchedTelemetry, searchedTelemetry } from "../searchedTelemetry.js";
import { readyWith } from "./ready.js";

/** A subscription as its client receives it. */
export interface Received {
  readonly events: ReceivedEvent[];
  end: "open" | "complete" | { readonly errors: unknown };
  readonly last: ReceivedEvent;
  leave(): void;
}

export interface ReceivedEvent {
  // biome-ignore lint/suspicious/noExplicitAny: the fields depend on each test's query, and its assertions check them
  readonly data: any;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
  readonly extensions?: {
    readonly stream?: { readonly kind: "snapshot" | "update"; readonly time: string; readonly stale: boolean };
    readonly missed?: number;
  };
}

/** The whole gateway in front of the sandbox's sockets, on a manual clock. */
export interface LiveGateway extends StreamedSandbox {
  readonly url: string;
  readonly metrics: Metrics;
  /** A client with a separate socket. */
  client(): Client;
  /** Subscribes through a client. */
  subscribe(client: Client, query: string, variables?: Record<string, unknown>): Received;
  /** The metrics' counts of what is open for subscribers. */
  open(): Promise<Readonly<Record<string, number>>>;
  /** Sends a query over HTTP and advances the clock until the response arrives. */
  ask(
    query: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ReceivedEvent & { readonly extensions: { readonly exchange: unknown } }>;
}

export const wsUrlOf = (url: string): string => `${url.replace("http", "ws")}/graphql`;

/** The gateway over its data sources, not yet listening. */
export const gatewayOver = ({
  exchange,
  streams,
  clock,
  telemetry,
}: Pick<StreamedSandbox, "exchange" | "streams" | "clock"> & { readonly telemetry: SearchedTelemetry }): Promise<Gateway> =>
  createGateway({
    schema: graph,
    contextFor: (principal, ...asking) => createContext(exchange, principal, streams, ...asking),
    outlook: estimateStateOver(exchange, streams),
    readiness: readyWith(),
    ...telemetry,
    clock,
    loopDelay: { ms: 0 },
    introspection: true,
    graphiqlFolder: fileURLToPath(new URL("./page", import.meta.url)),
    maxBodyBytes: 65_536,
    shutdownTimeoutMs: 5_000,
  });

/** Starts the gateway. Close the clients before the gateway, or let `close` do both. */
export async function liveGateway(...streamed: Parameters<typeof streamedSandbox>): Promise<LiveGateway> {
  const world = await streamedSandbox(...streamed);
  const { exchange, streams, clock, instrumentation } = world;
  const telemetry = searchedTelemetry(undefined, { instrumentation });
  const { metrics } = telemetry;
  metrics.watch(exchange, streams);
  const gateway = await gatewayOver({ exchange, streams, clock, telemetry });
  const url = await gateway.listen({ host: "127.0.0.1", port: 0 });
  const clients: Client[] = [];
  return {
    ...world,
    url,
    metrics,
    client() {
      const client = createClient({ url: wsUrlOf(url), webSocketImpl: WebSocket, retryAttempts: 0, lazy: true });
      clients.push(client);
      return client;
    },
    subscribe: (client, query, variables) => receivedFrom(client, query, variables),
    async open() {
      const gauge = await metrics.registry.getSingleMetric("exchange_graph_subscriptions")?.get();
      return Object.fromEntries((gauge?.values ?? []).map(({ labels, value }) => [String(labels.what), value]));
    },
    async ask(query, headers = {}) {
      let isOver = false;
      const answer = fetch(`${url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ query }),
      })
        .then((response) => response.json())
        .finally(() => {
          isOver = true;
        });
      await world.until(() => isOver);
      return answer;
    },
    async close() {
      for (const client of clients) await client.dispose();
      await gateway.stop();
      await world.close();
    },
  };
}

function receivedFrom(client: Client, query: string, variables?: Record<string, unknown>): Received {
  const events: ReceivedEvent[] = [];
  const received: Received = {
    events,
    end: "open",
    get last() {
      const last = events.at(-1);
      if (last === undefined) throw new Error("nothing was received");
      return last;
    },
    leave: client.subscribe(
      { query, ...(variables === undefined ? {} : { variables }) },
      {
        next: (event) => events.push(JSON.parse(JSON.stringify(event))),
        error: (errors) => {
          received.end = { errors };
        },
        complete: () => {
          if (received.end === "open") received.end = "complete";
        },
      },
    ),
  };
  return received;
}

/** The WebSocket of a raw client, so that a test can stop reading from it. */
export const connectionOf = (socket: WebSocket): Socket => Reflect.get(socket, "_socket") as Socket;
