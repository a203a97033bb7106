import type { StreamedOrder } from "@exchange-graph/contract/channels/order";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../../src/datasources/errors/fault.js";
import { ordersState } from "../../../../src/datasources/streams/channels/orders.js";
import { settled } from "../../../support/eventually.js";
import { startedForEach } from "../../../support/started.js";
import { accountWorld, type WireOrder, wireOrder } from "../support/accountWorld.js";
import { START } from "../support/followed.js";
import type { HandFedTopic, Written } from "../support/handFed.js";

type Orders = readonly StreamedOrder[];

const reported = ({ events }: Written<Orders>): string[] =>
  events.map(
    ({ kind, stale, value }) =>
      `${kind}${stale ? " stale" : ""}: ${value.map(({ orderId, status }) => `${orderId} ${status}`).join(", ")}`,
  );

const at = (later: number) => String(START + later);

describe("a stream of orders", () => {
  const world = startedForEach(accountWorld);
  const topic = (): HandFedTopic => world.topic({ topic: "order" });
  /** Something happens to an order at the exchange. */
  const happens = (orderId: string, changes: Partial<WireOrder> = {}): WireOrder => {
    const order = wireOrder(orderId, { ...world.orders.get(orderId), ...changes });
    world.orders.set(orderId, order);
    return order;
  };
  const pushed = (order: WireOrder) => topic().push([order], "snapshot", START);
  const opened = async () => {
    const { feed, heard } = world.open(ordersState);
    await world.until(() => world.topics.length === 1);
    topic().sink.up();
    await world.until(() => heard.isReady);
    return { feed, heard };
  };
  const broken = async (heard: Written<Orders>, meanwhile: () => void) => {
    world.clock.advance(1_000);
    topic().sink.down();
    meanwhile();
    const before = heard.events.length;
    topic().sink.up();
    await world.until(() => heard.events.length > before);
  };

  it("loses the order alone that cannot be read, says that it is stale, and looks up what was lost", async () => {
    happens("A");
    const { feed, heard } = await opened();
    const [odd, even] = [happens("B"), happens("C")];
    topic().push([{ ...odd, qty: "much" }, even], "snapshot", START);
    expect(reported(heard)).toEqual(["snapshot: A new", "update: C new", "update stale: "]);
    expect(world.unreadable).toEqual(["order: WireError: order: data[0].qty: expected a decimal number"]);
    await world.until(() => feed.isLive);
    expect(reported(heard).at(-1)).toBe("update: B new");
    expect(
      feed
        .current()
        ?.value.map(({ orderId }) => orderId)
        .sort(),
    ).toEqual(["A", "B", "C"]);
  });

  it("is read again however fast odd pushes come, and takes no order for gone that it cannot read", async () => {
    happens("A");
    const { feed, heard } = await opened();
    const reads = () => world.rest.callsOf("/api/v3/trade/unfilled-orders").length;
    const before = reads();
    world.orders.set("A", { ...wireOrder("A"), qty: "much" });
    for (let second = 0; second < 5; second++) {
      topic().push([{ ...wireOrder("A"), qty: "much" }], "snapshot", START);
      world.clock.advance(1_000);
    }
    await world.until(() => reads() > before);
    expect(feed.isLive).toBe(false);
    expect(feed.current()?.value.map(({ orderId, price }) => [orderId, price])).toEqual([["A", "64000"]]);
    happens("A", { qty: "1", price: "65000", updatedTime: at(9) });
    await world.until(() => feed.isLive);
    expect(feed.current()?.value.map(({ orderId, price }) => [orderId, price])).toEqual([["A", "65000"]]);
    expect(heard.fault).toBeUndefined();
  });

  it("begins with what can be read of the open orders, and says that it is stale", async () => {
    happens("A");
    world.orders.set("B", { ...wireOrder("B"), qty: "much" });
    const { feed, heard } = await opened();
    expect(reported(heard)).toEqual(["snapshot stale: A new"]);
    happens("B", { qty: "1" });
    await world.until(() => feed.isLive);
    expect(reported(heard).at(-1)).toBe("update: B new");
  });

  it("begins with the open orders, then emits each that changes", async () => {
    happens("A");
    happens("B", { orderStatus: "filled" });
    const { feed, heard } = await opened();
    pushed(happens("A", { orderStatus: "partially_filled", cumExecQty: "0.4", updatedTime: at(1) }));
    pushed(happens("C", { updatedTime: at(2) }));
    pushed(happens("A", { orderStatus: "filled", cumExecQty: "1", updatedTime: at(3) }));
    expect(reported(heard)).toEqual(["snapshot: A new", "update: A partially_filled", "update: C new", "update: A filled"]);
    expect(feed.current()?.value.map(({ orderId }) => orderId)).toEqual(["C"]);
  });

  it("emits what was pushed before the first reading as part of the first state, with the newer version of each order", async () => {
    happens("A");
    const { heard } = world.open(ordersState);
    await world.until(() => world.topics.length === 1);
    pushed(wireOrder("A", { orderStatus: "partially_filled", cumExecQty: "0.4", updatedTime: at(5) }));
    topic().sink.up();
    await world.until(() => heard.isReady);
    expect(reported(heard)).toEqual(["snapshot: A partially_filled"]);
  });

  it("emits nothing twice, and nothing older than what was emitted", async () => {
    const { heard } = await opened();
    const first = happens("A");
    const part = happens("A", { orderStatus: "partially_filled", cumExecQty: "0.4", updatedTime: at(1) });
    const end = happens("A", { orderStatus: "cancelled", updatedTime: at(2) });
    for (const order of [first, part, part, first, end, part, end, first]) pushed(order);
    expect(reported(heard)).toEqual(["snapshot: ", "update: A new", "update: A partially_filled", "update: A cancelled"]);
  });

  it("emits a change within the same millisecond", async () => {
    const { heard } = await opened();
    pushed(happens("A"));
    pushed(happens("A", { price: "65000" }));
    expect(heard.last.value).toMatchObject([{ orderId: "A", price: "65000" }]);
  });

  it("emits a take-profit that changes within the same millisecond, and one that is removed", async () => {
    const { heard } = await opened();
    pushed(happens("A", { takeProfit: "70000" }));
    pushed(happens("A", { takeProfit: "71000" }));
    expect(heard.last.value).toMatchObject([{ orderId: "A", takeProfit: "71000" }]);
    pushed(happens("A", { takeProfit: "" }));
    expect(heard.last.value).toMatchObject([{ orderId: "A", takeProfit: null }]);
  });

  it("emits no version that is pushed after a later one of the same millisecond was read", async () => {
    const former = happens("A", { price: "65000" });
    happens("A", { price: "66000" });
    const { feed, heard } = await opened();
    pushed(former);
    expect(reported(heard)).toEqual(["snapshot: A new"]);
    await world.until(() => feed.isProven());
    expect(feed.current()?.value).toMatchObject([{ orderId: "A", price: "66000" }]);
    expect(reported(heard)).toEqual(["snapshot: A new"]);
  });

  it("reads a version that is pushed after another one of the same millisecond was read", async () => {
    happens("A");
    const { feed, heard } = await opened();
    pushed(happens("A", { price: "65000" }));
    expect(feed.isProven()).toBe(false);
    await world.until(() => feed.isProven());
    expect(heard.last.value).toMatchObject([{ orderId: "A", price: "65000" }]);
  });

  it("reads again what was pushed during a reading, if it has the same millisecond as what was read", async () => {
    const answered = happens("A");
    const { feed, heard } = await opened();
    pushed(happens("A", { price: "65000" }));
    world.orders.set("A", answered);
    const calls = () => world.rest.callsOf("/api/v3/trade/unfilled-orders").length;
    const before = calls();
    await world.until(() => calls() > before);
    pushed(happens("A", { price: "66000" }));
    await world.until(() => feed.isProven());
    expect(heard.last.value).toMatchObject([{ orderId: "A", price: "66000" }]);
  });

  it("reads what became of an order that is first pushed after a list that lacks it", async () => {
    const late = happens("A", { orderStatus: "partially_filled", cumExecQty: "1" });
    happens("A", { orderStatus: "filled" });
    const { feed, heard } = await opened();
    pushed(late);
    expect(feed.isProven()).toBe(false);
    await world.until(() => feed.isProven());
    expect(reported(heard)).toEqual(["snapshot: ", "update: A partially_filled", "update: A filled"]);
  });

  it("reads no order again that was placed after the last reading", async () => {
    const { feed } = await opened();
    world.clock.advance(1_000);
    const now = String(world.clock.now());
    pushed(happens("A", { createdTime: now, updatedTime: now }));
    expect(feed.isProven()).toBe(true);
  });

  it("reads what became of an order that is first pushed during a reading that lacks it", async () => {
    const { feed, heard } = await opened();
    world.clock.advance(1_000);
    const now = String(world.clock.now());
    const late = happens("A", { createdTime: now, updatedTime: now, orderStatus: "partially_filled", cumExecQty: "1" });
    happens("A", { orderStatus: "filled" });
    world.rest.on("/api/v3/trade/unfilled-orders", () => {
      if (heard.events.length === 1) pushed(late);
      return { data: { list: [], cursor: null }, requestTime: world.clock.now() };
    });
    feed.changedElsewhere();
    await world.until(() => feed.isProven());
    expect(reported(heard)).toEqual(["snapshot: ", "update: A partially_filled", "update: A filled"]);
  });

  it("finds in a gap what changed, what ended, what came, and what came and ended", async () => {
    // Long ago: a list of what finished lately does not have them.
    for (const id of ["CHANGED", "ENDED", "SAME"]) happens(id, { createdTime: at(-3_600_000), updatedTime: at(-3_600_000) });
    const { heard } = await opened();
    await broken(heard, () => {
      happens("CHANGED", { orderStatus: "partially_filled", cumExecQty: "0.5", updatedTime: at(10) });
      happens("ENDED", { orderStatus: "cancelled", updatedTime: at(11) });
      happens("CAME", { createdTime: at(12), updatedTime: at(12) });
      happens("PASSED", {
        category: "USDT-FUTURES",
        orderStatus: "filled",
        cumExecQty: "1",
        createdTime: at(13),
        updatedTime: at(14),
      });
    });
    expect(reported(heard)).toEqual([
      "snapshot: CHANGED new, ENDED new, SAME new",
      "update stale: ",
      "update: CHANGED partially_filled, CAME new, PASSED filled, ENDED cancelled",
    ]);
  });

  it("says that it is whole again when nothing was missed", async () => {
    happens("A");
    const { heard, feed } = await opened();
    await broken(heard, () => undefined);
    expect(reported(heard).slice(1)).toEqual(["update stale: ", "update: "]);
    expect(feed.current()?.stale).toBe(false);
  });

  it("emits a snapshot when an order has disappeared without a trace", async () => {
    happens("A");
    happens("LOST");
    const { heard, feed } = await opened();
    await broken(heard, () => world.orders.delete("LOST"));
    expect(reported(heard).at(-1)).toBe("snapshot: A new");
    expect(feed.current()?.value).toHaveLength(1);
  });

  it("marks what is pushed before a gap has been looked up, and takes the newer word of push and list", async () => {
    happens("A");
    const { heard } = await opened();
    world.clock.advance(1_000);
    topic().sink.down();
    topic().sink.up();
    pushed(wireOrder("A", { orderStatus: "filled", cumExecQty: "1", updatedTime: at(20) }));
    await world.until(() => heard.events.length === 4);
    expect(reported(heard).slice(1)).toEqual(["update stale: ", "update stale: A filled", "update: "]);
  });

  it("emits what a reading found even when the stream breaks again during it", async () => {
    happens("A");
    const { heard } = await opened();
    topic().sink.down();
    happens("A", { orderStatus: "filled", cumExecQty: "1", updatedTime: at(9) });
    topic().sink.up();
    topic().sink.down();
    await world.until(() => heard.events.length === 3);
    expect(reported(heard).slice(1)).toEqual(["update stale: ", "update stale: A filled"]);
    topic().sink.up();
    await world.until(() => heard.events.length === 4);
    expect(reported(heard).at(-1)).toBe("update: ");
  });

  it("reads again, after a pause, when the exchange does not answer; until then it is stale", async () => {
    happens("A");
    const { heard, feed } = await opened();
    const path = "/api/v3/trade/unfilled-orders";
    world.rest.on(path, { raw: "<html>", status: 503 });
    topic().sink.down();
    topic().sink.up();
    await world.until(() => world.rest.callsOf(path).length >= 5);
    expect(feed.current()?.stale).toBe(true);
    world.rest.on(path, () => ({ data: { list: [], cursor: null }, requestTime: world.clock.now() }));
    happens("A", { orderStatus: "cancelled", updatedTime: at(5) });
    await world.until(() => feed.current()?.stale === false);
    expect(reported(heard).at(-1)).toBe("update: A cancelled");
  });

  it("ends with the exchange's own word when the account may not read its orders", async () => {
    world.rest.on("/api/v3/trade/unfilled-orders", () => ({
      code: "40014",
      msg: "no permission",
      requestTime: world.clock.now(),
    }));
    const { heard } = world.open(ordersState);
    await world.until(() => world.topics.length === 1);
    topic().sink.up();
    await world.until(() => heard.fault !== undefined);
    expect(heard.fault).toMatchObject({ code: "FORBIDDEN", extensions: { exchange: { code: "40014" } } });
  });

  it("looks the account up again when a push cannot be read", async () => {
    happens("A");
    const { heard } = await opened();
    happens("A", { orderStatus: "filled", cumExecQty: "1", updatedTime: at(9) });
    topic().push([{ orderId: "A" }], "snapshot");
    await world.until(() => heard.events.length === 3);
    expect(reported(heard).slice(1)).toEqual(["update stale: ", "update: A filled"]);
    expect(world.unreadable).toHaveLength(1);
  });

  it("says that its pushes are overdue, answers no query until all have arrived, and reads nothing for it", async () => {
    happens("A");
    const { feed, heard } = await opened();
    const before = world.rest.calls.length;
    topic().sink.stalled(true);
    expect([feed.isLive, feed.proven(), feed.current()?.stale]).toEqual([false, undefined, true]);
    pushed(happens("A", { orderStatus: "cancelled", updatedTime: at(1) }));
    topic().sink.stalled(false);
    expect(reported(heard)).toEqual(["snapshot: A new", "update stale: ", "update stale: A cancelled", "update: "]);
    expect([feed.isLive, feed.proven()]).toEqual([true, []]);
    expect(world.rest.calls.length).toBe(before);
  });

  it("makes stale what was read of the account, with every push and every gap", async () => {
    await opened();
    world.dropped.length = 0;
    pushed(happens("A"));
    expect(world.dropped).toEqual(expect.arrayContaining(["openOrders", "orderHistory", "unifiedAssets", "positions"]));
    world.dropped.length = 0;
    topic().sink.down();
    topic().sink.up();
    expect(world.dropped).toContain("openOrders");
  });

  it("stops for good: nothing is read, emitted or subscribed after it", async () => {
    const { feed, heard } = await opened();
    topic().sink.down();
    topic().sink.up();
    feed.stop();
    const count = heard.events.length;
    await settled(50);
    expect(heard.events).toHaveLength(count);
    expect(topic).toThrow("there is no subscription to topic=");
  });

  it("does not open anything when it is stopped before the account's mode is known", async () => {
    const { feed } = world.open(ordersState);
    feed.stop();
    await settled();
    expect(world.topics).toEqual([]);
  });

  it("asks for the account's mode again while the exchange cannot be reached, and not once it has refused", async () => {
    world.orders.set("1", wireOrder("1"));
    world.mode = new Fault("EXCHANGE_UNAVAILABLE", "the connection broke");
    const { heard } = world.open(ordersState);
    await world.until(() => world.clock.pending === 1);
    world.clock.advance(1_000);
    await world.until(() => world.clock.pending === 1);
    expect([heard.fault, world.topics]).toEqual([undefined, []]);
    world.mode = "UNIFIED";
    world.clock.advance(2_000);
    await world.until(() => world.topics.length === 1);
    world.topic().sink.up();
    await world.until(() => heard.events.length === 1);
    world.mode = new Fault("FORBIDDEN", "the key may not do this");
    const refused = world.open(ordersState);
    await world.until(() => refused.heard.fault !== undefined);
    expect(refused.heard.fault?.code).toBe("FORBIDDEN");
  });

  it("follows the account into its other mode, and emits its state there as a new snapshot", async () => {
    const OPEN = "/api/v3/trade/unfilled-orders";
    const answer = (list: readonly WireOrder[]) => ({ data: { list, cursor: null }, requestTime: world.clock.now() });
    const SETTINGS = "/api/v3/account/settings";
    const { code, msg } = REFUSAL.classicAccount;
    world.rest.on(SETTINGS, { code, msg });
    world.rest.on("/api/v2/spot/trade/unfilled-orders", () => ({ data: [], requestTime: world.clock.now() }));
    world.rest.on("/api/v2/mix/order/orders-pending", () => ({
      data: { entrustedList: [], endId: null },
      requestTime: world.clock.now(),
    }));
    world.mode = "CLASSIC";
    const { heard, feed } = world.open(ordersState);
    await world.until(() => world.topics.length === 5);
    for (const { sink } of world.topics) sink.up();
    await world.until(() => heard.isReady);
    world.mode = "UNIFIED";
    world.rest.on(SETTINGS, () => ({ data: { uid: "1", accountMode: "unified" }, requestTime: world.clock.now() }));
    world.exchange.modes.forget(world.account);
    // While the change is under way the lists are not to be read.
    world.rest.on(OPEN, { code: "40115", msg: "being upgraded" });
    world.clock.advance(15_000);
    await world.until(() => world.topics.length === 6);
    expect(world.topics.map(({ isClosed }) => isClosed)).toEqual([true, true, true, true, true, false]);
    const readings = world.rest.callsOf(OPEN).length;
    topic().sink.up();
    await world.until(() => world.topics.length === 7);
    expect(world.rest.callsOf(OPEN).length).toBeGreaterThan(readings);
    const exchange = { code: "40115", msg: "being upgraded", endpoint: "order" };
    topic().sink.failed(new Fault("EXCHANGE_REJECTED", "being upgraded", { exchange }));
    await world.until(() => world.topics.length === 8);
    world.mode = new Fault("ACCOUNT_MODE_MISMATCH", "being upgraded");
    topic().sink.failed(new Fault("EXCHANGE_TIMEOUT", "the exchange did not answer the subscription"));
    await world.until(() => world.forgotten.length === 3);
    world.mode = "UNIFIED";
    await world.until(() => world.topics.length === 9);
    world.rest.on(OPEN, answer([wireOrder("1")]));
    topic().sink.up();
    await world.until(() => heard.events.length === 3);
    expect(reported(heard)).toEqual(["snapshot: ", "update stale: ", "snapshot: 1 new"]);
    expect([heard.fault, feed.isLive]).toEqual([undefined, true]);
    expect(world.forgotten).toEqual(["main", "main", "main"]);
    feed.stop();
    expect([world.clock.pending, world.topics.every(({ isClosed }) => isClosed)]).toEqual([0, true]);
  });

  it("is opened again after a refusal, with any other failures until then", async () => {
    const { heard } = await opened();
    const { sink } = topic();
    sink.failed(new Fault("EXCHANGE_TIMEOUT", "the exchange did not answer the subscription"));
    sink.down();
    await world.until(() => world.topics.length === 2);
    topic().sink.up();
    await world.until(() => !heard.last.stale);
    expect(heard.fault).toBeUndefined();
  });

  it("that was stopped while it was opened again asks for nothing any more", async () => {
    const { feed } = await opened();
    topic().sink.failed(new Fault("EXCHANGE_TIMEOUT", "the exchange did not answer the subscription"));
    let refuse: () => void = () => undefined;
    world.mode = new Promise((_, reject) => {
      refuse = () => reject(new Fault("EXCHANGE_UNAVAILABLE", "the connection broke"));
    });
    await world.until(() => world.asked === 2);
    feed.stop();
    refuse();
    await settled();
    expect(world.clock.pending).toBe(0);
  });

  it("follows the five lists of a Classic account", async () => {
    world.mode = "CLASSIC";
    world.open(ordersState);
    await world.until(() => world.topics.length === 5);
    expect(world.topics.map(({ argument }) => argument.instType)).toEqual([
      "SPOT",
      "SPOT",
      "USDT-FUTURES",
      "COIN-FUTURES",
      "USDC-FUTURES",
    ]);
  });

  it("emits a Classic spot order that waits for its trigger, and its end, once", async () => {
    world.becomeClassic();
    const now = () => world.clock.now();
    const order = { orderId: "A", symbol: "BTCUSDT", orderType: "market", side: "sell", size: "1", triggerPrice: "61000" };
    let [status, isListed] = ["live", true];
    const tpsl = (query: URLSearchParams) => query.get("tpslType") === "tpsl";
    const row = () => ({ ...order, tpslType: "tpsl", status, cTime: at(0) });
    world.rest.on("/api/v2/spot/trade/unfilled-orders", ({ query }) => ({
      data: tpsl(query) && isListed ? [row()] : [],
      requestTime: now(),
    }));
    world.rest.on("/api/v2/spot/trade/history-orders", ({ query }) => ({
      data: tpsl(query) && !isListed ? [row()] : [],
      requestTime: now(),
    }));
    for (const list of ["orders-pending", "orders-history"])
      world.rest.on(`/api/v2/mix/order/${list}`, () => ({ data: { entrustedList: null }, requestTime: now() }));
    const { heard, feed } = world.open(ordersState);
    await world.until(() => world.topics.length === 5);
    for (const { sink } of world.topics) sink.up();
    await world.until(() => heard.isReady);
    const line = world.topic({ channel: "orders-algo" });
    const { symbol: instId, ...same } = order;
    const push = (state: string, uTime: string) =>
      line.push([{ ...same, instId, orderId: "B", planType: "amount", status: state, cTime: at(1), uTime }], "snapshot");
    push("live", at(1));
    push("executed", at(2));
    push("executed", at(2));
    expect(reported(heard)).toEqual(["snapshot: A new", "update: B new", "update: B triggered"]);
    expect(heard.last.value).toMatchObject([{ category: "SPOT", tpslType: "tpsl", triggerPrice: "61000", qty: "1" }]);
    // What became of one whose end was missed is found in the history.
    world.clock.advance(1_000);
    line.sink.down();
    [status, isListed] = ["cancelled", false];
    line.sink.up();
    await world.until(() => feed.isLive);
    expect(reported(heard).at(-1)).toBe("update: A cancelled");
    expect(feed.current()?.value).toEqual([]);
  });

  it("keeps what was filled of a Classic order whose cancellation leaves it out", async () => {
    world.becomeClassic();
    for (const path of ["/api/v2/spot/trade/unfilled-orders", "/api/v2/mix/order/orders-pending"])
      world.rest.on(path, () => ({ data: path.includes("spot") ? [] : { entrustedList: null }, requestTime: world.clock.now() }));
    const { heard } = world.open(ordersState);
    await world.until(() => world.topics.length === 5);
    for (const { sink } of world.topics) sink.up();
    await world.until(() => heard.isReady);
    const order = {
      instId: "BTCUSDT",
      orderId: "A",
      size: "1",
      accBaseVolume: "0.4",
      priceAvg: "64000",
      orderType: "limit",
      side: "buy",
      force: "gtc",
      status: "partially_filled",
      posMode: "one_way_mode",
      feeDetail: [],
      cTime: at(0),
      uTime: at(1),
    };
    const futures = world.topic({ instType: "USDT-FUTURES" });
    futures.push([order], "snapshot");
    const { priceAvg: _, ...cancelled } = { ...order, status: "canceled", uTime: at(2) };
    futures.push([cancelled], "snapshot");
    expect(heard.last.value).toMatchObject([
      { category: "USDT-FUTURES", status: "cancelled", cumExecQty: "0.4", avgPrice: "64000", cumExecValue: "25600" },
    ]);
  });
});
