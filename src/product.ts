import type { GraphQLSchema } from "graphql";
import { createExchange, type Exchange, type ExchangeSettings, type Requester } from "./datasources/index.js";
import { createStreams, type Streams, type StreamsSettings } from "./datasources/streams/index.js";
import { createContext, type MutationAuthor, outlookOver, type Principal, type RequestContext } from "./resolvers/index.js";
import type { Outlook } from "./schema/cost.js";

/** The product below its transports: the exchange, its streams, and the graph over both. */
export interface Product {
  readonly exchange: Exchange;
  /** `undefined` without an address of streams. */
  readonly streams: Streams | undefined;
  /** What an engine executes operations with. */
  readonly graph: {
    readonly schema: GraphQLSchema;
    readonly outlook: Outlook;
    contextFor(principal: Principal, author?: MutationAuthor, requester?: Requester): RequestContext;
    traceOf(context: RequestContext): RequestContext["reads"]["trace"];
  };
  /** Resolves when the journal can take writes, and what became of unsettled ones is being asked. */
  start(): Promise<void>;
}

interface ProductSettings {
  readonly exchange: ExchangeSettings;
  /** Default: none, without an address. */
  readonly streams: Omit<StreamsSettings, "exchange"> | undefined;
  readonly schema: GraphQLSchema;
}

/**
 * Composes the product from its settings and ports: one process, a replica and a simulated process differ in these alone. Nothing is
 * sent before `start`.
 */
export function createProduct({ schema, ...settings }: ProductSettings): Product {
  const exchange = createExchange(settings.exchange);
  const streams = settings.streams && createStreams({ ...settings.streams, exchange });
  return {
    exchange,
    streams,
    graph: {
      schema,
      outlook: outlookOver(exchange, streams),
      contextFor: (principal, ...asking) => createContext(exchange, principal, streams, ...asking),
      traceOf: ({ reads }) => reads.trace,
    },
    async start() {
      await exchange.writes.journal.ready();
      await exchange.writes.writer.resume();
    },
  };
}
