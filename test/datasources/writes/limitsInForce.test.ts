import { afterEach, describe, expect, it } from "vitest";
import type { ExchangeAccount } from "../../../src/datasources/index.js";
import type { LimitBook, TradingLimits } from "../../../src/datasources/writes/limits/tradingLimits.js";
import { type PlaceOrderInput, placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import type { LimitsEvent } from "../../../src/instrumentation/events.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import { accountIn } from "../../support/exchangeOver.js";
import { ownInstrumentation } from "../../support/searchedTelemetry.js";
import { writesOn } from "../../support/writesOn.js";
import { resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange } from "./support/liveExchange.js";

let live: LiveExchange;
afterEach(() => live.close());

const btc = (most: string) => ({ coins: new Map([["BTC", most]]) });
const book = (accounts: Readonly<Record<string, TradingLimits>>): LimitBook => ({
  accounts: new Map(Object.entries(accounts)),
  clients: new Map(),
});
const events: LimitsEvent[] = [];
type User = "main" | "classic";
let keys: Readonly<Record<User, ExchangeAccount["credentials"]>>;

async function start(accounts: Readonly<Record<string, TradingLimits>>): Promise<void> {
  const instrumentation = ownInstrumentation();
  events.length = 0;
  listen(instrumentation, instrumentation.limits, (one) => events.push(one));
  live = await startLiveExchange({ limits: book(accounts), instrumentation });
  keys = { main: live.account("main").credentials, classic: live.account("classic").credentials };
}

/** Gives accounts names, and waits until their users are known, as the check of keys does. */
async function name(names: Readonly<Record<string, User>>): Promise<void> {
  live.exchange.directory.replace(
    Object.entries(names).map(([called, of]) => ({ name: called, credentials: keys[of], isCopyTrader: false })),
  );
  await live.during(Promise.all(live.exchange.accounts.map((account) => live.exchange.users.of(account))));
}
const inForce = () => live.exchange.writes.limits.inForce;

let orders = 0;
/** The outcome of an order through this account, or what was said of it. */
async function place(called: string, more: Partial<PlaceOrderInput> = {}): Promise<string | null> {
  const order = resting(`order-${orders++}`, more);
  const account = accountIn(live.exchange, called);
  const { outcome, problems } = await live.during(placeOrder(writesOn(live.exchange), account, order));
  return problems[0]?.message ?? outcome;
}

describe("the limits of an account", () => {
  it("follow its user when it is renamed, and when two accounts swap their names", async () => {
    await start({ main: { order: btc("0.001") } });
    await name({ main: "main", classic: "classic" });
    await name({ trading: "main", classic: "classic" });
    const broken = "qty must keep within 0.001 BTC in one order (accounts.main.order.coins.BTC): this is 0.002";
    expect(await place("trading", { qty: "0.002" })).toBe(broken);
    await name({ main: "main", classic: "classic" });
    await name({ main: "classic", classic: "main" });
    expect(await place("classic", { qty: "0.002" })).toBe(broken);
    expect(await place("main", { qty: "0.002" })).toBe(broken);
    expect(inForce().unlimited).toEqual([]);
  });

  it("are reported as lost when new ones lack them, under its new name as well, until it has limits again", async () => {
    await start({ main: { order: btc("0.001") } });
    await name({ main: "main", classic: "classic" });
    await name({ trading: "main", classic: "classic" });
    inForce().replace(book({ classic: { order: btc("1") } }));
    expect(inForce().unlimited).toEqual(["trading"]);
    expect(await place("trading", { qty: "0.002" })).toBe("ACCEPTED");
    inForce().replace(book({ "*": { order: btc("0.001") } }));
    expect(inForce().unlimited).toEqual([]);
    expect(await place("trading", { qty: "0.002" })).toContain("(accounts.*.order.coins.BTC)");
    expect(events).toEqual([
      { unlimited: ["trading"], differing: [] },
      { unlimited: [], differing: [] },
    ]);
  });
});

describe("two names of one user with different limits", () => {
  const LIMITS = {
    loose: { order: btc("1"), day: btc("0.004"), ordersPerSecond: 9, symbols: new Set(["BTCUSDT", "ETHUSDT"]) },
    strict: { order: btc("0.002"), day: btc("9"), ordersPerSecond: 1, symbols: new Set(["BTCUSDT"]) },
  };

  it("have the strictest of them, whichever is used first, and that is reported", async () => {
    await start({});
    inForce().replace(book(LIMITS));
    live.exchange.directory.replace(
      ["loose", "strict"].map((called) => ({ name: called, credentials: keys.main, isCopyTrader: false })),
    );
    expect(await place("loose", { qty: "0.003" })).toContain("(accounts.strict.order.coins.BTC)");
    expect(events.at(-1)).toEqual({ unlimited: [], differing: [["loose", "strict"]] });
    expect(await place("loose", { symbol: "ETHUSDT", price: "2000" })).toContain("(accounts.strict.symbols)");
    expect(await place("loose", { qty: "0.002" })).toBe("ACCEPTED");
    expect(await place("strict", { qty: "0.001" })).toContain("at most 1 orders a second");
    await live.pass(1_100);
    expect(await place("strict", { qty: "0.002" })).toBe("ACCEPTED");
    await live.pass(1_100);
    expect(await place("strict", { qty: "0.001" })).toContain("(accounts.loose.day.coins.BTC): 0.004 are used");
  });
});

it("new limits reach orders that wait for rate budget, and their keys are free afterwards", async () => {
  await start({});
  const names = Array.from({ length: 80 }, (_, at) => `queued-${at}`);
  const account = live.account("main");
  const waiting = Promise.all(names.map((called) => placeOrder(live.writes(), account, resting(called))));
  await live.pass(100);
  const left = live.sandbox.calls.of("placeOrder").total;
  inForce().replace(book({ "*": { symbols: new Set(["ETHUSDT"]) } }));
  const results = await live.during(waiting);
  expect(left).toBeGreaterThan(0);
  expect(live.sandbox.calls.of("placeOrder").total).toBe(left);
  expect(results.filter(({ problems: [problem] }) => problem?.code === "LIMIT_EXCEEDED")).toHaveLength(names.length - left);
  inForce().replace(book({}));
  await live.pass(1_000);
  expect((await live.during(placeOrder(live.writes(), account, resting("queued-79")))).outcome).toBe("ACCEPTED");
});

it("new limits count what waits: queued orders do not leave beyond them", async () => {
  await start({});
  const names = Array.from({ length: 60 }, (_, at) => `counted-${at}`);
  const waiting = Promise.all(names.map((called) => placeOrder(live.writes(), live.account("main"), resting(called))));
  await live.pass(100);
  const left = live.sandbox.calls.of("placeOrder").total;
  inForce().replace(book({ main: { day: btc("0.005") } }));
  const accepted = (await live.during(waiting)).filter(({ outcome }) => outcome === "ACCEPTED");
  expect(accepted.length - left).toBe(5);
});
