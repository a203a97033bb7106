import { ManualClock } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { ALL_PERMISSIONS } from "@exchange-graph/sandbox/credentials";
import { houseWallet, walletOf } from "@exchange-graph/sandbox/world/ledger";
import { parse } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { createExchange, type Exchange, type ExchangeAccount, Secret } from "../../src/datasources/index.js";
import { createStreams, type Streams } from "../../src/datasources/streams/index.js";
import { ANYONE, buildGraph, createContext } from "../../src/resolvers/index.js";
import { percentile } from "./percentile.js";

/** Dashboards over many accounts: what the gateway asks of the exchange for them, with live state, without, and without a gateway. */

const START = Date.UTC(2026, 0, 5, 12);
const STEP_MS = 10;
const MINUTE_MS = 60_000;
/** What moves with the market is as old as the last word of the ticker streams, which the exchange sends two or three times a second. */
const PRICED: ReadonlySet<string> = new Set(["tickers", "positions", "classicPositions", "unifiedAssets", "futuresAccounts"]);

/** A screen of one account, of what streams carry. */
const DOCUMENT = `query ($name: String) {
  account(name: $name) {
    totalEquity
    balances { coin equity available }
    positions { symbol posSide qty markPrice unrealisedPnl ticker { lastPrice } }
    openOrders(first: 50) { nodes { orderId symbol side price qty cumExecQty orderStatus } }
    planOrders(category: USDT_FUTURES, first: 50) { nodes { orderId triggerPrice } }
  }
}`;

/** Who asks the exchange: one gateway with live state, one without, or each dashboard by itself. */
export type Way = "live" | "no live state" | "each by itself";

export interface FleetResult {
  readonly answers: number;
  /** Answers with an error in them. */
  readonly failed: number;
  readonly refused: number;
  readonly callsPerAccountMinute: number;
  /** Of each read in each answer, ms: of what moves with the market, and of everything else. */
  readonly pricedP99: number;
  readonly stateP99: number;
}

export interface Fleet {
  readonly way: Way;
  readonly accounts: number;
  readonly dashboards: number;
  readonly seconds: number;
  /** How often each account trades by other means than the gateway; never if left out. */
  readonly tradeEveryMs?: number;
  /** Streams are opened, and first answers are read, before anything is counted. */
  readonly warmUpMs?: number;
  /** After so long each dashboard goes on to another account; it never does if left out. */
  readonly shiftEveryMs?: number;
  /** How much time passes at once. */
  readonly stepMs?: number;
  /** Called after each minute that is counted. */
  onMinute?(minute: number, live: { readonly accounts: number; readonly connections: number }): Promise<void>;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Polls once a second from each dashboard, spread evenly over the second. */
export async function pollFleet({
  way,
  accounts: count,
  dashboards,
  seconds,
  tradeEveryMs,
  warmUpMs = 5_000,
  shiftEveryMs = Number.POSITIVE_INFINITY,
  stepMs = STEP_MS,
  onMinute,
}: Fleet): Promise<FleetResult> {
  const clock = new ManualClock(START);
  const uids = Array.from({ length: count }, (_, at) => `${7_700_000_000 + at}`);
  const sandbox = await startSandbox({ clock, hasPast: false, credentials: uids.map(credentialOf) });
  open(sandbox, uids);
  const accounts = uids.map(accountOf);
  const gateways = Array.from({ length: way === "each by itself" ? dashboards : 1 }, () =>
    gatewayOf(sandbox, accounts, clock, way),
  );
  const query = compileQuery(buildGraph(), parse(DOCUMENT));
  if (!isCompiledQuery(query)) throw new Error("the document cannot be compiled");
  const ages = { priced: [] as number[], state: [] as number[] };
  let answers = 0;
  let failed = 0;
  let isCounted = false;
  const underWay = new Set<Promise<void>>();
  const shifted = () => Math.floor((clock.now() - START) / shiftEveryMs) * dashboards;
  const ask = async (at: number): Promise<void> => {
    const gateway = gateways[at % gateways.length];
    if (gateway === undefined) return;
    const context = createContext(gateway.exchange, ANYONE, gateway.streams);
    const wasCounted = isCounted;
    const { errors = [] } = await query.query(undefined, context, { name: accounts[(at + shifted()) % count]?.name });
    if (!wasCounted) return;
    answers++;
    if (errors.length > 0) failed++;
    for (const { endpoint, ageMs, failed: isLost } of context.reads.trace.reads)
      if (!isLost) ages[PRICED.has(endpoint) ? "priced" : "state"].push(ageMs);
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      const from = Math.floor(((passed % 1_000) / 1_000) * dashboards);
      const to = Math.floor((((passed % 1_000) + stepMs) / 1_000) * dashboards);
      for (let at = from; at < to; at++) {
        const asking = ask(at).finally(() => underWay.delete(asking));
        underWay.add(asking);
      }
      if (tradeEveryMs !== undefined) {
        const trader = uids[Math.floor((passed % tradeEveryMs) / (tradeEveryMs / count))];
        if (trader !== undefined && passed % (tradeEveryMs / count) < stepMs) trade(sandbox, trader);
      }
      clock.advance(stepMs);
      await turn();
    }
  };
  const minutePassed = async (minute: number): Promise<void> => {
    const { connections = [], live } = gateways[0]?.streams?.gauges() ?? {};
    const kept = new Set(live?.kept.map(({ account }) => account));
    await onMinute?.(minute, { accounts: kept.size, connections: connections.length });
  };
  await pass(warmUpMs);
  const callsOf = () => Object.values(sandbox.calls.counts()).reduce((sum, { total }) => sum + total, 0);
  const refusedOf = () => Object.values(sandbox.calls.counts()).reduce((sum, { limited }) => sum + limited, 0);
  const before = { calls: callsOf(), refused: refusedOf() };
  isCounted = true;
  for (let second = 0; second < seconds; second += 60) {
    await pass(Math.min(MINUTE_MS, (seconds - second) * 1_000));
    await minutePassed(second / 60 + 1);
  }
  const after = { calls: callsOf(), refused: refusedOf() };
  while (underWay.size > 0) {
    clock.advance(STEP_MS);
    await turn();
  }
  for (const { streams, exchange } of gateways) {
    await streams?.close();
    await exchange.close();
  }
  await sandbox.close();
  return {
    answers,
    failed,
    refused: after.refused - before.refused,
    callsPerAccountMinute: ((after.calls - before.calls) / count / seconds) * 60,
    pricedP99: percentile(ages.priced, 0.99),
    stateP99: percentile(ages.state, 0.99),
  };
}

const credentialOf = (uid: string) => ({
  key: `key-${uid}`,
  secret: `secret-${uid}`,
  passphrase: "passphrase",
  uid,
  permissions: ALL_PERMISSIONS,
  isDemo: false,
});

const accountOf = (uid: string): ExchangeAccount => ({
  name: uid,
  credentials: { apiKey: new Secret(`key-${uid}`), apiSecret: new Secret(`secret-${uid}`), passphrase: new Secret("passphrase") },
  isCopyTrader: false,
});

/** Half of them are Classic; each holds coins, a position and an order that waits. */
function open({ world }: Sandbox, uids: readonly string[]): void {
  const { accounts, ledger } = world.state;
  for (const [at, uid] of uids.entries()) {
    const isUnified = at % 2 === 0;
    accounts.open({ uid, kind: "master", mode: isUnified ? "unified" : "classic", createdTime: START });
    const wallets = isUnified ? (["unified"] as const) : (["spot", "usdt-futures"] as const);
    for (const wallet of wallets) {
      ledger.move(houseWallet("chain"), walletOf(uid, wallet), "USDT", exact("50000"), "deposit");
      if (wallet !== "usdt-futures") ledger.move(houseWallet("chain"), walletOf(uid, wallet), "BTC", exact("1"), "deposit");
    }
    const symbol = at % 3 === 0 ? "BTCUSDT" : "ETHUSDT";
    const futures = isUnified ? {} : { marginCoin: "USDT", marginMode: "crossed" as const };
    const order = { uid, category: "USDT-FUTURES", symbol, side: "buy", quantity: exact("0.1"), ...futures } as const;
    world.orders.place({ ...order, orderType: "market" });
    world.orders.place({
      uid,
      category: "SPOT",
      symbol: "BTCUSDT",
      side: "buy",
      orderType: "limit",
      quantity: exact("0.01"),
      price: exact("20000"),
    });
  }
}

/** An order comes and is filled by other means than the gateway. */
function trade({ world }: Sandbox, uid: string): void {
  const order = { uid, category: "SPOT", symbol: "BTCUSDT", orderType: "market", quantity: exact("0.001") } as const;
  world.orders.place({ ...order, side: "sell" });
}

function gatewayOf(
  sandbox: Sandbox,
  accounts: readonly ExchangeAccount[],
  clock: ManualClock,
  way: Way,
): { readonly exchange: Exchange; readonly streams: Streams | undefined } {
  const exchange = createExchange({
    baseUrl: new URL(sandbox.url),
    accounts,
    demo: false,
    deadlineMs: way === "each by itself" ? 1_000 : 10_000,
    connections: way === "each by itself" ? 2 : 64,
    cacheEntries: 10_000,
    random: () => 0.5,
    clock,
  });
  if (way !== "live") return { exchange, streams: undefined };
  const streams = createStreams({ exchange, wsUrl: new URL(sandbox.wsUrl), clock, random: () => 0.5, live: "auto" });
  return { exchange, streams };
}
