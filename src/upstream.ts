import type { ConfiguredExchange } from "./config/config.js";
import { ConfigError } from "./config/configError.js";
import { isLoopback } from "./config/loopback.js";
import { Secret } from "./datasources/index.js";
import type { ExchangeKind } from "./schema/enums/exchange.js";
import type { Logger } from "./telemetry/logs/log.js";

/** An exchange to talk to: nothing but its maker knows whether it is the embedded one. */
export interface Upstream {
  /** As the start-up line and the graph say it. */
  readonly name: string;
  /** Is there real money behind it? */
  readonly kind: ExchangeKind;
  readonly settings: ConfiguredExchange;
  /** The gateway listens: there is time for what its start did not need. */
  listening(): void;
  close(): Promise<void>;
}

/** What listens on this machine is a sandbox. */
function kindOf({ baseUrl, demo }: ConfiguredExchange): ExchangeKind {
  if (isLoopback(baseUrl.hostname)) return "SANDBOX";
  return demo ? "DEMO" : "REAL";
}

/** The exchange that the settings name. */
export const configuredUpstream = (settings: ConfiguredExchange): Upstream => ({
  name: `${settings.baseUrl.host}${settings.demo ? " (demo environment)" : ""}`,
  kind: kindOf(settings),
  settings,
  listening: () => undefined,
  close: async () => undefined,
});

/** Starts the exchange in a box on a free port, with the keys that it promises. */
export async function embeddedSandbox(log: Logger): Promise<Upstream> {
  const { startSandbox, SANDBOX_CREDENTIALS } = await importSandbox();
  const sandbox = await startSandbox({ report: (error) => log.error({ err: error }, "unexpected error in the sandbox") });
  return {
    name: "the embedded sandbox exchange",
    kind: "SANDBOX",
    settings: {
      baseUrl: new URL(sandbox.url),
      wsUrl: new URL(sandbox.wsUrl),
      demo: false,
      // Its world is as new as this process.
      realm: sandbox.url,
      accounts: SANDBOX_CREDENTIALS.map(({ name, key, secret, passphrase }) => ({
        name,
        credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
        isCopyTrader: false,
      })),
      source: undefined,
    },
    // The first call would wait for its world, within its deadline.
    listening: () => void setImmediate(() => sandbox.world.advance()),
    close: () => sandbox.close(),
  };
}

/** The sandbox is a package of its own, which an installation that only talks to a real exchange may leave out. */
async function importSandbox(): Promise<typeof import("@exchange-graph/sandbox")> {
  try {
    return await import("@exchange-graph/sandbox");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    throw new ConfigError([
      "EXCHANGE_BASE_URL is not set, and the embedded sandbox (@exchange-graph/sandbox) is not installed: set it, or install the sandbox",
    ]);
  }
}
