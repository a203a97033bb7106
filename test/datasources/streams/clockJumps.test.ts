import { socketPath } from "@exchange-graph/contract/channels/limits";
import type { StreamedOrder } from "@exchange-graph/contract/channels/order";
import { DAY_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import type { Fill } from "@exchange-graph/contract/fill";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RequestReads } from "../../../src/datasources/index.js";
import { readFills } from "../../../src/datasources/reads/queries/fills.js";
import { readEveryOpenOrder } from "../../../src/datasources/reads/queries/openOrders.js";
import { passing } from "../../support/eventually.js";
import { START } from "./support/followed.js";
import { Heard, type StreamedSandbox, streamedSandbox } from "./support/streamedSandbox.js";

let world: StreamedSandbox;
beforeEach(async () => {
  world = await streamedSandbox();
});
afterEach(() => world.close());

const ACCOUNTS = [
  ["main", MAIN_UID],
  ["classic", CLASSIC_UID],
] as const;
const buy = (uid: string, clientOid?: string) => {
  const order = { uid, category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "market", clientOid } as const;
  world.sandbox.world.orders.place({ ...order, quantity: exact("0.001") });
};
/** Cuts all private connections; none can be opened until the returned function is called. */
function cut(): () => void {
  const paths = (["v2", "v3"] as const).map((version) => socketPath(version, "private"));
  const faults = paths.map((socket) => world.sandbox.faults.add({ socket, fault: { kind: "drop" } }));
  world.sandbox.sockets.drop();
  return () => {
    for (const fault of faults) world.sandbox.faults.remove(fault);
  };
}

function listenToFills(name: "main" | "classic", after: string | null) {
  const heard = new Heard<readonly Fill[]>();
  const leave = world.streams.accounts.listen("fills", world.account(name), {
    next: (event) => heard.next(event),
    failed: (fault) => heard.failed(fault),
    after,
  });
  return { heard, leave };
}

/** Moves the exchange's clock, and lets answers come until the gateway's estimate has followed and several of them agree. */
async function skew(skewMs: number): Promise<void> {
  world.sandbox.clock.skewMs = skewMs;
  const isFollowed = () => Math.abs(world.exchange.clock.now() - world.clock.now() - skewMs) < 1_000;
  for (let second = 0; second < 200 && (second < 3 || !isFollowed()); second++) {
    // Its answers have the exchange's time, refusals too.
    void Promise.allSettled([readEveryOpenOrder(new RequestReads(world.exchange), world.account("main"))]);
    await world.pass(1_000, 250);
  }
  expect(isFollowed()).toBe(true);
}

describe.each(ACCOUNTS)("the streams of %s", (name, uid) => {
  it("go on after a gap in which the exchange's clock was set back by a day, with what happened meanwhile", async () => {
    const { accounts } = world.streams;
    const heard = { orders: new Heard(), planOrders: new Heard(), fills: new Heard() };
    accounts.listen("orders", world.account(name), heard.orders);
    accounts.listen("planOrders", world.account(name), heard.planOrders);
    accounts.listen("fills", world.account(name), heard.fills);
    await world.until(() => heard.orders.events.length > 0 && heard.planOrders.events.length > 0);
    await skew(DAY_MS);
    const mend = cut();
    await world.until(() => heard.orders.last.stale);
    await skew(0);
    const order = { uid, category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit" } as const;
    world.sandbox.world.orders.place({ ...order, price: exact("55000"), quantity: exact("0.001"), clientOid: "meanwhile" });
    mend();
    await world.until(() => Object.values(heard).some(({ fault }) => fault !== undefined) || !heard.orders.last.stale);
    expect(Object.values(heard).map(({ fault }) => fault)).toEqual([undefined, undefined, undefined]);
    expect(heard.orders.events.flatMap(({ value }) => value)).toContainEqual(expect.objectContaining({ clientOid: "meanwhile" }));
  });
});

describe.each(ACCOUNTS)("an execution of %s that the exchange dates ahead of the gateway's estimate of its time", (name, uid) => {
  it("is found after a gap, with its order", async () => {
    const { accounts } = world.streams;
    const heard = { orders: new Heard<readonly StreamedOrder[]>(), fills: new Heard<readonly Fill[]>() };
    accounts.listen("orders", world.account(name), heard.orders);
    accounts.listen("fills", world.account(name), heard.fills);
    await world.until(() => heard.orders.events.length > 0);
    await world.pass(2_000);
    const mend = cut();
    await world.until(() => heard.orders.last.stale && heard.fills.events.at(-1)?.stale === true);
    // Its former time has been read often, so that some other answers do not move the estimate.
    const [local, time] = [world.exchange.clock.local(), world.sandbox.clock.now()];
    for (let sample = 0; sample < 9; sample++) world.exchange.clock.observe(local, local, time);
    world.sandbox.clock.skewMs = 20_000;
    buy(uid);
    mend();
    await world.until(() => !heard.orders.last.stale && !heard.fills.last.stale);
    expect(heard.fills.events.flatMap(({ value }) => value).length).toBeGreaterThan(0);
    expect(heard.orders.events.flatMap(({ value }) => value)).toContainEqual(
      expect.objectContaining({ symbol: "BTCUSDT", status: "filled" }),
    );
  });

  it("is in the next answer from streams", async () => {
    await world.close();
    world = await streamedSandbox("v3", {}, START, undefined, false, "all");
    const look = async () => {
      const reads = new RequestReads(world.exchange, { live: world.streams.live });
      const reading = readFills(reads, world.account(name), { category: "SPOT" }, { first: 20 });
      const { rows } = await passing(world.clock, 20, reading);
      return { isLive: reads.trace.reads.every(({ source }) => source === "STREAM"), count: rows.length };
    };
    for (let second = 0; second < 20; second++) {
      await look();
      await world.pass(1_000, 250);
    }
    world.sandbox.clock.skewMs = 20_000;
    buy(uid);
    await world.pass(400, 100);
    const { isLive, count } = await look();
    expect([isLive, count > 0]).toEqual([true, true]);
  });
});

it.each(ACCOUNTS)(
  "an execution of %s in a gap is found though the exchange dates it later than its clock, set back by a minute, is",
  async (name, uid) => {
    const { heard } = listenToFills(name, null);
    const orders = () => new Set(heard.events.flatMap(({ value }) => value.map(({ orderId }) => orderId))).size;
    await world.until(() => heard.events.length > 0);
    await skew(60_000);
    buy(uid);
    await world.until(() => orders() === 1);
    const mend = cut();
    await world.until(() => heard.last.stale);
    await skew(0);
    buy(uid);
    mend();
    await world.until(() => !heard.last.stale);
    expect(orders()).toBe(2);
  },
);

it.each(ACCOUNTS)(
  "an execution of %s is found, with its order, after a gap in which the exchange's clock was set ahead by a minute and back",
  async (name, uid) => {
    const orders = new Heard<readonly StreamedOrder[]>();
    world.streams.accounts.listen("orders", world.account(name), orders);
    const { heard } = listenToFills(name, null);
    await world.until(() => heard.events.length > 0 && orders.events.length > 0);
    const mend = cut();
    await world.until(() => heard.last.stale && orders.last.stale);
    await skew(60_000);
    buy(uid, "meanwhile");
    await skew(0);
    mend();
    await world.until(() => !heard.last.stale && !orders.last.stale);
    expect(heard.events.flatMap(({ value }) => value).length).toBeGreaterThan(0);
    expect(orders.events.flatMap(({ value }) => value)).toContainEqual(expect.objectContaining({ clientOid: "meanwhile" }));
  },
);

it.each(ACCOUNTS)(
  "an order of %s that ends in a gap is found though the exchange's clock was set ahead by a day later in it",
  async (name, uid) => {
    const orders = new Heard<readonly StreamedOrder[]>();
    world.streams.accounts.listen("orders", world.account(name), orders);
    await world.until(() => orders.events.length > 0);
    const mend = cut();
    await world.until(() => orders.last.stale);
    buy(uid, "meanwhile");
    await skew(DAY_MS);
    mend();
    await world.until(() => !orders.last.stale);
    expect(orders.events.flatMap(({ value }) => value)).toContainEqual(
      expect.objectContaining({ clientOid: "meanwhile", status: "filled" }),
    );
  },
);

it.each(ACCOUNTS)(
  "an execution of %s from before a stream is not emitted after a gap, though the exchange dates it later than its clock, set back, is",
  async (name, uid) => {
    await skew(DAY_MS);
    buy(uid, "before");
    await world.pass(1_000, 250);
    await skew(0);
    const { heard } = listenToFills(name, null);
    await world.until(() => heard.events.length > 0);
    const orders = () => new Set(heard.events.flatMap(({ value }) => value.map(({ orderId }) => orderId)));
    buy(uid, "since");
    await world.until(() => orders().size > 0);
    await world.pass(10_000, 250);
    world.sandbox.sockets.drop();
    await world.until(() => heard.last.stale);
    await world.until(() => !heard.last.stale);
    expect(orders().size).toBe(1);
  },
);

it("a listener of fills that comes back after the exchange's clock was set back is told of a possible gap", async () => {
  await skew(DAY_MS);
  const first = listenToFills("main", null);
  await world.until(() => first.heard.events.length > 0);
  first.leave();
  await world.pass(6_000, 500);
  expect(world.streams.gauges().topics).toEqual([]);
  await skew(0);
  const back = listenToFills("main", first.heard.last.position ?? null);
  await world.until(() => back.heard.events.length > 0);
  expect(back.heard.last).toMatchObject({ stale: false, resumed: { isWhole: false } });
});

it("a gap before which the exchange's clock was set back ends no earlier than what it had shown", async () => {
  const { heard, leave } = listenToFills("main", null);
  await world.until(() => heard.events.length > 0);
  const { time } = heard.last;
  leave();
  await skew(60_000);
  buy(MAIN_UID);
  const executedAt = world.sandbox.clock.now();
  await skew(0);
  const back = listenToFills("main", `${time.toString(36)}.forgotten`);
  await world.until(() => back.heard.events.length > 0);
  const { resumed } = back.heard.last;
  if (resumed?.isWhole !== false) throw new Error("it was not told of a gap");
  expect(resumed.to).toBeGreaterThanOrEqual(executedAt);
});

it("a gap after a position that is later than the exchange's time has no beginning, and ends a second after the position", async () => {
  const later = START + DAY_MS;
  const { heard } = listenToFills("main", `${later.toString(36)}.nowhere`);
  await world.until(() => heard.events.length > 0);
  expect(heard.last.resumed).toEqual({ isWhole: false, from: null, to: later + 1_000 });
});
