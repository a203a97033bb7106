import { randomUUID } from "node:crypto";
import { ManualClock } from "@exchange-graph/contract/clock";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { parse, validate } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { createDataSource, type DataSource, type ExchangeAccount, Secret } from "../../src/datasources/index.js";
import type { UpstreamCall } from "../../src/instrumentation/events.js";
import { createInstrumentation, listen } from "../../src/instrumentation/instrumentation.js";
import { ANYONE, buildGraph, createContext } from "../../src/resolvers/index.js";

const graph = buildGraph();
const START = Date.UTC(2026, 0, 5, 12);
/** Virtual time per turn of the event loop. Calls in flight progress with each turn. */
const STEP_MS = 4;
const NAMES = ["main", "classic", "broker"];

const accounts: readonly ExchangeAccount[] = SANDBOX_CREDENTIALS.map(({ key, secret, passphrase }, at) => ({
  name: NAMES[at] ?? key,
  credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
  isCopyTrader: false,
}));

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A sandbox, and a data source that calls it over HTTP, both on one virtual clock that this class advances. */
export class VirtualExchange {
  private constructor(
    readonly clock: ManualClock,
    readonly sandbox: Sandbox,
    readonly exchange: DataSource,
  ) {}

  static async open(onCall: (call: UpstreamCall) => void): Promise<VirtualExchange> {
    const instrumentation = createInstrumentation(randomUUID());
    listen(instrumentation, instrumentation.upstreamCall, onCall);
    const clock = new ManualClock(START);
    const sandbox = await startSandbox({ clock });
    const exchange = createDataSource({
      baseUrl: new URL(sandbox.url),
      accounts,
      demo: false,
      deadlineMs: 10_000,
      connections: 64,
      cacheEntries: 1_000,
      random: () => 0.5,
      clock,
      instrumentation,
    });
    return new VirtualExchange(clock, sandbox, exchange);
  }

  /** Advances the clock. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      this.clock.advance(STEP_MS);
      await turn();
    }
  }

  /** Advances the clock until a promise is settled. */
  async until<T>(waiting: Promise<T>): Promise<T> {
    let isOver = false;
    const whole = waiting.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await turn();
      if (!isOver) this.clock.advance(STEP_MS);
    }
    return whole;
  }

  async close(): Promise<void> {
    await this.exchange.close();
    await this.sandbox.close();
  }
}

/** Compiles a document. Each call of the result executes it as a separate request, and returns the codes of its errors. */
export function executorOf(text: string): (exchange: DataSource) => Promise<string[]> {
  const document = parse(text);
  const mistakes = validate(graph, document);
  if (mistakes.length > 0) throw new Error(mistakes.map(({ message }) => message).join("\n"));
  const query = compileQuery(graph, document);
  if (!isCompiledQuery(query)) throw new Error("the document cannot be compiled");
  return async (exchange) => {
    const { errors = [] } = await query.query(undefined, createContext(exchange, ANYONE), {});
    return errors.map(({ message, extensions }) => (typeof extensions?.code === "string" ? extensions.code : message));
  };
}
