import { tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { ManualClock } from "@exchange-graph/contract/clock";
import { startSandbox } from "@exchange-graph/sandbox";
import { parse } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { ANYONE, buildGraph, createContext } from "../../src/resolvers/index.js";
import { accountOf, credentialOf, gatewayOf, openAccounts, type SetUp, trade } from "./fleetWorld.js";
import { Distribution } from "./percentile.js";

/**
 * Dashboards over many accounts: calls to the exchange and age of the data, with live state, without it, and without a shared
 * gateway.
 */

const START = Date.UTC(2026, 0, 5, 12);
const STEP_MS = 10;
const MINUTE_MS = 60_000;
/**
 * Endpoints whose data depends on prices. It is as old as the last ticker push; the exchange pushes three to five times a
 * second.
 */
const FIGURES: ReadonlySet<string> = new Set(["positions", "classicPositions", "unifiedAssets", "futuresAccounts"]);
const PRICED: ReadonlySet<string> = new Set(["tickers", ...FIGURES]);
/**
 * All accounts count as live after this many seconds without a call to the exchange, and at the latest after the second figure.
 */
const QUIET_SECONDS = 3;
const MAX_BRING_UP_SECONDS = 300;

/** A dashboard query of one account, with data that streams carry. */
const DOCUMENT = `query ($name: String) {
  account(name: $name) {
    totalEquity
    balances { coin equity available }
    positions { symbol posSide qty markPrice unrealisedPnl ticker { lastPrice } }
    openOrders(first: 50) { nodes { orderId symbol side price qty cumExecQty status } }
    planOrders(category: USDT_FUTURES, first: 50) { nodes { orderId triggerPrice } }
  }
}`;

export interface FleetResult {
  readonly answers: number;
  /** Answers with errors. */
  readonly failed: number;
  readonly refused: number;
  readonly callsPerAccountMinute: number;
  /** Age of each read in each answer, ms: of price-dependent data, and of all other data. */
  readonly pricedP99: number;
  readonly stateP99: number;
  /** Age of positions and account figures beyond the time since the exchange's last possible price push, ms. */
  readonly addedP99: number;
  /** The phase before the measurement. */
  readonly bringUp: {
    readonly seconds: number;
    readonly callsPerAccount: number;
    readonly refused: number;
    readonly failed: number;
  };
}

export interface Fleet {
  readonly setUp: SetUp;
  readonly accounts: number;
  readonly dashboards: number;
  readonly seconds: number;
  /** Interval at which each account trades without the gateway, during the measurement. Default: never. */
  readonly tradeEveryMs?: number;
  /** Duration of the warm-up before the measurement. Default: until the exchange gets no more calls. */
  readonly warmUpMs?: number;
  /** Interval at which each dashboard switches to another account. Default: never. */
  readonly shiftEveryMs?: number;
  /** Step of the virtual clock. */
  readonly stepMs?: number;
  /** Called after each measured minute. */
  onMinute?(minute: number, live: { readonly accounts: number; readonly connections: number }): Promise<void>;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Polls once a second from each dashboard, spread evenly over the second. */
export async function pollFleet({
  setUp,
  accounts: count,
  dashboards,
  seconds,
  tradeEveryMs,
  warmUpMs,
  shiftEveryMs = Number.POSITIVE_INFINITY,
  stepMs = STEP_MS,
  onMinute,
}: Fleet): Promise<FleetResult> {
  const clock = new ManualClock(START);
  const uids = Array.from({ length: count }, (_, at) => `${7_700_000_000 + at}`);
  const sandbox = await startSandbox({ clock, hasPast: false, credentials: uids.map(credentialOf) });
  openAccounts(sandbox, uids, START);
  const accounts = uids.map(accountOf);
  const gateways = Array.from({ length: setUp === "gateway per dashboard" ? dashboards : 1 }, () =>
    gatewayOf(sandbox, accounts, clock, setUp),
  );
  const query = compileQuery(buildGraph(), parse(DOCUMENT));
  if (!isCompiledQuery(query)) throw new Error("the document cannot be compiled");
  const ages = { priced: new Distribution(), state: new Distribution(), added: new Distribution() };
  let answers = 0;
  let failed = 0;
  let failedBefore = 0;
  let isCounted = false;
  const underWay = new Set<Promise<void>>();
  const shifted = () => Math.floor((clock.now() - START) / shiftEveryMs) * dashboards;
  const ask = async (at: number): Promise<void> => {
    const gateway = gateways[at % gateways.length];
    if (gateway === undefined) return;
    const context = createContext(gateway.exchange, ANYONE, gateway.streams);
    const wasCounted = isCounted;
    const paceMs = sincePrices(clock.now());
    const { errors = [] } = await query.query(undefined, context, { name: accounts[(at + shifted()) % count]?.name });
    if (!wasCounted) {
      if (errors.length > 0) failedBefore++;
      return;
    }
    answers++;
    if (errors.length > 0) failed++;
    for (const { endpoint, ageMs, failed: isLost } of context.reads.trace.reads) {
      if (isLost) continue;
      ages[PRICED.has(endpoint) ? "priced" : "state"].add(ageMs);
      if (FIGURES.has(endpoint)) ages.added.add(Math.max(0, ageMs - paceMs));
    }
  };
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      const from = Math.floor(((passed % 1_000) / 1_000) * dashboards);
      const to = Math.floor((((passed % 1_000) + stepMs) / 1_000) * dashboards);
      for (let at = from; at < to; at++) {
        const asking = ask(at).finally(() => underWay.delete(asking));
        underWay.add(asking);
      }
      if (tradeEveryMs !== undefined && isCounted) {
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
  const callsOf = () => Object.values(sandbox.calls.counts()).reduce((sum, { total }) => sum + total, 0);
  const refusedOf = () => Object.values(sandbox.calls.counts()).reduce((sum, { limited }) => sum + limited, 0);
  const bringUp = async (): Promise<void> => {
    let quiet = 0;
    for (let second = 0; second < MAX_BRING_UP_SECONDS && quiet < QUIET_SECONDS; second++) {
      const calls = callsOf();
      await pass(1_000);
      const waiting = gateways.reduce((sum, { exchange }) => sum + exchange.scheduler.overall().waiting, 0);
      quiet = waiting === 0 && calls > 0 && callsOf() === calls ? quiet + 1 : 0;
    }
  };
  await (warmUpMs === undefined ? bringUp() : pass(warmUpMs));
  const before = { calls: callsOf(), refused: refusedOf(), seconds: (clock.now() - START) / 1_000 };
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
    pricedP99: ages.priced.percentile(0.99),
    stateP99: ages.state.percentile(0.99),
    addedP99: ages.added.percentile(0.99),
    bringUp: {
      seconds: before.seconds,
      callsPerAccount: before.calls / count,
      refused: before.refused,
      failed: failedBefore,
    },
  };
}

/**
 * Time since the last moment at which the exchange could push prices. Futures and spot have separate intervals, equal for all
 * symbols.
 */
const sincePrices = (now: number): number => Math.max(now % tickerChannel.frequency.futures, now % tickerChannel.frequency.spot);
