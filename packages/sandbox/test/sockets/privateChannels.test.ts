import { classicSpotAssets, unifiedAssets } from "@exchange-graph/contract/asset";
import {
  accountChannel,
  classicEquityChannel,
  classicFuturesAccountChannel,
  classicSpotAccountChannel,
} from "@exchange-graph/contract/channels/account";
import type { Channel } from "@exchange-graph/contract/channels/channel";
import {
  classicFuturesFillChannel,
  classicSpotFillChannel,
  fastFillChannel,
  fillChannel,
} from "@exchange-graph/contract/channels/fill";
import { readFrame } from "@exchange-graph/contract/channels/frame";
import {
  classicFuturesOrdersChannel,
  classicSpotOrdersChannel,
  classicSpotTriggerOrdersChannel,
  orderChannel,
} from "@exchange-graph/contract/channels/order";
import { classicPlanOrdersChannel, strategyOrderChannel } from "@exchange-graph/contract/channels/plan";
import {
  classicPositionsChannel,
  classicPositionsHistoryChannel,
  positionChannel,
} from "@exchange-graph/contract/channels/position";
import { ManualClock } from "@exchange-graph/contract/clock";
import type { Codec } from "@exchange-graph/contract/codec";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { classicFuturesFills, classicSpotFills, fills } from "@exchange-graph/contract/fill";
import { futuresAccounts } from "@exchange-graph/contract/futuresAccount";
import {
  classicFuturesOrderDetail,
  classicSpotOpenOrders,
  classicSpotOrderHistory,
  classicSpotOrderInfo,
  orderInfo,
} from "@exchange-graph/contract/orderReads";
import { classicOpenPlanOrders, openPlanOrders, planOrderHistory } from "@exchange-graph/contract/planReads";
import { classicPositions, positions } from "@exchange-graph/contract/position";
import { classicPositionHistory } from "@exchange-graph/contract/positionHistory";
import { queryString } from "@exchange-graph/contract/signing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { everyItem } from "../../../contract/test/channels/support/pushed.js";
import { everyRow } from "../../../contract/test/support/everyRow.js";
import { type Sandbox, startSandbox } from "../../src/sandbox.js";
import { MAIN_UID } from "../../src/world/opening/initialAccounts.js";
import { belowMarket } from "../support/prices.js";
import { credentialOf, signedCall } from "../support/signedCall.js";
import { expectAgreement } from "./support/agreement.js";
import { SocketClient } from "./support/client.js";

/** What is pushed to an account against what the same account reads by calls. */

const clock = new ManualClock(1_767_225_600_100);
let sandbox: Sandbox;
const clients: SocketClient[] = [];
beforeAll(async () => {
  sandbox = await startSandbox({ clock, enforceLimits: false });
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => sandbox.close());

type Name = "main" | "classic" | "broker";

/** A private channel with a subscriber. */
interface Followed<T> {
  /** Every record that has been pushed since the last time, with the action of its push. */
  readonly came: () => Promise<readonly (readonly [action: string, records: readonly T[]])[]>;
  /** The last record of the last push. */
  readonly last: () => Promise<T>;
}

async function follow<P extends object, T>(
  account: Name,
  channel: Channel<P, T>,
  parameters: P,
  scope = {},
): Promise<Followed<T>> {
  const client = await SocketClient.open(`${sandbox.wsUrl}/${channel.apiVersion}/ws/private`);
  clients.push(client);
  await client.login(credentialOf(account), clock.now()).json();
  const argument = { ...channel.argument(parameters), ...scope };
  client.subscribe(argument);
  expect(await client.json()).toMatchObject({ event: "subscribe", arg: argument });
  const came = async () =>
    (await client.settled()).map(readFrame).map((frame) => {
      if (frame.kind !== "push") throw new Error(`expected a push, got ${frame.kind}`);
      expect(frame.push.argument).toEqual(argument);
      return [frame.push.action, everyItem(channel, parameters, frame.push)] as const;
    });
  const last = async () => {
    const record = (await came()).at(-1)?.[1].at(-1);
    if (record === undefined) throw new Error("nothing was pushed");
    return record;
  };
  return { came, last };
}

async function read<T>(account: Name, endpoint: { readonly path: string; readonly data: Codec<T> }, query = {}): Promise<T> {
  const text = queryString(query);
  const reply = await signedCall(sandbox, credentialOf(account), text === "" ? endpoint.path : `${endpoint.path}?${text}`);
  expect(reply.code).toBe("00000");
  return endpoint.data.decode(reply.data);
}

async function post(account: Name, path: string, body: object): Promise<Record<string, string>> {
  const reply = await signedCall(sandbox, credentialOf(account), path, { method: "POST", body: JSON.stringify(body) });
  expect(reply.code, reply.text).toBe("00000");
  return reply.data as Record<string, string>;
}

const FUTURES = { category: "USDT-FUTURES" } as const;
const price = (category: "SPOT" | "USDT-FUTURES", symbol: string, percent = 3): string =>
  plain(exact(belowMarket(sandbox, category, symbol, percent)));

/** What only one of the two has of an order, the push or the call. */
const ABSENT_IN_PUSHES = ["marginCoin", "leverage", "realisedPnl", "execType"];
const CLASSIC_UNTOLD = ["timeInForce", "stpMode", "orderSource", "tpslType"];
const POSITION_UNTOLD = ["hasAutoMargin", "openOrderQty", "profitRate", "takeProfit", "takeProfitId", "stopLoss", "stopLossId"];

/** Every account channel: who listens, and what opens it. */
const CHANNELS = [
  ["main", orderChannel, {}, "nothing"],
  ["main", fillChannel, {}, "nothing"],
  ["main", fastFillChannel, {}, "nothing"],
  ["main", strategyOrderChannel, {}, "nothing"],
  ["main", accountChannel, {}, "snapshot"],
  ["main", positionChannel, {}, "snapshot"],
  ["classic", classicSpotOrdersChannel, {}, "nothing"],
  ["classic", classicSpotTriggerOrdersChannel, {}, "nothing"],
  ["classic", classicSpotFillChannel, {}, "nothing"],
  ["classic", classicSpotAccountChannel, {}, "snapshot"],
  ["classic", classicFuturesOrdersChannel, FUTURES, "nothing"],
  ["classic", classicFuturesFillChannel, FUTURES, "nothing"],
  ["classic", classicPlanOrdersChannel, FUTURES, "nothing"],
  ["classic", classicFuturesAccountChannel, FUTURES, "snapshot"],
  ["classic", classicEquityChannel, FUTURES, "snapshot"],
  ["classic", classicPositionsChannel, FUTURES, "snapshot"],
  ["classic", classicPositionsHistoryChannel, FUTURES, "nothing"],
] as const;

describe("a private channel", () => {
  it.each(CHANNELS.map(([account, channel, asked, opens]) => [channel.name, opens, account, channel as Channel, asked] as const))(
    "%s opens with a %s",
    async (_, opens, account, channel, asked) => {
      const { came } = await follow(account, channel, asked);
      expect((await came()).map(([action]) => action)).toEqual(opens === "snapshot" ? ["snapshot"] : []);
      expect(channel.opens).toBe(opens);
    },
  );

  it("pushes no data of other users", async () => {
    const other = await follow("broker", classicSpotOrdersChannel, {});
    const own = await follow("classic", classicSpotOrdersChannel, {});
    const { orderId } = await post("classic", "/api/v2/spot/trade/place-order", {
      ...{ symbol: "BTCUSDT", side: "buy", orderType: "limit", force: "gtc", size: "0.001", price: price("SPOT", "BTCUSDT") },
    });
    await post("classic", "/api/v2/spot/trade/cancel-order", { symbol: "BTCUSDT", orderId });
    expect((await own.came()).length).toBe(2);
    expect(await other.came()).toEqual([]);
  });

  it("of one symbol or coin pushes only that one", async () => {
    const btc = await follow("classic", classicSpotOrdersChannel, {}, { instId: "BTCUSDT" });
    const usdt = await follow("classic", classicSpotAccountChannel, {}, { coin: "USDT" });
    expect((await usdt.came()).map(([, coins]) => coins.map(({ coin }) => coin))).toEqual([["USDT"]]);
    await post("classic", "/api/v2/spot/trade/place-order", {
      symbol: "ETHUSDT",
      side: "buy",
      orderType: "market",
      force: "gtc",
      size: "50",
    });
    expect(await btc.came()).toEqual([]);
    expect((await usdt.came()).map(([, coins]) => coins.map(({ coin }) => coin))).toEqual([["USDT"]]);
  });
});

describe("orders on a unified account", () => {
  it("are pushed as they are read, from the placement to the cancellation", async () => {
    const { last } = await follow("main", orderChannel, {});
    const body = { category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "limit", timeInForce: "gtc" };
    const { orderId } = await post("main", "/api/v3/trade/place-order", {
      ...body,
      ...{
        qty: "0.0200",
        price: price("USDT-FUTURES", "BTCUSDT"),
        clientOid: "pushed-1",
        takeProfit: price("USDT-FUTURES", "BTCUSDT", -9),
      },
    });
    const placed = await last();
    expect(placed).toMatchObject({ status: "new", clientOid: "pushed-1", marginCoin: "USDT", cumExecQty: "0" });
    expectAgreement(placed, await read("main", orderInfo, { orderId }), ...ABSENT_IN_PUSHES);

    await post("main", "/api/v3/trade/modify-order", { orderId, price: price("USDT-FUTURES", "BTCUSDT", 4), qty: "0.03" });
    expect(await last()).toMatchObject({ status: "new", qty: "0.03", price: price("USDT-FUTURES", "BTCUSDT", 4) });

    await post("main", "/api/v3/trade/cancel-order", { orderId });
    const cancelled = await last();
    expect(cancelled).toMatchObject({ status: "cancelled", cancelReason: "normal_cancel" });
    expectAgreement(cancelled, await read("main", orderInfo, { orderId }), ...ABSENT_IN_PUSHES);
  });

  it("that trade push each fill, the order, the position and the account, as they are read", async () => {
    const orders = await follow("main", orderChannel, {});
    const executions = await follow("main", fillChannel, {});
    const early = await follow("main", fastFillChannel, {});
    const open = await follow("main", positionChannel, {});
    const account = await follow("main", accountChannel, {});
    await open.came();
    await account.came();
    const { orderId } = await post("main", "/api/v3/trade/place-order", {
      ...{ category: "USDT-FUTURES", symbol: "XRPUSDT", side: "buy", orderType: "market", qty: "100" },
    });
    const filled = await orders.last();
    expect(filled.status).toBe("filled");
    expectAgreement(filled, await read("main", orderInfo, { orderId }), ...ABSENT_IN_PUSHES);

    const pushedFills = (await executions.came()).flatMap(([, records]) => records);
    const list = everyRow((await read("main", fills, { orderId })).list);
    expect(pushedFills.map(({ execId }) => execId).sort()).toEqual(list.map(({ execId }) => execId).sort());
    for (const fill of pushedFills) {
      const twin = list.find(({ execId }) => execId === fill.execId);
      expectAgreement(fill, twin ?? {}, "holdMode");
    }
    expect((await early.came()).flatMap(([, [fill]]) => fill)).toEqual(
      pushedFills.map((fill) => expect.objectContaining({ execId: fill.execId })),
    );

    const [[action, [position]] = ["", []], ...others] = await open.came();
    expect([action, others.length]).toEqual(["update", 0]);
    const held = await read("main", positions, { category: "USDT-FUTURES", symbol: "XRPUSDT" });
    expectAgreement(position ?? {}, held.list[0] ?? {}, "status");

    const [[, [assets]] = ["", []], ...rest] = await account.came();
    expect(rest).toEqual([]);
    const whole = await read("main", unifiedAssets);
    expectAgreement(
      assets ?? {},
      whole,
      "assets",
      "equityUsdt",
      "equityBtc",
      "unrealisedPnlUsdt",
      "unrealisedPnlBtc",
      "positionValueUsd",
      "leverage",
    );
    for (const coin of everyRow(assets?.assets ?? []))
      expectAgreement(coin, everyRow(whole.assets).find((one) => one.coin === coin.coin) ?? {});

    await post("main", "/api/v3/trade/place-order", {
      ...{ category: "USDT-FUTURES", symbol: "XRPUSDT", side: "sell", orderType: "market", qty: "100", reduceOnly: "yes" },
    });
    const [[, [ended]] = ["", []]] = await open.came();
    expect(ended).toMatchObject({ symbol: "XRPUSDT", status: "ended", qty: "0" });
    expect((await read("main", positions, { category: "USDT-FUTURES", symbol: "XRPUSDT" })).list).toEqual([]);
  });

  it("that rest are pushed when the moving market fills them, without a call", async () => {
    const { came } = await follow("main", orderChannel, {});
    const { orderId } = await post("main", "/api/v3/trade/place-order", {
      ...{ category: "SPOT", symbol: "ETHUSDT", side: "buy", orderType: "limit", timeInForce: "gtc", qty: "0.5" },
      price: price("SPOT", "ETHUSDT", 0),
    });
    let states: (string | null)[] = (await came()).flatMap(([, orders]) => orders.map(({ status }) => status));
    for (let minute = 0; minute < 120 && !states.includes("filled"); minute++) {
      clock.advance(60_000);
      states = states.concat((await came()).flatMap(([, orders]) => orders.map(({ status }) => status)));
    }
    expect(states[0]).toBe("new");
    expect(states.at(-1)).toBe("filled");
    expect((await read("main", orderInfo, { orderId })).status).toBe("filled");
  });

  it("include plans: placed, cancelled", async () => {
    await post("main", "/api/v3/trade/place-order", {
      ...{ category: "USDT-FUTURES", symbol: "XRPUSDT", side: "buy", orderType: "market", qty: "100" },
    });
    const { last } = await follow("main", strategyOrderChannel, {});
    const { orderId } = await post("main", "/api/v3/trade/place-strategy-order", {
      ...{ category: "USDT-FUTURES", symbol: "XRPUSDT", posSide: "long", tpslMode: "partial", qty: "50" },
      ...{ type: "tpsl", takeProfit: price("USDT-FUTURES", "XRPUSDT", -20), stopLoss: price("USDT-FUTURES", "XRPUSDT", 20) },
    });
    const placed = await last();
    expect(placed).toMatchObject({ planType: "tpsl", status: "live", orderId });
    const waiting = await read("main", openPlanOrders, { category: "USDT-FUTURES" });
    expectAgreement(placed, everyRow(waiting.list).find((plan) => plan.orderId === orderId) ?? {}, "side");
    await post("main", "/api/v3/trade/cancel-strategy-order", { orderId });
    expect(await last()).toMatchObject({ status: "cancelled" });
  });

  it("include orders that are placed at their price, which are listed apart from take-profit and stop-loss orders", async () => {
    const { last } = await follow("main", strategyOrderChannel, {});
    const { plans } = sandbox.world;
    const terms = {
      category: "USDT-FUTURES",
      symbol: "XRPUSDT",
      side: "buy",
      orderType: "limit",
      quantity: exact("10"),
    } as const;
    const [trigger, limit] = [exact(price("USDT-FUTURES", "XRPUSDT", 10)), exact(price("USDT-FUTURES", "XRPUSDT", 11))];
    const plan = plans.placeEntry({
      ...{ kind: "normal_plan", triggerPrice: trigger, triggerBy: "mark" },
      order: { ...terms, uid: MAIN_UID, price: limit },
    });
    const placed = await last();
    const shown = { planType: "normal_plan", triggerPrice: plain(trigger), orderType: "limit", side: "buy" };
    expect(placed).toMatchObject({ ...shown, orderId: plan.planId, status: "live", takeProfit: null, stopLoss: null });
    const listed = async (type: "tpsl" | "trigger") =>
      everyRow((await read("main", openPlanOrders, { category: "USDT-FUTURES", type })).list).filter(
        ({ orderId }) => orderId === plan.planId,
      );
    const [one] = await listed("trigger");
    expectAgreement(placed, one ?? {});
    expect(await listed("tpsl")).toEqual([]);
    plans.cancel(plan);
    expect(await last()).toMatchObject({ status: "cancelled", triggeredExit: null });
    const { list } = await read("main", planOrderHistory, { category: "USDT-FUTURES", type: "trigger" });
    expect(everyRow(list)).toMatchObject([{ orderId: plan.planId, planType: "normal_plan", status: "cancelled" }]);
  });
});

describe("orders on a Classic account", () => {
  it("of spot are pushed as they are read", async () => {
    const orders = await follow("classic", classicSpotOrdersChannel, {});
    const executions = await follow("classic", classicSpotFillChannel, {});
    const account = await follow("classic", classicSpotAccountChannel, {});
    await account.came();
    const body = { symbol: "BTCUSDT", side: "buy", orderType: "limit", force: "gtc", size: "0.0200" };
    const { orderId } = await post("classic", "/api/v2/spot/trade/place-order", { ...body, price: price("SPOT", "BTCUSDT") });
    const placed = await orders.last();
    expect(placed).toMatchObject({ status: "new", qty: "0.02", lastFill: null });
    const info = async (id: string | undefined) => (await read("classic", classicSpotOrderInfo, { orderId: id })) ?? {};
    expectAgreement(placed, await info(orderId), "fees", ...CLASSIC_UNTOLD);
    // Coins that are only set aside are not worth a push.
    expect(await account.came()).toEqual([]);
    await post("classic", "/api/v2/spot/trade/cancel-order", { symbol: "BTCUSDT", orderId });
    expect(await orders.last()).toMatchObject({ status: "cancelled" });

    const { orderId: bought } = await post("classic", "/api/v2/spot/trade/place-order", {
      ...{ symbol: "BTCUSDT", side: "buy", orderType: "market", force: "gtc", size: "250" },
    });
    const filled = await orders.last();
    expect(filled).toMatchObject({ status: "filled", qty: null, quoteQty: "250", price: null });
    expectAgreement(filled, await info(bought), ...CLASSIC_UNTOLD);
    const list = everyRow((await read("classic", classicSpotFills, { orderId: bought })).list);
    const pushedFills = (await executions.came()).flatMap(([, records]) => records);
    expect(pushedFills).toHaveLength(list.length);
    for (const fill of pushedFills) expectAgreement(fill, list.find(({ execId }) => execId === fill.execId) ?? {});
    const [[, coins] = ["", []]] = await account.came();
    const assets = await read("classic", classicSpotAssets);
    expect(coins.map(({ coin }) => coin).sort()).toEqual(["BTC", "USDT"]);
    for (const coin of coins) expectAgreement(coin, everyRow(assets).find((one) => one.coin === coin.coin) ?? {});
  });

  it.each(["classic", "broker"] as const)("of futures are pushed as they are read on the %s account", async (name) => {
    const orders = await follow(name, classicFuturesOrdersChannel, FUTURES);
    const executions = await follow(name, classicFuturesFillChannel, FUTURES);
    const open = await follow(name, classicPositionsChannel, FUTURES);
    const account = await follow(name, classicFuturesAccountChannel, FUTURES);
    const equity = await follow(name, classicEquityChannel, FUTURES);
    const closed = await follow(name, classicPositionsHistoryChannel, FUTURES);
    await open.came();
    await account.came();
    const common = { symbol: "LINKUSDT", productType: "usdt-futures", marginMode: "crossed", marginCoin: "USDT", side: "buy" };
    const hedged = name === "broker" ? { tradeSide: "open" } : {};
    const detail = async (orderId: string | undefined) =>
      read(name, classicFuturesOrderDetail, { symbol: "LINKUSDT", productType: "USDT-FUTURES", orderId });
    const { orderId } = await post(name, "/api/v2/mix/order/place-order", {
      ...{ ...common, ...hedged, orderType: "limit", force: "gtc", size: "5", price: price("USDT-FUTURES", "LINKUSDT") },
    });
    const placed = await orders.last();
    expect(placed).toMatchObject({ status: "new", lastFill: null });
    expectAgreement(placed, await detail(orderId), "realisedPnl", "fees", ...CLASSIC_UNTOLD);
    await post(name, "/api/v2/mix/order/cancel-order", { symbol: "LINKUSDT", productType: "USDT-FUTURES", orderId });
    expect(await orders.last()).toMatchObject({ status: "cancelled" });

    const { orderId: taken } = await post(name, "/api/v2/mix/order/place-order", {
      ...common,
      ...hedged,
      orderType: "market",
      size: "5",
    });
    const filled = await orders.last();
    expect(filled.status).toBe("filled");
    expectAgreement(filled, await detail(taken), ...CLASSIC_UNTOLD);
    const list = everyRow((await read(name, classicFuturesFills, { productType: "USDT-FUTURES", orderId: taken })).list);
    const pushedFills = (await executions.came()).flatMap(([, records]) => records);
    expect(pushedFills).toHaveLength(list.length);
    for (const fill of pushedFills)
      expectAgreement(
        fill,
        list.find(({ execId }) => execId === fill.execId) ?? {},
        "orderType",
        "updatedTime",
        "enterPointSource",
      );

    const held = await read(name, classicPositions, { productType: "USDT-FUTURES" });
    const listed = (await open.came()).at(-1)?.[1] ?? [];
    expect(listed).toHaveLength(held.list.length);
    for (const position of listed) {
      const twin = everyRow(held.list).find(({ symbol, posSide }) => symbol === position.symbol && posSide === position.posSide);
      expectAgreement(position, twin ?? {}, ...POSITION_UNTOLD);
    }
    const [figures] = (await account.came()).at(-1)?.[1] ?? [];
    const [whole] = await read(name, futuresAccounts, { productType: "USDT-FUTURES" });
    expectAgreement(figures ?? {}, whole ?? {});
    expectAgreement(await equity.last(), whole ?? {}, "unrealisedPnl");

    await post(name, "/api/v2/mix/order/place-order", {
      ...{ ...common, orderType: "market", size: "5" },
      ...(name === "broker" ? { tradeSide: "close" } : { side: "sell" }),
    });
    const closing = (await executions.came()).flatMap(([, records]) => records);
    expect(closing.every(({ side }) => side === "sell")).toBe(true);
    const history = await read(name, classicPositionHistory, { productType: "USDT-FUTURES", limit: 1 });
    expectAgreement(await closed.last(), history.list[0] ?? {});
  });

  it("include spot orders that wait for a trigger: placed, cancelled", async () => {
    const { last } = await follow("classic", classicSpotTriggerOrdersChannel, {});
    const { orderId } = await post("classic", "/api/v2/spot/trade/place-order", {
      ...{ symbol: "BTCUSDT", side: "buy", orderType: "limit", force: "gtc", price: price("SPOT", "BTCUSDT", 6), size: "0.01" },
      ...{ tpslType: "tpsl", triggerPrice: price("SPOT", "BTCUSDT", 5) },
    });
    const placed = await last();
    expect(placed).toMatchObject({ tpslType: "tpsl", status: "new", orderId });
    const { list } = await read("classic", classicSpotOpenOrders, { tpslType: "tpsl" });
    expectAgreement(
      placed,
      everyRow(list).find((order) => order.orderId === orderId) ?? {},
      "timeInForce",
      "stpMode",
      "orderSource",
    );
    await post("classic", "/api/v2/spot/trade/cancel-order", { orderId: `${orderId}`, tpslType: "tpsl" });
    expect(await last()).toMatchObject({ orderId, status: "cancelled" });
    const past = async (more: object) =>
      everyRow((await read("classic", classicSpotOrderHistory, { tpslType: "tpsl", ...more })).list).map(
        (order) => order.orderId,
      );
    expect(await past({ orderId })).toEqual([orderId]);
    expect(await past({ orderId, startTime: sandbox.world.state.now() + 1 })).toEqual([]);
  });

  it("include plans: placed, cancelled", async () => {
    const common = { symbol: "BTCUSDT", productType: "usdt-futures", marginMode: "crossed", marginCoin: "USDT", side: "buy" };
    await post("classic", "/api/v2/mix/order/place-order", { ...common, orderType: "market", size: "0.1" });
    const { last } = await follow("classic", classicPlanOrdersChannel, FUTURES);
    const { orderId } = await post("classic", "/api/v2/mix/order/place-tpsl-order", {
      ...{
        symbol: "BTCUSDT",
        productType: "usdt-futures",
        marginCoin: "USDT",
        planType: "loss_plan",
        holdSide: "buy",
        size: "0.1",
      },
      ...{ triggerPrice: price("USDT-FUTURES", "BTCUSDT", 10), triggerType: "mark_price" },
    });
    const placed = await last();
    expect(placed).toMatchObject({ planType: "loss_plan", status: "live", orderId });
    const waiting = await read("classic", classicOpenPlanOrders, { productType: "USDT-FUTURES", planType: "profit_loss" });
    expectAgreement(placed, everyRow(waiting.list).find((plan) => plan.orderId === orderId) ?? {}, "orderSource", "marginMode");
    await post("classic", "/api/v2/mix/order/cancel-plan-order", {
      ...{ symbol: "BTCUSDT", productType: "usdt-futures", marginCoin: "USDT", planType: "profit_loss" },
      orderIdList: [{ orderId }],
    });
    expect(await last()).toMatchObject({ status: "cancelled" });
  });
});
