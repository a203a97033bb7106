import type { ConfiguredExchange } from "./config/config.js";
import { isLoopback } from "./config/loopback.js";
import { Secret } from "./datasources/index.js";
import { optionalPackage } from "./optionalPackage.js";
import type { ExchangeKind } from "./schema/enums/exchange.js";
import type { Logger } from "./telemetry/logs/log.js";

/** An exchange and its accounts, a configured one or the embedded sandbox. */
export interface Upstream {
  /** Name in the start-up line and in the graph. */
  readonly name: string;
  /** Whether its money is real. */
  readonly kind: ExchangeKind;
  readonly settings: ConfiguredExchange;
  /** Called when the gateway listens, for work that can wait until then. */
  listening(): void;
  close(): Promise<void>;
}

/** An exchange on a loopback address is a sandbox. */
function kindOf({ baseUrl, demo }: ConfiguredExchange): ExchangeKind {
  if (isLoopback(baseUrl.hostname)) return "SANDBOX";
  return demo ? "DEMO" : "REAL";
}

export const configuredUpstream = (settings: ConfiguredExchange): Upstream => ({
  name: `${settings.baseUrl.host}${settings.demo ? " (demo environment)" : ""}`,
  kind: kindOf(settings),
  settings,
  listening: () => undefined,
  close: async () => undefined,
});

const NO_SANDBOX =
  "EXCHANGE_BASE_URL is not set, and the embedded sandbox (@exchange-graph/sandbox) is not installed: set it, or install the sandbox";

/** Starts the embedded sandbox on a free port, with its accounts' keys. */
export async function embeddedSandbox(log: Logger): Promise<Upstream> {
  const { startSandbox, SANDBOX_CREDENTIALS } = await optionalPackage(import("@exchange-graph/sandbox"), NO_SANDBOX);
  const sandbox = await startSandbox({ report: (error) => log.error({ err: error }, "unexpected error in the sandbox") });
  return {
    name: "the embedded sandbox exchange",
    kind: "SANDBOX",
    settings: {
      baseUrl: new URL(sandbox.url),
      wsUrl: new URL(sandbox.wsUrl),
      demo: false,
      // Its user ids are valid for this process only.
      realm: sandbox.url,
      accounts: SANDBOX_CREDENTIALS.map(({ name, key, secret, passphrase }) => ({
        name,
        credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
        isCopyTrader: false,
      })),
      source: undefined,
    },
    // The first call would otherwise wait until its world is built.
    listening: () => void setImmediate(() => sandbox.world.advance()),
    close: () => sandbox.close(),
  };
}
