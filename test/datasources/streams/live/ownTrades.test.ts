import { endpointNamed, endpoints } from "@exchange-graph/contract";
import { HOUR_MS, ManualClock } from "@exchange-graph/contract/clock";
import { type ProductCategory, STRATEGY_TYPES } from "@exchange-graph/contract/vocabulary";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sharingOver } from "../../../../packages/replicas/src/relay/relay.js";
import { credentialOf } from "../../../../packages/sandbox/test/support/signedCall.js";
import { type DataSource, type ExchangeAccount, RequestReads } from "../../../../src/datasources/index.js";
import { isFuturesCategory } from "../../../../src/datasources/reads/queries/categories.js";
import { createStreams, type Streams } from "../../../../src/datasources/streams/index.js";
import { placeOrder } from "../../../../src/datasources/writes/mutations/placeOrder.js";
import { passing, settled } from "../../../support/eventually.js";
import { exchangeOver, sandboxAccount } from "../../../support/exchangeOver.js";
import { RelayEngine } from "../../../support/relayStores.js";
import { ownInstrumentation } from "../../../support/searchedTelemetry.js";
import { WideScheduler } from "../../../support/wideScheduler.js";
import { writesOn } from "../../../support/writesOn.js";
import { START } from "../support/followed.js";
import { saidBy } from "../support/saidBy.js";
import { readsOf } from "../support/stateMatrix.js";

/** Accounts that trade through the gateway, at one of several replicas, while all of their state is read at each of them. */

type Name = "main" | "classic";
const UIDS: Readonly<Record<Name, string>> = { main: MAIN_UID, classic: CLASSIC_UID };
const MODES = { main: "unified", classic: "classic" } as const;
const STEP_MS = 50;
/** After a write everything is proven again long before. */
const QUIET_MS = 15_000;
const PRIVATE = endpoints.filter(({ access }) => access === "private").map(({ name }) => name);

interface Replica {
  readonly exchange: DataSource;
  readonly streams: Streams;
}

let clock: ManualClock;
let sandbox: Sandbox;
let replicas: readonly Replica[];
/** Reads the exchange's own answers, and shares nothing with the gateway. */
let other: DataSource;

const ACCOUNTS: Readonly<Record<Name, ExchangeAccount>> = {
  main: sandboxAccount("main", credentialOf("main")),
  classic: sandboxAccount("classic", credentialOf("classic")),
};

beforeEach(async () => {
  clock = new ManualClock(START + HOUR_MS);
  sandbox = await startSandbox({ signedQuery: "decoded", clock, hasPast: false, enforceLimits: false, marketMs: 10_000 });
  const relay = new RelayEngine(clock);
  const exchange = () =>
    exchangeOver(new URL(sandbox.url), {
      ...{ clock, accounts: Object.values(ACCOUNTS), deadlineMs: 30_000, scheduler: new WideScheduler(clock) },
      instrumentation: ownInstrumentation(),
    });
  replicas = ["a", "b", "c"].map((name) => {
    const own = exchange();
    const wsUrl = new URL(sandbox.wsUrl);
    const streams = createStreams({
      ...{ exchange: own, wsUrl, live: "all", clock, random: () => 0.5, share: sharingOver(relay.store(name)) },
      instrumentation: ownInstrumentation(),
    });
    return { exchange: own, streams };
  });
  other = exchange();
});
afterEach(async () => {
  await Promise.all(replicas.map(({ streams }) => streams.close()));
  await Promise.all([other, ...replicas.map(({ exchange }) => exchange)].map((one) => one.close()));
  await sandbox.close();
});

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await settled(4);
    clock.advance(STEP_MS);
  }
  await settled(4);
}

/** Lets time pass until something has ended. */
const ended = <T>(what: Promise<T>): Promise<T> => passing(clock, STEP_MS / 2, what);

/** All of the account's state at these replicas, and whether all of it came from streams. */
async function readAll(name: Name, at: readonly Replica[] = replicas) {
  const all = at.map(async ({ exchange, streams }) => {
    const reads = new RequestReads(exchange, { live: streams.live });
    const lists = Object.entries(readsOf({ state: { mode: MODES[name] }, account: ACCOUNTS[name] }));
    const answers = Object.fromEntries(await Promise.all(lists.map(async ([what, read]) => [what, await read(reads)])));
    const own = reads.trace.reads.filter(({ account }) => account === name);
    return { answers, isLive: own.every(({ source }) => source === "STREAM") };
  });
  return ended(Promise.all(all));
}

/** Until all of the account's state is live at these replicas. */
async function live(name: Name, at: readonly Replica[] = replicas): Promise<void> {
  for (let second = 0; second < 60; second++) {
    const found = await readAll(name, at);
    if (second > 5 && found.every(({ isLive }) => isLive)) return;
    await pass(1_000);
  }
  throw new Error(`${name} is not live`);
}

const SYMBOLS = {
  SPOT: { symbol: "BTCUSDT", qty: "0.001", price: "55000" },
  MARGIN: { symbol: "BTCUSDT", qty: "0.001", price: "55000" },
  "USDT-FUTURES": { symbol: "BTCUSDT", qty: "0.01", price: "55000" },
  "USDC-FUTURES": { symbol: "BTCPERP", qty: "0.01", price: "55000" },
  "COIN-FUTURES": { symbol: "BTCUSD", qty: "0.01", price: "55000" },
} as const satisfies Readonly<Record<ProductCategory, object>>;

/** Places a limit order far from the market at the first replica; with `isMarket`, one that is executed at once. */
async function place(name: Name, category: ProductCategory, isMarket = false): Promise<void> {
  const [first] = replicas;
  if (first === undefined) throw new Error("no replica");
  const { symbol, qty, price } = SYMBOLS[category];
  // A market buy outside futures spends an amount of quote coin.
  const size = isMarket && !isFuturesCategory(category) ? { quoteQty: "60" } : { qty };
  const placing = placeOrder(writesOn(first.exchange), ACCOUNTS[name], {
    ...{ category, symbol, side: "buy", ...size, orderType: isMarket ? "market" : "limit" },
    ...(isMarket ? {} : { price }),
  });
  const { outcome } = await ended(placing);
  expect(outcome).toBe("ACCEPTED");
}

/** Reads that the rules of a new order need. */
const RULES = ["accountSettings", "classicFuturesAccount"];

/** Lists of an account that were read in the time after a write in which nobody asked for anything, by endpoint. */
async function listsReadAfter(name: Name, write: () => Promise<void>): Promise<Readonly<Record<string, number>>> {
  sandbox.calls.clear();
  await write();
  await pass(QUIET_MS);
  const counts: Record<string, number> = {};
  for (const { uid, endpoint } of sandbox.calls.latest())
    if (uid === UIDS[name] && endpointNamed(endpoint)?.method === "GET" && !RULES.includes(endpoint))
      counts[endpoint] = (counts[endpoint] ?? 0) + 1;
  return counts;
}

/** The state of the account at these replicas, all of it from streams, equals the exchange's own answers. */
async function expectEqual(name: Name, at: readonly Replica[]): Promise<void> {
  await live(name, at);
  const found = await readAll(name, at);
  other.reader.drop(name, PRIVATE);
  const lists = readsOf({ state: { mode: MODES[name] }, account: ACCOUNTS[name] });
  // Figures at current prices are compared where prices stand still.
  for (const what of ["orders", "plans", "fills"]) {
    const exchange = JSON.stringify(await ended(Promise.resolve(lists[what]?.(new RequestReads(other)))), withoutCursors);
    const expected: unknown = JSON.parse(exchange);
    for (const { answers } of found) {
      const streamed: unknown = JSON.parse(JSON.stringify(answers[what], withoutCursors));
      expect([what, saidBy(expected, streamed)]).toEqual([what, expected]);
    }
  }
}

/** The cursors of pages contain the time of their reading. */
const withoutCursors = (field: string, value: unknown): unknown => (field === "cursor" ? undefined : value);

const UNIFIED = { openOrders: 1, fills: 1, unifiedAssets: 1 };
const UNIFIED_FUTURES = { ...UNIFIED, positions: 1, openPlanOrders: STRATEGY_TYPES.length };
const CLASSIC_SPOT = { classicSpotOpenOrders: 2, classicSpotFills: 1, classicSpotAssets: 1 };
const CLASSIC_FUTURES = {
  ...{ classicFuturesOpenOrders: 1, classicFuturesFillHistory: 1, futuresAccounts: 1 },
  ...{ classicPositions: 1, classicOpenPlanOrders: 3 },
};
const CASES = [
  ["main", "SPOT", UNIFIED],
  ["main", "MARGIN", UNIFIED],
  ["main", "USDT-FUTURES", UNIFIED_FUTURES],
  ["main", "USDC-FUTURES", UNIFIED_FUTURES],
  ["main", "COIN-FUTURES", UNIFIED_FUTURES],
  ["classic", "SPOT", CLASSIC_SPOT],
  ["classic", "USDT-FUTURES", CLASSIC_FUTURES],
  ["classic", "USDC-FUTURES", CLASSIC_FUTURES],
  ["classic", "COIN-FUTURES", CLASSIC_FUTURES],
] as const;

describe("an order that is placed through the gateway", () => {
  it.each(CASES)("by %s on %s has only the lists read that belong to its category, each once", async (name, category, lists) => {
    const at = replicas.slice(0, 1);
    await live(name, at);
    expect(await listsReadAfter(name, () => place(name, category))).toEqual(lists);
    expect(await listsReadAfter(name, () => place(name, category, true))).toEqual(lists);
    await expectEqual(name, at);
  });

  it.each([
    ["main", "SPOT", UNIFIED],
    ["classic", "USDT-FUTURES", CLASSIC_FUTURES],
  ] as const)("by %s on %s has the same lists read at two other replicas", async (name, category, lists) => {
    await live(name, replicas);
    const ofAll = Object.fromEntries(Object.entries(lists).map(([endpoint, count]) => [endpoint, count * replicas.length]));
    expect(await listsReadAfter(name, () => place(name, category))).toEqual(ofAll);
    await expectEqual(name, replicas);
    await place(name, category);
    const orders = (await readAll(name, replicas)).map(({ answers }) => answers.orders);
    expect(orders.map((list) => Array.isArray(list) && list.length)).toEqual([2, 2, 2]);
  });
});
