import { plain } from "@exchange-graph/contract/decimal";
import { beforeEach, describe, expect, it } from "vitest";
import { classicPlan } from "../../../src/handlers/wire/plan.js";
import type { OrderRequest } from "../../../src/world/orders/order.js";
import type { Plan } from "../../../src/world/plans/plan.js";
import type { TpslPlanRequest } from "../../../src/world/plans/requests.js";
import { contractOf } from "../../../src/world/state.js";
import { CLASSIC_UID, codeOf, d, MAIN_UID, place, priced, type Stage, stage } from "../support.js";

const SYMBOL = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;

describe("a plan", () => {
  let s: Stage;
  beforeEach(() => {
    s = stage();
  });
  const at = (percent: number) => priced(s, SYMBOL.category, SYMBOL.symbol, percent);
  const open = (rest: Partial<OrderRequest> = {}) =>
    place(s, { uid: CLASSIC_UID, ...SYMBOL, side: "buy", orderType: "market", quantity: d("0.2"), ...rest });
  const planRequest = (rest: Partial<TpslPlanRequest>): TpslPlanRequest => ({
    uid: CLASSIC_UID,
    ...SYMBOL,
    side: "long",
    kind: "profit_plan",
    tpsl: [{ role: "takeProfit", triggerPrice: at(0.3), triggerBy: "market" }],
    quantity: d("0.1"),
    ...rest,
  });
  const size = (uid = CLASSIC_UID) => s.world.state.positions.find({ uid, ...SYMBOL, side: "long" })?.size;
  /** Lets time pass, tick by tick, until a plan no longer waits. */
  const await_ = (plans: readonly Plan[], minutes = 3_000) => {
    for (let minute = 0; minute < minutes && plans.every(({ status }) => status === "live"); minute++) s.pass(60_000);
    return plans.filter(({ status }) => status !== "live");
  };
  const bracket = (rest: Partial<TpslPlanRequest> = {}) => [
    s.world.plans.placeTpsl(planRequest({ ...rest, kind: "profit_plan" })),
    s.world.plans.placeTpsl(
      planRequest({ ...rest, kind: "loss_plan", tpsl: [{ role: "stopLoss", triggerPrice: at(-0.3), triggerBy: "mark" }] }),
    ),
  ];

  it("closes its part of a position when its price is reached, and not a tick before", () => {
    open();
    const plans = bracket();
    const [due] = await_(plans);
    expect(due?.status).toBe("executed");
    const order = s.world.state.orders.find(CLASSIC_UID, { orderId: due?.orderId });
    expect(order?.planId).toBe(due?.planId);
    const instrument = contractOf(s.world.state, SYMBOL.category, SYMBOL.symbol);
    const shown = plans.map((plan) => classicPlan(plan, s.world.state.accounts.of(CLASSIC_UID), instrument));
    expect(shown.map(({ planStatus, executeOrderId }) => [planStatus, executeOrderId]).sort()).toEqual([
      ["executed", order?.orderId],
      ["live", undefined],
    ]);
    expect([order?.status, order?.side, plain(order?.quantity ?? d("0"))]).toEqual(["filled", "sell", "0.1"]);
    expect(plain(size() ?? d("0"))).toBe("0.1");
    const leg = due?.triggered;
    if (due === undefined || leg === undefined) throw new Error("not triggered");
    const { listing } = s.world.state.markets.of(SYMBOL.category, SYMBOL.symbol);
    const tick = due.updatedTime / 200;
    const reached = (on: number) =>
      leg.trigger.direction === "up"
        ? listing.price(on, leg.trigger.by).gte(leg.trigger.price)
        : listing.price(on, leg.trigger.by).lte(leg.trigger.price);
    expect([reached(tick - 1), reached(tick)]).toEqual([false, true]);
  });

  it("for the whole position closes all of it and makes waiting closings give way; the other trigger order is cancelled with it", () => {
    open();
    const resting = place(s, {
      uid: CLASSIC_UID,
      ...SYMBOL,
      side: "sell",
      reduceOnly: true,
      orderType: "limit",
      price: at(4),
      quantity: d("0.15"),
    });
    const plans = bracket({ quantity: undefined });
    await_(plans);
    expect(size()).toBeUndefined();
    expect(plans.map(({ status }) => status).sort()).toEqual(["cancelled", "executed"]);
    expect(resting.status).toBe("cancelled");
  });

  it("is refused without a position, beyond its size, and on the wrong side of the price", () => {
    const { plans } = s.world;
    expect(codeOf(() => plans.placeTpsl(planRequest({})))).toBe("43023");
    expect(codeOf(() => plans.placeTpsl(planRequest({ uid: MAIN_UID })))).toBe("25601");
    open();
    expect(codeOf(() => plans.placeTpsl(planRequest({ quantity: d("0.3") })))).toBe("43023");
    const wrong = (role: "takeProfit" | "stopLoss", percent: number, rest: Partial<TpslPlanRequest> = {}) =>
      codeOf(() => plans.placeTpsl(planRequest({ tpsl: [{ role, triggerPrice: at(percent), triggerBy: "market" }], ...rest })));
    expect([wrong("takeProfit", -1), wrong("stopLoss", 1), wrong("takeProfit", 1), wrong("stopLoss", -1)]).toEqual([
      "40915",
      "40917",
      "00000",
      "00000",
    ]);
    open({ side: "sell", quantity: d("0.5") });
    const short = { side: "short" } as const;
    expect([wrong("takeProfit", 1, short), wrong("stopLoss", -1, short), wrong("stopLoss", 1, short)]).toEqual([
      "40915",
      "45122",
      "00000",
    ]);
    open({ uid: MAIN_UID });
    const unified = { uid: MAIN_UID, kind: "tpsl" } as const;
    expect([wrong("takeProfit", -1, unified), wrong("stopLoss", 1, unified)]).toEqual(["25579", "25580"]);
  });

  it("has a unique client id: on Classic while it waits, on a unified account for six hours", () => {
    open();
    open({ uid: MAIN_UID });
    const { plans } = s.world;
    const again = (uid: string) => {
      let planId = "";
      const code = codeOf(() => {
        planId = plans.placeTpsl(planRequest({ uid, clientOid: "my-tpsl", tpsl: [{ ...far, triggerPrice: at(15) }] })).planId;
      });
      return { code, planId };
    };
    const far = { role: "takeProfit", triggerBy: "market" } as const;
    const [classic, unified] = [again(CLASSIC_UID), again(MAIN_UID)];
    expect([again(CLASSIC_UID).code, again(MAIN_UID).code]).toEqual(["40786", "25212"]);
    plans.cancel(plans.waitingPlan(CLASSIC_UID, { orderId: classic.planId }));
    plans.cancel(plans.waitingPlan(MAIN_UID, { orderId: unified.planId }));
    expect([again(CLASSIC_UID).code, again(MAIN_UID).code]).toEqual(["00000", "25212"]);
    s.pass(6 * 60 * 60_000);
    expect(again(MAIN_UID).code).toBe("00000");
  });

  it("is dropped when its position is closed otherwise, and can be cancelled", () => {
    open();
    const { plans } = s.world;
    const [first, second] = bracket();
    if (first === undefined || second === undefined) throw new Error("no bracket");
    plans.cancel(second);
    expect(second.status).toBe("cancelled");
    expect(codeOf(() => plans.waitingPlan(CLASSIC_UID, { orderId: second.planId }))).toBe("43025");
    expect(codeOf(() => plans.waitingPlan(MAIN_UID, { orderId: second.planId }))).toBe("25577");
    open({ side: "sell" });
    expect(first.status).toBe("cancelled");
  });

  it("has its prices and its quantity on the grid, like the order to which it is attached", () => {
    open();
    open({ uid: MAIN_UID });
    const off = at(0.3).plus("0.05");
    const takeProfit = (more: object) => ({
      role: "takeProfit" as const,
      triggerPrice: at(0.3),
      triggerBy: "market" as const,
      ...more,
    });
    const codes = (change: Partial<TpslPlanRequest>) =>
      [CLASSIC_UID, MAIN_UID].map((uid) => codeOf(() => s.world.plans.placeTpsl(planRequest({ uid, ...change }))));
    expect(codes({ tpsl: [takeProfit({ triggerPrice: off })] })).toEqual(["45115", "25244"]);
    expect(codes({ tpsl: [takeProfit({ limitPrice: off })] })).toEqual(["45115", "25244"]);
    expect(codes({ quantity: d("0.00001") })).toEqual(["40808", "25610"]);
    const brought = { triggerPrice: off, triggerBy: "market" } as const;
    expect(codeOf(() => open({ takeProfit: brought }))).toBe("45115");
    expect(codeOf(() => open({ uid: MAIN_UID, takeProfit: brought }))).toBe("25244");
    expect(codes({})).toEqual(["00000", "00000"]);
  });

  it("that trails follows the best price and closes when the price comes back from there", () => {
    open();
    const plan = s.world.plans.placeTpsl(
      planRequest({
        kind: "moving_plan",
        tpsl: [{ role: "takeProfit", triggerPrice: at(0.01), triggerBy: "market" }],
        callbackPercent: d("0.2"),
      }),
    );
    const [due] = await_([plan]);
    expect(due?.status).toBe("executed");
    const best = plan.trail?.best ?? d("0");
    const fill = s.world.state.orders.fills(CLASSIC_UID).find(({ orderId }) => orderId === plan.orderId);
    expect(best.gte(plan.legs[0]?.trigger.price ?? "0")).toBe(true);
    expect(fill?.price.lte(best.times("0.998").plus("5"))).toBe(true);
  });

  it("with take-profit and stop-loss on a unified account ends with the first of the two to be triggered", () => {
    open({ uid: MAIN_UID });
    const plan = s.world.plans.placeTpsl(
      planRequest({
        uid: MAIN_UID,
        kind: "tpsl",
        quantity: undefined,
        tpsl: [
          { role: "takeProfit", triggerPrice: at(0.3), triggerBy: "market" },
          { role: "stopLoss", triggerPrice: at(-0.3), triggerBy: "market", limitPrice: at(-1) },
        ],
      }),
    );
    await_([plan]);
    expect(plan.status).toBe("executed");
    expect(["takeProfit", "stopLoss"]).toContain(plan.triggered?.role);
    expect(size(MAIN_UID)).toBeUndefined();
  });

  it("comes with an order and takes force when that order has traded", () => {
    const tpsl = {
      takeProfit: { triggerPrice: at(0.3), triggerBy: "market" },
      stopLoss: { triggerPrice: at(-0.3), triggerBy: "market" },
    } as const;
    const classic = open(tpsl);
    const unified = open({ uid: MAIN_UID, ...tpsl });
    const waiting = (uid: string) => s.world.planStore.waiting(uid).map(({ kind, attachedTo }) => `${kind} ${attachedTo}`);
    expect(waiting(CLASSIC_UID).sort()).toEqual([`loss_plan ${classic.orderId}`, `profit_plan ${classic.orderId}`]);
    expect(waiting(MAIN_UID)).toEqual([`tpsl ${unified.orderId}`]);
  });

  it("that comes with an order lies ahead of where the order trades", () => {
    const codeWith = (takeProfit: number, stopLoss: number, rest: Partial<OrderRequest> = {}) =>
      codeOf(() =>
        open({
          takeProfit: { triggerPrice: at(takeProfit), triggerBy: "market" },
          stopLoss: { triggerPrice: at(stopLoss), triggerBy: "market" },
          ...rest,
        }),
      );
    const resting = (percent: number) => ({ orderType: "limit", price: at(percent) }) as const;
    expect([codeWith(1, -1), codeWith(-1, -2), codeWith(2, 1)]).toEqual(["00000", "40915", "40917"]);
    expect([codeWith(-1, -3, resting(-2)), codeWith(1, -1, resting(-2)), codeWith(-3, -4, resting(-2))]).toEqual([
      "00000",
      "40917",
      "40915",
    ]);
    expect([codeWith(-1, 1, { side: "sell", quantity: d("3") }), codeWith(-1, -2, { side: "sell" })]).toEqual(["00000", "45122"]);
    expect([codeWith(-1, -2, { uid: MAIN_UID }), codeWith(2, 1, { uid: MAIN_UID })]).toEqual(["25579", "25580"]);
    const order = open({ uid: MAIN_UID, ...resting(-2) });
    const change = (percent: number) => ({ stopLoss: { triggerPrice: at(percent), triggerBy: "market" } }) as const;
    expect(codeOf(() => s.world.orders.modify(order, change(-1)))).toBe("25580");
    expect(codeOf(() => s.world.orders.modify(order, change(-3)))).toBe("00000");
  });

  it("that comes with an order triggers at once when the price has passed it meanwhile", () => {
    open();
    const stopLoss = { role: "stopLoss", triggerPrice: at(1), triggerBy: "market" } as const;
    const plan = s.world.plans.placeTpsl(planRequest({ kind: "loss_plan", tpsl: [stopLoss], attachedTo: "1" }));
    s.pass(1_000);
    expect(plan.status).toBe("executed");
    const sold = s.world.plans.placeEntry({
      kind: "spot",
      ...stopLoss,
      attachedTo: "1",
      order: { uid: CLASSIC_UID, category: "SPOT", symbol: "BTCUSDT", side: "sell", orderType: "market", quantity: d("0.01") },
    });
    s.pass(1_000);
    expect(sold.status).toBe("executed");
  });

  it("on spot places an ordinary order once it is triggered, and fails if that is refused", () => {
    const entry = (quantity: string) =>
      s.world.plans.placeEntry({
        kind: "spot",
        triggerPrice: priced(s, "SPOT", "BTCUSDT", 0.2),
        triggerBy: "market",
        order: {
          uid: CLASSIC_UID,
          category: "SPOT",
          symbol: "BTCUSDT",
          side: "sell",
          orderType: "market",
          quantity: d(quantity),
        },
      });
    const plans = [entry("0.01"), entry("500")];
    await_(plans, 6_000);
    expect(plans.map(({ status }) => status)).toEqual(["executed", "fail_execute"]);
    expect(s.world.state.orders.find(CLASSIC_UID, { orderId: plans[0]?.orderId })?.status).toBe("filled");
  });
});
