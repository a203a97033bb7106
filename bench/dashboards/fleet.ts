import { tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { ManualClock } from "@exchange-graph/contract/clock";
import { startSandbox } from "@exchange-graph/sandbox";
import { parse } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { ANYONE, buildGraph, createContext } from "../../src/resolvers/index.js";
import { accountOf, credentialOf, gatewayOf, open, trade, type Way } from "./fleetWorld.js";
import { Distribution } from "./percentile.js";

/** Dashboards over many accounts: what the gateway asks of the exchange for them, with live state, without, and without a gateway. */

const START = Date.UTC(2026, 0, 5, 12);
const STEP_MS = 10;
const MINUTE_MS = 60_000;
/** What moves with the market is as old as the last word of the ticker streams, which the exchange sends three to five times a second. */
const FIGURES: ReadonlySet<string> = new Set(["positions", "classicPositions", "unifiedAssets", "futuresAccounts"]);
const PRICED: ReadonlySet<string> = new Set(["tickers", ...FIGURES]);
/** The accounts are all up when nobody has asked the exchange for anything for so many seconds; by then at the latest they have to be. */
const QUIET_SECONDS = 3;
const MAX_BRING_UP_SECONDS = 300;

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

export interface FleetResult {
  readonly answers: number;
  /** Answers with an error in them. */
  readonly failed: number;
  readonly refused: number;
  readonly callsPerAccountMinute: number;
  /** Of each read in each answer, ms: of what moves with the market, and of everything else. */
  readonly pricedP99: number;
  readonly stateP99: number;
  /** Of the figures of positions and accounts: how much of that is not the pace at which the exchange pushes prices, ms. */
  readonly addedP99: number;
  /** What came before anything was counted. */
  readonly bringUp: {
    readonly seconds: number;
    readonly callsPerAccount: number;
    readonly refused: number;
    readonly failed: number;
  };
}

export interface Fleet {
  readonly way: Way;
  readonly accounts: number;
  readonly dashboards: number;
  readonly seconds: number;
  /** How often each account trades by other means than the gateway, once it is counted. Default: never. */
  readonly tradeEveryMs?: number;
  /** For so long streams are opened and first answers read before anything is counted. Default: until the exchange gets no more calls. */
  readonly warmUpMs?: number;
  /** After so long each dashboard goes on to another account. Default: never. */
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
  warmUpMs,
  shiftEveryMs = Number.POSITIVE_INFINITY,
  stepMs = STEP_MS,
  onMinute,
}: Fleet): Promise<FleetResult> {
  const clock = new ManualClock(START);
  const uids = Array.from({ length: count }, (_, at) => `${7_700_000_000 + at}`);
  const sandbox = await startSandbox({ clock, hasPast: false, credentials: uids.map(credentialOf) });
  open(sandbox, uids, START);
  const accounts = uids.map(accountOf);
  const gateways = Array.from({ length: way === "each by itself" ? dashboards : 1 }, () =>
    gatewayOf(sandbox, accounts, clock, way),
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

/** How long ago the exchange could push the last prices: of contracts and of coins in turns of their own, the same for all symbols. */
const sincePrices = (now: number): number => Math.max(now % tickerChannel.frequency.futures, now % tickerChannel.frequency.spot);
