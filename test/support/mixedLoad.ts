import { createClient, type Client as StreamClient } from "graphql-sse";
import { type Client, createClient as createSocket } from "graphql-ws";
import { WebSocket } from "ws";

/** The load's way of waiting, and the gateway's time. */
export interface LoadClock {
  now(): number;
  /** Waits for a promise that may depend on the gateway's clock. */
  settled<T>(waiting: Promise<T>): Promise<T>;
}

/** Number of sockets and event streams open at the same time. */
const OPEN = 4;
/** How often an account is added, and how long it stays, in rounds of the load. */
const ACCOUNT_EVERY = 40;
const ACCOUNT_STAYS = 20;
/** Length of a document that is never sent twice, in characters. */
const LONG_TEXT = 4_000;
const SYMBOLS = ["BTCUSDT", "ETHUSDT", "SOLUSDT"];
const ACCOUNTS = ["main", "classic"];
const DAY_MS = 86_400_000;

const QUERIES = [
  "query C($symbol: String!, $to: DateTime) { candles(category: USDT_FUTURES, symbol: $symbol, interval: MINUTE_1, first: 200, to: $to) { startTime close } }",
  "query O($account: String, $from: DateTime, $to: DateTime) { account(name: $account) { orderHistory(category: SPOT, from: $from, to: $to, first: 50) { nodes { orderId } } } }",
  "query F($account: String, $from: DateTime, $to: DateTime) { account(name: $account) { fills(category: SPOT, from: $from, to: $to, first: 50) { nodes { execId } } } }",
  "query T($account: String, $symbol: String!) { ticker(category: SPOT, symbol: $symbol) { lastPrice } account(name: $account) { balances { coin } } }",
];

const PLACE = `mutation P($key: String!) {
  placeOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, price: "20000", qty: "0.001", idempotencyKey: $key }) { order { orderId } }
}`;
const CANCEL = `mutation C($orderId: String!) {
  cancelOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", by: { orderId: $orderId } }) { outcome }
}`;

const time = (at: number): string => new Date(at).toISOString();
const nth = (all: readonly string[], at: number): string => all[at % all.length] ?? "";

/** The load of a trading desk, round by round. The gateway must keep no memory of it. */
export class MixedLoad {
  readonly #sockets: Client[] = [];
  readonly #streams: StreamClient[] = [];
  /** Number of responses with each error message. */
  readonly failures = new Map<string, number>();
  #round = 0;

  constructor(
    private readonly url: string,
    private readonly clock: LoadClock,
    /** Sets the temporary accounts, which exist beside the permanent ones. Default: there are none. */
    private readonly setAccounts?: (names: readonly string[]) => void,
  ) {}

  /** Queries with advancing time windows, and from time to time a socket, a stream, an abort, an order. */
  async round(): Promise<void> {
    const at = this.#round++;
    const now = this.clock.now();
    const [symbol, account] = [nth(SYMBOLS, at), nth(ACCOUNTS, at)];
    const range = { account, symbol, from: time(now - DAY_MS), to: time(now) };
    const asked = QUERIES.map((query) => this.#ask(query, range));
    // Some clients put values into the document instead of variables, so that every document is new. The document cache
    // has a bound of its total length, which long documents reach soon.
    if (at % 30 === 0) asked.push(this.#ask(`query Q${at} { account(name: "${account}") { name } } #${" ".repeat(LONG_TEXT)}`));
    if (at % 2 === 0) this.#openSocket(symbol, account);
    if (at % 5 === 1) this.#openStream(symbol);
    if (at % 3 === 0) asked.push(this.#abort(symbol));
    if (at % 10 === 2) asked.push(this.#order(at));
    asked.push(...this.#comeAndGo(at, symbol));
    await this.clock.settled(Promise.all(asked));
    while (this.#sockets.length > OPEN) await this.#sockets.shift()?.dispose();
    while (this.#streams.length > OPEN) this.#streams.shift()?.dispose();
  }

  /** Adds an account, queries it, subscribes to it and removes it; the next one has another name. */
  #comeAndGo(at: number, symbol: string): readonly Promise<unknown>[] {
    if (this.setAccounts === undefined) return [];
    const since = at % ACCOUNT_EVERY;
    const account = `desk-${at - since}`;
    if (since === 0) this.setAccounts([account]);
    if (since === ACCOUNT_STAYS) this.setAccounts([]);
    if (since === ACCOUNT_STAYS / 2) this.#openSocket(symbol, account);
    return since === ACCOUNT_STAYS / 2 ? [this.#ask(QUERIES[3] ?? "", { account, symbol })] : [];
  }

  /** Closes all connections. */
  async rest(): Promise<void> {
    for (const socket of this.#sockets.splice(0)) await socket.dispose();
    for (const stream of this.#streams.splice(0)) stream.dispose();
  }

  async #ask(query: string, variables: Readonly<Record<string, string>> = {}): Promise<unknown> {
    const response = await this.#post({ query, variables });
    const { data, errors = [] } = (await response.json()) as {
      readonly data: unknown;
      readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
    };
    // On a busy machine the gateway may shed load.
    const failed = errors.filter(({ extensions }) => extensions?.code !== "OVERLOADED");
    for (const { message } of failed) this.failures.set(message, (this.failures.get(message) ?? 0) + 1);
    return data;
  }

  #post(body: object, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Sends a query and disconnects before the response. */
  async #abort(symbol: string): Promise<void> {
    const leaving = new AbortController();
    const answer = this.#post({ query: `{ trades(category: SPOT, symbol: "${symbol}") { price } }` }, leaving.signal);
    leaving.abort();
    await Promise.allSettled([answer]);
  }

  async #order(at: number): Promise<void> {
    const placed = await this.#ask(PLACE, { key: `soak ${at}` });
    const { placeOrder } = placed as { readonly placeOrder: { readonly order: { readonly orderId: string } | null } };
    await this.#ask(CANCEL, { orderId: placeOrder.order?.orderId ?? "" });
  }

  #openSocket(symbol: string, account: string): void {
    const client = createSocket({
      url: `${this.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      lazy: true,
    });
    const listener = { next: () => undefined, error: () => undefined, complete: () => undefined };
    for (const query of [
      `subscription { orderBook(category: USDT_FUTURES, symbol: "${symbol}") { orderBook { isStale } } }`,
      `subscription { ticker(category: SPOT, symbol: "${symbol}") { ticker { lastPrice } } }`,
      `subscription { orders(account: "${account}") { orders { orderId } } }`,
      `subscription { accountUpdates(account: "${account}") { balances { coin } } }`,
    ])
      client.subscribe({ query }, listener);
    this.#sockets.push(client);
  }

  #openStream(symbol: string): void {
    const client = createClient({ url: `${this.url}/graphql/stream`, retryAttempts: 0 });
    const listener = { next: () => undefined, error: () => undefined, complete: () => undefined };
    client.subscribe({ query: `subscription { trades(category: SPOT, symbol: "${symbol}") { trades { price } } }` }, listener);
    this.#streams.push(client);
  }
}

/** Growth after warm-up: minimum of the last third of the second half, minus the minimum of its first third. */
export function growthOf(samples: readonly number[]): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const third = Math.ceil(half.length / 3);
  return Math.min(...half.slice(-third)) - Math.min(...half.slice(0, third));
}
