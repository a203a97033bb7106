import { type Clock, systemClock } from "@exchange-graph/contract/clock";
import type { GraphQLSchema } from "graphql";
import { gatewayFor } from "./datasources/calls/index.js";
import {
  Backfill,
  BalanceRecords,
  Curves,
  DailyReconciler,
  type OpenHistoryStore,
  Recorder,
  type RecorderSettings,
} from "./datasources/history/index.js";
import {
  createDataSource,
  type DataSource,
  type ExchangeSettings,
  type Requester,
  RequestReads,
  realmOf,
} from "./datasources/index.js";
import { createStreams, type Streams, type StreamsSettings } from "./datasources/streams/index.js";
import { cancelOpenOrdersOfUser, RequestWrites } from "./datasources/writes/index.js";
import { type ExportClient, type ExportQuery, type OpenExport, openExport } from "./exports/index.js";
import { createContext, estimateStateOver, type MutationAuthor, type Principal, type RequestContext } from "./resolvers/index.js";
import type { EstimateState } from "./schema/cost.js";

/** The product below its transports: the exchange, its streams, and the graph over both. */
export interface Product {
  readonly exchange: DataSource;
  /** `undefined` without an address of streams. */
  readonly streams: Streams | undefined;
  /** What an engine executes operations with. */
  readonly graph: {
    readonly schema: GraphQLSchema;
    readonly outlook: EstimateState;
    contextFor(principal: Principal, author?: MutationAuthor, requester?: Requester): RequestContext;
  };
  /** Opens an export for a client; its reads are made for `requester`. Rejects with `Fault`. */
  openExport(query: ExportQuery, client: ExportingClient): Promise<OpenExport>;
  /** Resolves when the journal can record writes, and the look-up of unsettled ones has begun. */
  start(): Promise<void>;
  /** Stops recording: another process may record at once. Before streams and exchange are closed. */
  stopRecording(): Promise<void>;
}

/** Where the worth of accounts is recorded. */
interface HistorySettings {
  readonly open: OpenHistoryStore;
  readonly recorder: RecorderSettings;
  /** Distinguishes this process from the others that share the store. */
  readonly holder: string;
}

interface ProductSettings {
  readonly exchange: ExchangeSettings;
  /** Default: none, without an address. */
  readonly streams: Omit<StreamsSettings, "exchange"> | undefined;
  /** Default: nothing is recorded. */
  readonly history?: HistorySettings | undefined;
  readonly schema: GraphQLSchema;
}

type ExportingClient = Omit<ExportClient, "newContext"> & { readonly principal: Principal; readonly requester: Requester };

/** Reads of the gateway itself that no client waits for. */
const HISTORY = gatewayFor({ client: "(history)", weight: 1 });
/** Maximum wait for a slot of each of them. */
const PATIENCE_MS = 60_000;

/**
 * Composes the product from its settings and ports: one process, a replica and a simulated process differ in these alone. Nothing is
 * sent before `start`.
 */
export function createProduct({ schema, ...settings }: ProductSettings): Product {
  const exchange = createDataSource(settings.exchange);
  const streams = settings.streams && createStreams({ ...settings.streams, exchange });
  const clock = settings.exchange.clock ?? systemClock;
  const background = { requester: HISTORY, patienceMs: PATIENCE_MS, priority: "background" } as const;
  const newReads = (isLive: boolean) => new RequestReads(exchange, { ...background, live: isLive ? streams?.live : undefined });
  const history =
    settings.history && historyOver(settings.history, { exchange, streams, clock, realm: realmOf(settings.exchange), newReads });
  const curves = history?.curves;
  return {
    exchange,
    streams,
    graph: {
      schema,
      outlook: estimateStateOver(exchange, streams, curves !== undefined),
      contextFor: (principal, author, requester) => createContext(exchange, principal, streams, author, requester, curves),
    },
    openExport(query, { requester, ...client }) {
      const newContext = () => createContext(exchange, client.principal, streams, undefined, requester, curves, background);
      return openExport(query, { ...client, newContext }, clock);
    },
    async start() {
      await exchange.writes.journal.ready();
      await exchange.writes.writer.resume();
      exchange.writes.switches.start();
      exchange.writes.haltCancels.start((names, placedUpTo) =>
        cancelOpenOrdersOfUser(new RequestWrites(exchange.writes, new RequestReads(exchange)), names, placedUpTo),
      );
      history?.recorder?.start();
    },
    async stopRecording() {
      await history?.recorder?.close();
      await history?.store.close();
    },
  };
}

/** What the history of accounts consists of. Nothing is recorded without streams. */
function historyOver(
  { open, recorder: settings, holder }: HistorySettings,
  {
    exchange,
    streams,
    clock,
    realm,
    newReads,
  }: Pick<Product, "exchange" | "streams"> & {
    readonly clock: Clock;
    readonly realm: string;
    /** `isLive`: answered from streams where they are live. */
    readonly newReads: (isLive: boolean) => RequestReads;
  },
) {
  const { instrumentation } = exchange;
  const now = () => exchange.clock.now();
  const store = open({ clock, realm });
  const ledger = new BalanceRecords(store, () => newReads(true));
  const curves = new Curves({ store, ledger, clock, now, ...settings });
  if (streams === undefined) return { store, curves };
  const backfill = new Backfill({ store, ledger, newReads: () => newReads(true), settings, instrumentation, now });
  // Comparisons with the exchange read from the exchange, not from streams.
  const own = { newReads: () => newReads(false), journal: exchange.writes.journal };
  const reconciler = new DailyReconciler({ store, ledger, ...own, now, instrumentation });
  const parts = { exchange, streams, store, ledger, clock, backfill, reconciler, instrumentation };
  return { store, curves, recorder: new Recorder({ ...parts, settings, holder }) };
}
