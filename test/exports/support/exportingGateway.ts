import { fileURLToPath } from "node:url";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { type Clients, NO_CLIENTS } from "../../../src/access/clients.js";
import type { HistoryStore } from "../../../src/datasources/history/index.js";
import { type DataSource, Secret } from "../../../src/datasources/index.js";
import { createGateway } from "../../../src/gateway.js";
import { createProduct } from "../../../src/product.js";
import { directHistory } from "../../datasources/history/support/directHistory.js";
import { fastClock } from "../../datasources/writes/support/fastClock.js";
import { readyWith } from "../../support/gateway/ready.js";
import { graph as schema } from "../../support/graph.js";
import { ownInstrumentation, searchedTelemetry } from "../../support/searchedTelemetry.js";

/** The whole gateway in front of a sandbox, over real HTTP. */
export interface ExportingGateway {
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly exchange: DataSource;
  /** What is recorded. */
  readonly history: HistoryStore;
  /** Lines of the audit and the log. */
  readonly lines: readonly string[];
  /** Priorities of the reads so far. */
  readonly priorities: ReadonlySet<string>;
  close(): Promise<void>;
}

export async function exportingGateway({
  clients = NO_CLIENTS,
  hasPast = true,
  historyPath = ":memory:",
}: {
  readonly clients?: Clients;
  readonly hasPast?: boolean;
  readonly historyPath?: string;
} = {}): Promise<ExportingGateway> {
  // Exports wait for the exchange's rate limits most of the time.
  const clock = fastClock({ from: Date.now(), since: Date.now(), factor: 8 });
  const sandbox = await startSandbox({ hasPast, clock });
  const lines: string[] = [];
  const instrumentation = ownInstrumentation();
  const telemetry = searchedTelemetry(lines, { instrumentation });
  const history = directHistory(historyPath, clock, "live");
  const product = createProduct({
    schema,
    exchange: {
      baseUrl: new URL(sandbox.url),
      accounts: SANDBOX_CREDENTIALS.map(({ name, key, secret, passphrase }) => ({
        name,
        credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
        isCopyTrader: false,
      })),
      clock,
      ...{
        demo: false,
        deadlineMs: 60_000,
        connections: 8,
        cacheEntries: 1_000,
        cacheBytes: 4_000_000,
        random: Math.random,
        instrumentation,
      },
    },
    streams: undefined,
    history: {
      open: () => history,
      ...{ recorder: { intervalMs: 60_000, retentionMs: 86_400_000, backfillMs: 0 }, holder: "1" },
    },
  });
  const priorities = new Set<string>();
  const { reader } = product.exchange;
  const read = reader.read.bind(reader);
  reader.read = (call, options) => {
    priorities.add(options?.priority ?? "read");
    return read(call, options);
  };
  const gateway = await createGateway({
    ...product.graph,
    ...telemetry,
    ...{ clients, openExport: product.openExport, readiness: readyWith(), clock },
    ...{ loopDelay: { ms: 0 }, introspection: true, maxBodyBytes: 65_536, shutdownTimeoutMs: 5_000 },
    graphiqlFolder: fileURLToPath(new URL("../../support/gateway/page", import.meta.url)),
  });
  return {
    url: await gateway.listen({ host: "127.0.0.1", port: 0 }),
    ...{ sandbox, lines, priorities, history, exchange: product.exchange },
    async close() {
      await gateway.stop();
      await product.stopRecording();
      await product.exchange.close();
      await sandbox.close();
    },
  };
}
