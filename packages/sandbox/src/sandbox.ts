import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { systemClock } from "@exchange-graph/contract/clock";
import { ControlApi, type ControlParts } from "./control/api.js";
import { Faults } from "./control/faults.js";
import { SkewedClock } from "./control/skewedClock.js";
import { type Credential, Credentials, SANDBOX_CREDENTIALS } from "./credentials.js";
import { allHandlers } from "./handlers/all.js";
import { clientReadHandlers } from "./handlers/clientReads.js";
import { clientWriteHandlers } from "./handlers/clientWrites.js";
import type { Handler } from "./handlers/handler.js";
import type { Answer, Received } from "./http/answer.js";
import { CallLog, UNKNOWN_ENDPOINT } from "./http/calls.js";
import { Dispatcher } from "./http/dispatch.js";
import { Gate, type SignedQuery } from "./http/gate.js";
import { RateLimits } from "./http/rateLimits.js";
import { Router } from "./http/router.js";
import { exchangeServer } from "./http/server.js";
import { type ExchangeOptions, openExchange, type SandboxExchange } from "./sandboxExchange.js";
import { feedsOf } from "./sockets/feeds/feeds.js";
import { SOCKET_PATHS, Sockets } from "./sockets/sockets.js";

export { SANDBOX_CREDENTIALS };

export interface SandboxOptions extends Partial<ExchangeOptions> {
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port?: number;
  /** Keys in addition to the three documented ones. */
  readonly credentials?: readonly Credential[];
  readonly handlers?: readonly Handler[];
  /** False: calls over a rate limit are counted, and still answered. */
  readonly enforceLimits?: boolean;
  /** Form of a query that a signature has to cover. Default: `either`. */
  readonly signedQuery?: SignedQuery;
  /** Called with an error of the sandbox's own; the client is answered HTTP 500. */
  readonly report?: (error: unknown) => void;
}

interface Parts extends SandboxExchange, Pick<ControlParts, "faults" | "clock" | "calls" | "limits" | "gate" | "sockets"> {}

const PARTS = ["world", "services", "faults", "clock", "calls", "limits", "gate", "sockets"] as const satisfies (keyof Parts)[];

/** A sandbox without HTTP: its caller passes requests on, at the time and in the order of its choice. */
export interface SandboxInMemory extends Parts {
  /** Executes a request as it was received. Faults are not applied. */
  answer(request: Received): Answer;
}

export function sandboxInMemory(options: Omit<SandboxOptions, "host" | "port"> = {}): SandboxInMemory {
  const { served, ...parts } = partsOf(options, (options.clock ?? systemClock).now());
  return { ...parts, answer: (request) => served.dispatcher.answer(request) };
}

export interface Sandbox extends Parts {
  readonly url: string;
  readonly wsUrl: string;
  close(): Promise<void>;
}

/**
 * Starts the simulated exchange. Its world takes most of the time: it is created when it is first needed, and is the same as if
 * it had been created at the start.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { clock = systemClock, host = "127.0.0.1", port = 0 } = options;
  const startedAt = clock.now();
  let made: ReturnType<typeof partsOf> | undefined;
  const parts = () => {
    made ??= partsOf(options, startedAt);
    return made;
  };
  const server = exchangeServer(() => parts().served);
  server.on("upgrade", (request, stream, head) => parts().sockets.accept(request, stream, head));
  server.listen(port, host);
  await once(server, "listening");
  const address = `${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
  const sandbox = {
    url: `http://${address}`,
    wsUrl: `ws://${address}`,
    async close() {
      made?.sockets.close();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  const lazily = PARTS.map((name) => [name, { get: () => parts()[name] }]);
  return Object.defineProperties(sandbox, Object.fromEntries(lazily)) as Sandbox;
}

/** Creates the world as of `startedAt` (Unix ms), and its servers. */
function partsOf(options: SandboxOptions, startedAt: number) {
  const { clock: baseClock = systemClock, seed = "sandbox", hasPast = true, marketMs } = options;
  const { enforceLimits = true, report = reportToStderr } = options;
  let isOpen = false;
  const clock = new SkewedClock({
    now: () => (isOpen ? baseClock.now() : startedAt),
    after: (delayMs, task) => baseClock.after(delayMs, task),
  });
  const exchange = openExchange({ clock, seed, hasPast, marketMs });
  isOpen = true;
  const { world } = exchange;
  const { accounts, ledger, events } = world.state;
  const credentials = new Credentials([...SANDBOX_CREDENTIALS, ...(options.credentials ?? [])]);
  const advance = () => world.advance();
  const faults = new Faults(seed);
  const calls = new CallLog();
  // Limits are measured by the real clock: setting the exchange's clock back must not stop its counters.
  const limits = new RateLimits(baseClock, enforceLimits);
  const router = new Router([
    ...allHandlers(exchange, clock),
    ...clientReadHandlers(world.state.markets),
    ...clientWriteHandlers(world.transfers, exchange.services.wallets, accounts),
    ...(options.handlers ?? []),
  ]);
  const feeds = feedsOf(world.state, hasPast);
  const gate = new Gate(credentials, accounts, clock, options.signedQuery);
  const dispatcher = new Dispatcher({
    router,
    gate,
    limits,
    calls,
    isCopyTrader: (uid) => accounts.of(uid).isCopyTrader,
    advance,
    clock,
    report,
  });
  const sockets = new Sockets({
    clock,
    trueClock: baseClock,
    credentials,
    feeds,
    accounts,
    events,
    faults,
    seed,
    enforceLimits,
    marketMs: world.timeline.marketMs,
    entrust: (endpoint, caller, parameters) => dispatcher.entrusted(endpoint, caller, parameters),
    advance,
    report,
  });
  const targets = {
    endpoint: [...router.endpoints.map(({ name }) => name), UNKNOWN_ENDPOINT],
    channel: feeds.map(({ channel }) => channel.name),
    socket: SOCKET_PATHS,
  };
  const control = new ControlApi({
    faults,
    targets,
    gate,
    clock,
    calls,
    limits,
    ledger,
    sockets,
    wallets: exchange.services.wallets,
    advance,
  });
  return { ...exchange, faults, clock, calls, limits, gate, sockets, served: { dispatcher, faults, control, calls, clock } };
}

const reportToStderr = (error: unknown): void => {
  process.stderr.write(`sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
};
