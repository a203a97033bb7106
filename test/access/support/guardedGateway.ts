import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, ManualClock, systemClock } from "@exchange-graph/contract/clock";
import { ConfiguredClients } from "../../../src/access/clients.js";
import { tokenCommand } from "../../../src/access/tokens/tokenCommand.js";
import { changeTokenFile } from "../../../src/access/tokens/tokenFile.js";
import type { ClientSettings } from "../../../src/config/clientSettings.js";
import { Scheduler } from "../../../src/datasources/calls/scheduler/scheduler.js";
import { Fault } from "../../../src/datasources/index.js";
import type { Streams, Unlisten } from "../../../src/datasources/streams/index.js";
import { WatchedFiles } from "../../../src/files/watchedFiles.js";
import { createGateway } from "../../../src/gateway.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import type { LimitOverrides } from "../../../src/limits.js";
import { createContext, estimateStateOver, type Grants } from "../../../src/resolvers/index.js";
import type { Health } from "../../../src/transports/http/health.js";
import { exchangeOver } from "../../support/exchangeOver.js";
import { readyWith } from "../../support/gateway/ready.js";
import { graph } from "../../support/graph.js";
import { scriptedExchange } from "../../support/scriptedExchange.js";
import { searchedTelemetry } from "../../support/searchedTelemetry.js";
import { WideScheduler } from "../../support/wideScheduler.js";

interface Settings extends Partial<ClientSettings> {
  readonly isStreaming?: boolean;
  readonly limits?: LimitOverrides;
  /** The clock for the expiry of tokens. */
  readonly tokenClock?: Clock;
  readonly readiness?: Health["readiness"];
  /** Whether the exchange's rate limits are applied. */
  readonly hasRateLimits?: boolean;
}

/** A gateway that authenticates clients, in front of an exchange that returns errors by default and counts requests. */
export interface GuardedGateway {
  readonly url: string;
  readonly clients: ConfiguredClients;
  /** Number of calls and stream requests that the exchange has received. */
  asked(): number;
  /** Creates a token and loads it into the gateway. */
  token(name: string, grants: Grants): Promise<string>;
  revoke(name: string): Promise<void>;
  /** Changes the scopes of a token. */
  grant(name: string, grants: Grants): Promise<void>;
  /** Sets the exchange's response for a path. */
  on(path: string, data: unknown): void;
  /** The paths of the calls that the exchange has received. */
  paths(): readonly string[];
  /** Number of queued calls. */
  waiting(): number;
  /** Advances the clock of the call queue. */
  advance(ms: number): void;
  close(): Promise<void>;
}

/** The accounts are `main` and `classic`. Streams fail, or with `isStreaming` are open and emit nothing. */
export async function guardedGateway({
  isStreaming = false,
  limits = {},
  tokenClock = systemClock,
  readiness = readyWith(),
  hasRateLimits = false,
  ...settings
}: Settings = {}): Promise<GuardedGateway> {
  const folder = mkdtempSync(join(tmpdir(), "guarded-"));
  const path = join(folder, "clients.json");
  const command = (...args: string[]): string => tokenCommand(args, path, systemClock).out.trim();
  command("create", "nobody", "--scope", "read:market");
  const fail = (message: string): never => {
    throw new Error(message);
  };
  const telemetry = searchedTelemetry();
  const { instrumentation } = telemetry;
  listen(instrumentation, instrumentation.fileChange, ({ mistakes }) => {
    if (mistakes !== undefined) fail(mistakes.join("; "));
  });
  const files = new WatchedFiles(tokenClock, instrumentation);
  const clients = new ConfiguredClients(
    { tokensPath: path, jwt: undefined, ...settings },
    { clock: tokenClock, files, report: fail },
  );
  const upstream = await scriptedExchange();
  const clock = new ManualClock(Date.UTC(2028, 4, 31, 12));
  const scheduler = hasRateLimits ? new Scheduler(clock) : new WideScheduler(clock);
  const exchange = exchangeOver(upstream.url, { clock, scheduler, instrumentation });
  let streamed = 0;
  const streams = silentStreams(isStreaming, () => streamed++);
  const gateway = await createGateway({
    clients,
    limits,
    schema: graph,
    contextFor: (principal, ...asking) => createContext(exchange, principal, streams, ...asking),
    outlook: estimateStateOver(exchange, streams),
    readiness,
    ...telemetry,
    clock: systemClock,
    loopDelay: { ms: 0 },
    introspection: true,
    graphiqlFolder: fileURLToPath(new URL("../../support/gateway/page", import.meta.url)),
    maxBodyBytes: 65_536,
    shutdownTimeoutMs: 5_000,
  });
  return {
    url: await gateway.listen({ host: "127.0.0.1", port: 0 }),
    clients,
    asked: () => upstream.calls.length + streamed,
    async token(name, grants) {
      const scopes = Object.entries(grants).flatMap(([scope, accounts]) => [
        "--scope",
        accounts === "*" ? scope : `${scope}=${accounts?.join(",")}`,
      ]);
      const token = command("create", name, ...scopes);
      await clients.look();
      return token;
    },
    async revoke(name) {
      command("revoke", name);
      await clients.look();
    },
    async grant(name, scopes) {
      changeTokenFile(path, ({ tokens, ...more }) => ({
        tokens: tokens.map((one) => (one.name === name ? { ...one, scopes: JSON.parse(JSON.stringify(scopes)) } : one)),
        ...more,
      }));
      await clients.look();
    },
    on: (path, data) => upstream.on(path, { data }),
    paths: () => upstream.calls.map(({ target }) => target.split("?", 1)[0] ?? ""),
    waiting: () => scheduler.buckets().reduce((sum, { waiting }) => sum + waiting, 0),
    advance: (ms) => clock.advance(ms),
    async close() {
      await gateway.stop();
      await exchange.close();
      await upstream.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const OPEN_FOR = ["main", "classic"];

/** Streams that fail or emit nothing; `asked` is called for each request. Both accounts have open streams. */
function silentStreams(isThere: boolean, asked: () => void): Streams {
  const refuse = (): Unlisten => {
    asked();
    if (isThere) return () => undefined;
    throw new Fault("EXCHANGE_UNAVAILABLE", "there are no streams here");
  };
  return {
    market: {
      ticker: refuse,
      trades: refuse,
      candles: refuse,
      orderBook: refuse,
      liquidations: refuse,
      liveTicker: () => undefined,
      tickerKnownUntil: () => undefined,
      liveBook: () => undefined,
    },
    accounts: { listen: refuse },
    worths: { keep: refuse, of: () => "INTERRUPTED" },
    figures: { follow: () => () => undefined, positions: () => () => undefined },
    gauges: () => ({
      topics: OPEN_FOR.map((account) => ({ stream: "orders", key: account, account, listeners: 1, isLive: true })),
      connections: OPEN_FOR.map((account) => ({ apiVersion: "v3", access: "private", account, state: "READY", topics: 1 })),
      live: {
        kept: OPEN_FOR.map((account) => ({ account, kind: "orders" })),
        symbols: [],
        counts: [{ kind: "orders", answered: 1, missed: 0 }],
        lists: () =>
          OPEN_FOR.map((account) => ({ account, kind: "orders", name: "ALL", comparedAt: undefined, reason: undefined })),
      },
      shared: new Map(),
    }),
    live: { answer: () => undefined, keeping: () => undefined, ticker: () => undefined },
    handOver: async () => undefined,
    close: async () => undefined,
  };
}
