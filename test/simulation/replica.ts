import { ConfiguredClients } from "../../src/access/clients.js";
import type { OpenKeys } from "../../src/access/jwt/jwtKeys.js";
import { ClientPrincipal } from "../../src/access/principal/clientPrincipal.js";
import { ClientBudgets, NO_CLIENT_LIMITS } from "../../src/access/quotas/clientBudgets.js";
import { gatewayFor, type Requester } from "../../src/datasources/calls/scheduler/requester.js";
import { type DataSource, type ExchangeAccount, Fault } from "../../src/datasources/index.js";
import type { LivePolicy } from "../../src/datasources/streams/live/keeper.js";
import type { ApiVersion } from "../../src/datasources/streams/marketTopics.js";
import { HALT_CANCELS_FAILURE } from "../../src/datasources/writes/halts/haltCancels.js";
import type { LimitBook } from "../../src/datasources/writes/limits/tradingLimits.js";
import type { WithdrawalRule } from "../../src/datasources/writes/rules/withdrawalRules.js";
import { SWITCH_FAILURE } from "../../src/datasources/writes/switchKeeper.js";
import { COST_LIMITS, OperationCosts } from "../../src/engine/cost/operationCosts.js";
import { DOCUMENT_LIMITS } from "../../src/engine/documents/documentLimits.js";
import { documentPolicy } from "../../src/engine/documents/documentPolicy.js";
import { Engine } from "../../src/engine/engine.js";
import type { OperationCall } from "../../src/engine/operationCall.js";
import type { SubscriberSink } from "../../src/engine/subscriptions/subscriberSink.js";
import { WatchedFiles } from "../../src/files/watchedFiles.js";
import { createInstrumentation, type Instrumentation, listen } from "../../src/instrumentation/instrumentation.js";
import { createProduct, type Product } from "../../src/product.js";
import { buildGraph, Rights } from "../../src/resolvers/index.js";
import type { SharedPorts } from "../../src/sharedPorts.js";
import { ClientRequester, EndablePresence } from "../../src/transports/arrival/arrival.js";
import { dependenciesOf } from "../../src/transports/http/dependencies.js";
import { Readiness } from "../../src/transports/http/readiness.js";
import { type Engines, isUnavailable } from "./engines.js";
import { type Issuer, IssuerSilent, JudgedSink, JWT_SETTINGS } from "./issuer.js";
import type { Network } from "./line.js";
import { between, type Random, streamOf, unit } from "./random.js";
import type { SocketNetwork } from "./sockets.js";
import { type ClockError, ProcessClock, type VirtualTime } from "./time.js";
import { placeOf, STRANGER, type TokenFiles, tokenOf } from "./tokens.js";

const schema = buildGraph();

/** A client as the transports would have identified it. */
export const principalOf = (id: string): ClientPrincipal =>
  new ClientPrincipal({ id, name: id, rights: Rights.ALL, expiresAt: null });

/** A client that may do everything on these accounts, and nothing on others. */
export const strangerTo = (accounts: readonly string[]): ClientPrincipal =>
  new ClientPrincipal({
    ...{ id: STRANGER, name: "stranger", expiresAt: null },
    rights: new Rights({ "read:market": "*", "read:account": accounts, trade: accounts }),
  });

interface ReplicaParts {
  readonly seed: number;
  /** Its place among the replicas; a restarted process has another `run`. */
  readonly name: string;
  readonly run: number;
  readonly time: VirtualTime;
  readonly network: Network;
  /** Undefined without streams. */
  readonly streams: { readonly sockets: SocketNetwork; readonly live: LivePolicy; readonly publicApi: ApiVersion } | undefined;
  readonly engines: Engines;
  /** Whether its clock runs up to 5 % too fast or slow. */
  readonly isDrifting: boolean;
  /** Those of the time when it starts. */
  readonly accounts: () => readonly ExchangeAccount[];
  readonly limits: () => LimitBook;
  readonly withdrawals: () => WithdrawalRule;
  /** The file of clients; undefined: every client is who it says it is, as behind a proxy that has checked it. */
  readonly tokens: TokenFiles | undefined;
  /** The issuer of the JWTs that clients have in place of tokens of the file. */
  readonly issuer: Issuer | undefined;
  /** Called with an unexpected error of the gateway. */
  readonly failed: (error: unknown) => void;
}

/** What a process consists of once it has started. */
interface Running {
  readonly product: Product;
  readonly engine: Engine;
  readonly shared: SharedPorts;
  readonly readiness: Readiness;
  readonly files: WatchedFiles;
  readonly clients: ConfiguredClients | undefined;
}

/** Maximum delay of changed accounts until the users of new keys are known. */
const USERS_MS = 3_000;
/** Time for writes to end before the process stops. */
const STOPPING_MS = 10_000;

const clockError = (random: Random, isDrifting: boolean): ClockError => ({
  offsetMs: random.between(-1_500, 1_500),
  rate: isDrifting ? between(random, 0.95, 1.05) : 1,
});

/** A client that was accepted, and the token that it has shown. */
interface Identified {
  readonly principal: ClientPrincipal;
  readonly requester: Requester;
  readonly token: string | undefined;
}

/** A subscription of a client. */
export interface Subscription {
  leave(): void;
  /** Resolves when the gateway has ended it; rejects with its error. */
  readonly ended: Promise<unknown>;
}

/** One process of the product, as `main.ts` composes it, without the sockets of clients. */
export class Replica {
  readonly #clock: ProcessClock;
  readonly #random: () => number;
  readonly #instrumentation: Instrumentation;
  readonly #stopListening: readonly (() => void)[];
  answeredAt: number | undefined;
  #running: Running | undefined;
  #ids = 0;
  #isReady = false;
  #requests = 0;

  constructor(private readonly parts: ReplicaParts) {
    const { seed, name, time } = parts;
    const random = streamOf(seed, `process ${this.#owner}`);
    this.#random = () => unit(random.next());
    this.#clock = new ProcessClock(time, this.#owner, clockError(streamOf(seed, `skew ${this.#owner}`), parts.isDrifting));
    this.#instrumentation = createInstrumentation(name);
    this.#stopListening = [
      listen(this.#instrumentation, this.#instrumentation.failure, ({ error, what }) => {
        if (!isUnavailable(error) && what !== HALT_CANCELS_FAILURE && what !== SWITCH_FAILURE) parts.failed(error);
      }),
      listen(this.#instrumentation, this.#instrumentation.writeFailure, ({ error }) => {
        if (!(error instanceof Error && "extensions" in error)) parts.failed(error);
      }),
    ];
  }

  /** Starts as the product does: nothing is served before the journal is ready. */
  async start(): Promise<void> {
    const { engines, name, run } = this.parts;
    const [clock, random, instrumentation] = [this.#clock, this.#random, this.#instrumentation];
    const newName = () => `${name}${run}x${this.#ids++}`;
    const shared = await engines.open({
      name,
      owner: this.#owner,
      clock,
      steady: clock.steady,
      random,
      newName,
      instrumentation,
    });
    const files = new WatchedFiles(clock, instrumentation, this.parts.tokens?.versionOf(this.place));
    const clients = this.#clientsFrom(files, shared);
    const product = this.#compose(shared, newName);
    const budgets = new ClientBudgets(NO_CLIENT_LIMITS, clock);
    const engine = new Engine({
      ...{ schema, budgets },
      documents: documentPolicy({ introspection: false }),
      costs: new OperationCosts({ ...product.graph, budgets, limits: COST_LIMITS, listItems: DOCUMENT_LIMITS.listItems }),
      contextFor: product.graph.contextFor,
      audit: { leaving: () => undefined },
      instrumentation,
      clock,
    });
    const dependencies = dependenciesOf(product.exchange, files, clock, { redis: shared.engine });
    const readiness = new Readiness(dependencies, clock, instrumentation);
    this.#running = { product, engine, shared, readiness, files, clients };
    await product.start();
    this.#isReady = true;
    void product.exchange.checkKeys();
  }

  /** The clients of the gateway's copy of the file. */
  #clientsFrom(files: WatchedFiles, { tokens }: SharedPorts): ConfiguredClients | undefined {
    const { tokens: copies, failed } = this.parts;
    if (copies === undefined) return undefined;
    copies.started(this.place);
    const readTokens = copies.reading(this.place);
    const report = (message: string, error?: unknown) => {
      if (!(error instanceof IssuerSilent)) failed(error ?? new Error(message));
    };
    const { issuer } = this.parts;
    const openKeys: OpenKeys | undefined = issuer && ((_, keyParts) => issuer.keysAt(this.place, this.#clock, keyParts));
    return new ConfiguredClients(
      { tokensPath: "clients.json", jwt: issuer && JWT_SETTINGS },
      { files, readTokens, tokens, report, openKeys, clock: this.#clock },
    );
  }

  #compose({ stores, writeStores, share, eventLog }: SharedPorts, newName: () => string): Product {
    const { name, network, streams, engines, accounts, limits, withdrawals } = this.parts;
    const [clock, random, instrumentation] = [this.#clock, this.#random, this.#instrumentation];
    const address = engines.addressOf(name);
    return createProduct({
      schema,
      streams: streams && {
        ...{ wsUrl: new URL("ws://exchange.invalid"), live: streams.live, publicApiVersion: streams.publicApi },
        ...{ share, eventLog, clock, random, newName, instrumentation },
        openWire: streams.sockets.opener({ gateway: this.#owner, address, clock }),
      },
      exchange: {
        ...{ baseUrl: new URL("http://exchange.invalid"), realm: "simulation", demo: false },
        ...{
          accounts: accounts(),
          limits: limits(),
          withdrawals: withdrawals(),
          clock,
          steady: clock.steady,
          random,
          newId: newName,
          instrumentation,
          stores,
          writeStores,
        },
        ...{ deadlineMs: 10_000, operationMs: 30_000, connections: 64, cacheEntries: 10_000 },
        transport: network.line(name, address, clock),
      },
    });
  }

  /** Its place among the replicas. */
  get place(): number {
    return placeOf(this.parts.name);
  }

  get #owner(): string {
    return `${this.parts.name}.${this.parts.run}`;
  }

  /** Throws an `Error` before it has started. */
  get #parts(): Running {
    if (this.#running === undefined) throw new Error("the process has not started");
    return this.#running;
  }

  get exchange(): DataSource {
    return this.#parts.product.exchange;
  }

  /** Whether the process has not ended. */
  get isAlive(): boolean {
    return this.#clock.isAlive;
  }

  get isServing(): boolean {
    return this.#isReady && this.#clock.isAlive;
  }

  get name(): string {
    return `gateway ${this.#owner}`;
  }

  /** What a process that was stopped still has. */
  get left(): readonly string[] {
    const { product, engine } = this.#running ?? {};
    const counts = {
      timers: this.#clock.waiting,
      "calls under way": product?.exchange.reader.underWay ?? 0,
      "groups of listeners": engine?.fanOut.groups ?? 0,
    };
    return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
  }

  /** Whether streams are kept open for queries that may come. */
  get isKeeping(): boolean {
    const { live } = this.#running?.product.streams?.gauges() ?? {};
    return live !== undefined && live.kept.length + live.symbols.length > 0;
  }

  /** Streams and connections that are open. */
  get open(): readonly string[] {
    const { topics = [], connections = [] } = this.#running?.product.streams?.gauges() ?? {};
    return [
      ...topics.map(({ stream, key }) => `${stream} ${key}`),
      ...connections.map(({ access, state }) => `${access} ${state}`),
    ];
  }

  /** What waits or listens in the process. */
  get busy(): readonly string[] {
    if (this.#running === undefined) return [];
    const { product, engine, clients } = this.#running;
    const { scheduler } = product.exchange;
    const queues = [scheduler.overall(), ...scheduler.buckets()].filter(({ waiting }) => waiting > 0);
    const { listeners, groups } = engine.fanOut;
    return [
      ...(queues.length > 0 ? [`calls in ${queues.length} queues`] : []),
      ...(listeners + groups > 0 ? [`${listeners} listeners in ${groups} groups`] : []),
      ...(clients !== undefined && clients.watched > 0 ? [`${clients.watched} watches of clients' tokens`] : []),
    ];
  }

  /** As `/readyz` says it. */
  whyNotReady(): Promise<string | undefined> {
    return this.#parts.readiness.whyNotReady();
  }

  /** The clock of the machine is set ahead, or back. */
  setClock(byMs: number): void {
    this.#clock.set(byMs);
  }

  /** The process gets no time to run. */
  pause(forMs: number): void {
    this.#clock.pause(forMs);
  }

  /** Ends as after a signal: another replica takes over, what is under way is finished, and the process exits. */
  async stop(): Promise<void> {
    if (this.#running === undefined) {
      this.kill();
      return;
    }
    this.#isReady = false;
    const { product, shared, files, clients } = this.#running;
    files.close();
    clients?.close();
    this.parts.tokens?.ended(this.place);
    await product.streams?.handOver();
    await product.streams?.close();
    await product.exchange.close(STOPPING_MS);
    await shared.close();
  }

  /** The process ends without a trace of it but what is stored and what is on the line. */
  kill(): void {
    if (this.#clock.isAlive) this.parts.tokens?.ended(this.place);
    this.#clock.isAlive = false;
    this.parts.engines.killed(this.#owner);
    this.parts.streams?.sockets.killed(this.#clock);
    for (const stop of this.#stopListening) stop();
    this.parts.time.forget(this.#owner);
    this.#running = undefined;
  }

  /** Executes an operation and resolves to its `data`; never if the process is killed before. Throws the errors of the answer. */
  async execute(client: ClientPrincipal, query: string, variables: Readonly<Record<string, unknown>>): Promise<unknown> {
    await this.isRunning();
    const identified = this.#identified(client, variables);
    const caller = identified instanceof Promise ? await identified : identified;
    const found = this.#parts.engine.find(this.#call(client, caller, query, variables));
    const result = "text" in found ? found : await this.#parts.engine.execute(found);
    const { data, errors } = JSON.parse(result.text);
    if (errors !== undefined) throw new AnswerErrors(errors);
    return data;
  }

  /** Subscribes; events are written to `sink`. Throws the errors of a refusal. */
  async subscribe(
    client: ClientPrincipal,
    query: string,
    variables: Readonly<Record<string, unknown>>,
    after: string | null | undefined,
    sink: SubscriberSink,
  ): Promise<Subscription> {
    await this.isRunning();
    const { engine } = this.#parts;
    const identified = this.#identified(client, variables);
    const caller = identified instanceof Promise ? await identified : identified;
    const { token, principal } = caller;
    const ready = engine.read(this.#call(client, caller, query, variables, after));
    const joined = "text" in ready ? ready : await engine.subscribe(ready, this.#judged(client, token, sink));
    if ("text" in joined) throw new AnswerErrors(JSON.parse(joined.text).errors);
    return this.#watched(client.id, token, principal, { ended: joined.next(), leave: () => void joined.return() });
  }

  /** The subscription ends with its token, as the connection of a client does. */
  #watched(client: string, token: string | undefined, principal: ClientPrincipal, { ended, leave }: Subscription): Subscription {
    const { clients } = this.#parts;
    if (clients === undefined || token === undefined) return { ended, leave };
    let unwatch = (): void => undefined;
    const revoked = new Promise<void>((resolve) => {
      unwatch = clients.watch(token, principal, ({ code }) => {
        if (code === "FORBIDDEN") this.parts.tokens?.endedForRights(client, this.place);
        else this.#refused(client, token);
        leave();
        resolve();
      });
    });
    return {
      ended: Promise.race([ended, revoked]),
      leave: () => {
        unwatch();
        leave();
      },
    };
  }

  /** Resolves once it has time to run; never for a process that was killed. */
  isRunning(): Promise<void> {
    return new Promise((resolve) => this.#clock.arrive(resolve));
  }

  #call(
    client: ClientPrincipal,
    { principal, requester }: Identified,
    query: string,
    variables: Readonly<Record<string, unknown>>,
    after?: string | null,
  ): OperationCall {
    const requestId = `${this.parts.name}-${this.#requests++}`;
    return {
      operation: { query, operationName: undefined, variables, isTraced: false, ...(after === undefined ? {} : { after }) },
      caller: { principal, requester, origin: { who: client.id, address: undefined, over: "http", requestId } },
    };
  }

  /** A client as the transports identify it. Throws `AnswerErrors` if they refuse it. */
  #identified(client: ClientPrincipal, variables: Readonly<Record<string, unknown>>): Identified | Promise<Identified> {
    const { clients } = this.#parts;
    if (clients === undefined) {
      const requester = gatewayFor({ client: client.id, weight: client.weight });
      return { principal: client, requester, token: undefined };
    }
    const token = this.#issuerOf(client.id)?.tokenOf(client.id) ?? tokenOf(client.id);
    this.#issuerOf(client.id)?.gives(token, variables);
    const found = clients.identify(token);
    const accept = (principal: ClientPrincipal | Fault): Identified => {
      if (principal instanceof Fault) {
        this.#refused(client.id, token);
        throw new AnswerErrors([{ message: principal.message, extensions: { code: principal.code } }]);
      }
      this.#accepted(client.id, token, "accepts a request of");
      return { principal, token, requester: new ClientRequester(clients, token, principal, principal.id, new EndablePresence()) };
    };
    return found instanceof Promise ? found.then(accept) : accept(found);
  }

  /** The issuer of a client's JWTs; undefined of a client that has a token of the file. */
  #issuerOf(client: string): Issuer | undefined {
    const { issuer } = this.parts;
    return issuer?.has(client) === true ? issuer : undefined;
  }

  #accepted(client: string, token: string, what: string): void {
    const issuer = this.#issuerOf(client);
    if (issuer === undefined) this.parts.tokens?.accepted(client, this.place, what);
    else issuer.accepted(token, this.place, what);
  }

  #refused(client: string, token: string): void {
    const issuer = this.#issuerOf(client);
    if (issuer === undefined) this.parts.tokens?.refused(client, this.place);
    else issuer.refused(token, this.place);
  }

  #judged({ id }: ClientPrincipal, token: string | undefined, sink: SubscriberSink): SubscriberSink {
    const issuer = this.#issuerOf(id);
    if (issuer === undefined || token === undefined) return sink;
    return new JudgedSink(sink, () => issuer.accepted(token, this.place, "emits an event to"));
  }

  /** Applies changed accounts, as the product does when their file has changed. */
  replaceAccounts(accounts: readonly ExchangeAccount[]): void {
    if (this.#running === undefined) return;
    this.exchange.directory.replace(accounts);
    this.#running.engine.written();
    void this.exchange.checkKeys();
  }

  /** Applies other keys of the same users, as the product does: as soon as their users are known. */
  rotate(accounts: readonly ExchangeAccount[]): void {
    const { product, engine } = this.#running ?? {};
    if (product === undefined) return;
    product.exchange.replaceAccounts(accounts, USERS_MS).then(
      () => {
        engine?.written();
        void product.exchange.checkKeys();
      },
      (error: unknown) => this.parts.failed(error),
    );
  }

  allowWithdrawalsTo(rule: WithdrawalRule): void {
    this.#running?.product.exchange.writes.allowWithdrawalsTo(rule);
  }

  replaceLimits(book: LimitBook): void {
    this.#running?.product.exchange.writes.limits.inForce.replace(book);
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
