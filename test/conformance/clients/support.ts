import { type Client, createClient } from "@exchange-graph/client";
import { type IntrospectionQuery, introspectionFromSchema } from "graphql";
import { afterAll, afterEach, beforeEach, type MockInstance, vi } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { createStreams } from "../../../src/datasources/streams/index.js";
import { startLiveGraph } from "../../resolvers/support/liveGraph.js";
import { quietTurn } from "../../support/eventually.js";
import { gatewayOver } from "../../support/gateway/liveGateway.js";
import { graph } from "../../support/graph.js";
import { searchedTelemetry } from "../../support/searchedTelemetry.js";

/** The schema as the gateway's introspection returns it. */
export const INTROSPECTION: IntrospectionQuery = introspectionFromSchema(graph);

/** The server for third-party clients: the whole gateway over a sandbox with past activity. */
export interface ClientWorld {
  readonly url: string;
  /** The client of `@exchange-graph/client`; the clock advances until each response arrives. */
  readonly client: Client;
  /** Number of requests sent. */
  requests(): number;
  /** Advances the clock until a condition holds. */
  until(holds: () => boolean): Promise<void>;
}

/** Starts it, for all tests of a file. */
export async function clientWorld(): Promise<ClientWorld> {
  const live = await startLiveGraph({ hasLimits: false });
  const { exchange, clock, sandbox } = live;
  const telemetry = searchedTelemetry();
  const streams = createStreams({
    exchange,
    wsUrl: new URL(sandbox.wsUrl),
    clock,
    random: () => 0,
    instrumentation: telemetry.instrumentation,
  });
  const gateway = await gatewayOver({ exchange, streams, clock, telemetry });
  const url = await gateway.listen({ host: "127.0.0.1", port: 0 });
  let requests = 0;
  const client = createClient({
    url: `${url}/graphql`,
    webSocket: WebSocket,
    fetch(...asked) {
      requests += 1;
      return live.while(fetch(...asked));
    },
  });
  afterAll(async () => {
    client.dispose();
    await gateway.stop();
    await streams.close();
    await live.close();
  });
  return {
    url,
    client,
    requests: () => requests,
    async until(holds) {
      for (let steps = 0; !holds(); steps++) {
        if (steps > 5_000) throw new Error(`it did not come to hold: ${holds.toString()}`);
        await quietTurn();
        clock.advance(5);
      }
    },
  };
}

/** What each test of a file writes to the console. */
export function printedLines(): readonly unknown[] {
  const lines: unknown[] = [];
  let spies: readonly MockInstance[] = [];
  beforeEach(() => {
    lines.length = 0;
    spies = (["debug", "log", "info", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void lines.push(...words)),
    );
  });
  afterEach(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return lines;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

/** Whether a value contains an object with an identifier. */
export const hasIdInside = (value: unknown): boolean =>
  isObject(value) && ("id" in value || Object.values(value).some(hasIdInside));

/** All paths of a result. */
export function placesIn(value: unknown, path = "", found = new Set<string>()): Set<string> {
  found.add(path);
  if (isObject(value))
    for (const [key, inner] of Object.entries(value)) if (key !== "__typename") placesIn(inner, `${path}.${key}`, found);
  return found;
}

const ticker = z.object({ ticker: z.object({ id: z.string(), lastPrice: z.string() }) });
const tickerEvent = z.object({ ticker });
/** The ticker of a query result. */
export const tickerIn = (data: unknown) => ticker.parse(data).ticker;
/** The ticker of a subscription event. */
export const tickerPushed = (data: unknown) => tickerIn(tickerEvent.parse(data).ticker);

const placed = z.object({ placeOrder: z.object({ order: z.object({ id: z.string(), orderId: z.string() }) }) });
/** The order that was placed. */
export const orderIn = (data: unknown) => placed.parse(data).placeOrder.order;

const overview = z.object({
  main: z.object({
    positionHistory: z.object({ edges: z.array(z.unknown()), pageInfo: z.object({ endCursor: z.string() }) }),
  }),
});
/** Closed positions in the overview. */
export const historyIn = (data: unknown) => overview.parse(data).main.positionHistory;
