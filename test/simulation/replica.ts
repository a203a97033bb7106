import { ClientPrincipal } from "../../src/access/principal/clientPrincipal.js";
import { ClientBudgets, NO_CLIENT_LIMITS } from "../../src/access/quotas/clientBudgets.js";
import { gatewayFor } from "../../src/datasources/calls/scheduler/requester.js";
import type { Exchange, ExchangeAccount } from "../../src/datasources/index.js";
import type { LimitBook } from "../../src/datasources/writes/limits/tradingLimits.js";
import { COST_LIMITS } from "../../src/engine/cost/operationCosts.js";
import { createEngine } from "../../src/engine/createEngine.js";
import { DOCUMENT_LIMITS } from "../../src/engine/documents/documentLimits.js";
import { documentPolicy } from "../../src/engine/documents/documentPolicy.js";
import type { Engine } from "../../src/engine/engine.js";
import { createInstrumentation, listen } from "../../src/instrumentation/instrumentation.js";
import { createProduct, type Product } from "../../src/product.js";
import { buildGraph, Rights } from "../../src/resolvers/index.js";
import type { Network } from "./line.js";
import { streamOf, unit } from "./random.js";
import { openStorage, type Storage } from "./storage.js";
import { ProcessClock, type VirtualTime } from "./time.js";

const schema = buildGraph();

/** A client as the transports would have identified it. */
export const principalOf = (id: string): ClientPrincipal =>
  new ClientPrincipal({ id, name: id, rights: Rights.ALL, expiresAt: null });

interface ReplicaParts {
  readonly seed: number;
  /** Its place among the replicas; a restarted process has another `run`. */
  readonly name: string;
  readonly run: number;
  readonly time: VirtualTime;
  readonly network: Network;
  readonly storage: Storage;
  readonly accounts: readonly ExchangeAccount[];
  readonly limits: LimitBook;
  /** Called with an unexpected error of the gateway. */
  readonly failed: (error: unknown) => void;
}

/** One process of the product, as `main.ts` composes it, without HTTP and sockets. */
export class Replica {
  readonly exchange: Exchange;
  readonly #product: Product;
  readonly #engine: Engine;
  readonly #clock: ProcessClock;
  #isReady = false;
  #requests = 0;

  constructor(private readonly parts: ReplicaParts) {
    const { seed, name, run, time, network, storage, accounts, limits } = parts;
    const owner = `${name}.${run}`;
    const random = streamOf(seed, `process ${owner}`);
    this.#clock = new ProcessClock(time, owner, streamOf(seed, `skew ${owner}`).between(-1_500, 1_500));
    const clock = this.#clock;
    const instrumentation = createInstrumentation(name);
    let ids = 0;
    this.#product = createProduct({
      schema,
      streams: undefined,
      exchange: {
        baseUrl: new URL("http://exchange.invalid"),
        realm: "simulation",
        accounts,
        demo: false,
        deadlineMs: 10_000,
        operationMs: 30_000,
        connections: 64,
        cacheEntries: 10_000,
        instrumentation,
        limits,
        clock,
        random: () => unit(random.next()),
        newId: () => `${name}${run}x${ids++}`,
        transport: network.line(name, `10.0.0.${1 + name.charCodeAt(0)}`, clock),
        writeStores: () => openStorage(storage, clock, () => random.between(1, 5)),
      },
    });
    this.exchange = this.#product.exchange;
    this.#engine = createEngine({
      ...this.#product.graph,
      documents: documentPolicy({ introspection: false }),
      costLimits: COST_LIMITS,
      listItems: DOCUMENT_LIMITS.listItems,
      budgets: new ClientBudgets(NO_CLIENT_LIMITS, clock),
      audit: { leaving: () => undefined },
      instrumentation,
      clock,
    });
    this.#stopListening = [
      listen(instrumentation, instrumentation.failure, ({ error }) => parts.failed(error)),
      listen(instrumentation, instrumentation.writeFailure, ({ error }) => {
        if (!(error instanceof Error && "extensions" in error)) parts.failed(error);
      }),
    ];
  }

  readonly #stopListening: readonly (() => void)[];

  /** Starts as the product does: nothing is served before the journal is ready. */
  async start(): Promise<void> {
    await this.#product.start();
    this.#isReady = true;
    void this.exchange.checkKeys();
  }

  get isServing(): boolean {
    return this.#isReady && this.#clock.isAlive;
  }

  /** The process ends without a trace of it but what is stored and what is on the line. */
  kill(): void {
    this.#clock.isAlive = false;
    for (const stop of this.#stopListening) stop();
  }

  /** Executes an operation and resolves to its `data`; never if the process is killed before. Throws the errors of the answer. */
  async execute(client: ClientPrincipal, query: string, variables: Readonly<Record<string, unknown>>): Promise<unknown> {
    const found = this.#engine.find({
      operation: { query, operationName: undefined, variables, isTraced: false },
      caller: {
        principal: client,
        requester: gatewayFor({ client: client.id, weight: client.weight }),
        origin: { who: client.id, address: undefined, over: "http", requestId: `${this.parts.name}-${this.#requests++}` },
      },
    });
    const result = "text" in found ? found : await this.#engine.execute(found);
    const { data, errors } = JSON.parse(result.text);
    if (errors !== undefined) throw new AnswerErrors(errors);
    return data;
  }

  /** Applies changed accounts, as the product does when their file has changed. */
  replaceAccounts(accounts: readonly ExchangeAccount[]): void {
    this.exchange.directory.replace(accounts);
    this.#engine.written();
    void this.exchange.checkKeys();
  }

  replaceLimits(book: LimitBook): void {
    this.exchange.writes.limits.inForce.replace(book);
  }
}

/** The errors of an answer without data. */
export class AnswerErrors extends Error {
  override readonly name = "AnswerErrors";

  constructor(readonly errors: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[]) {
    super(errors.map(({ message, extensions }) => `${extensions?.code}: ${message}`).join("; "));
  }

  get codes(): readonly string[] {
    return this.errors.map(({ extensions }) => extensions?.code ?? "");
  }
}
