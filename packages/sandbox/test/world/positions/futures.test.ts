import { type Exact, plain } from "@exchange-graph/contract/decimal";
import { beforeEach, describe, expect, it } from "vitest";
import { walletOf } from "../../../src/world/ledger.js";
import { orderMargins } from "../../../src/world/margin/figures.js";
import type { OrderRequest } from "../../../src/world/orders/order.js";
import { closeAverage, netProfit, openAverage, unrealised } from "../../../src/world/positions/position.js";
import { contractOf } from "../../../src/world/state.js";
import { BROKER_UID, CLASSIC_UID, codeOf, d, MAIN_UID, place, priced, type Stage, shown, stage } from "../support.js";

const wallet = walletOf(CLASSIC_UID, "usdt-futures");

describe("a futures order in one-way mode", () => {
  let s: Stage;
  beforeEach(() => {
    s = stage();
  });
  const order = (rest: Partial<OrderRequest>): OrderRequest => ({
    uid: CLASSIC_UID,
    category: "USDT-FUTURES",
    symbol: "BTCUSDT",
    side: "buy",
    orderType: "market",
    quantity: d("0.1"),
    ...rest,
  });
  const position = (side: "long" | "short" = "long", uid = CLASSIC_UID) =>
    s.world.state.positions.find({ uid, category: "USDT-FUTURES", symbol: "BTCUSDT", side });
  const fills = () => s.world.state.orders.fills(CLASSIC_UID);
  const sum = (values: readonly Exact[]) => values.reduce((total, value) => total.plus(value), d("0"));

  it("freezes margin and fee while it rests, and nothing once it is cancelled", () => {
    const price = priced(s, "USDT-FUTURES", "BTCUSDT", -2);
    const placed = place(s, order({ orderType: "limit", price }));
    const value = price.times("0.1");
    expect(shown(s, wallet, "USDT")[1]).toBe(plain(value.div("20").round(8, 3).plus(value.times("0.0006").round(8, 3))));
    s.world.orders.cancel(CLASSIC_UID, "USDT-FUTURES", { orderId: placed.orderId });
    expect(shown(s, wallet, "USDT")[1]).toBe("0");
  });

  it("opens a position, grows it, shrinks it and closes it, and every figure follows from the fills", () => {
    const before = s.world.state.ledger.held(wallet, "USDT");
    place(s, order({}));
    place(s, order({ quantity: d("0.05") }));
    expect(plain(position()?.size ?? d("0"))).toBe("0.15");
    expect(plain(position()?.cost ?? d("0"))).toBe(plain(sum(fills().map(({ value }) => value))));
    s.pass(3_600_000);
    place(s, order({ side: "sell", quantity: d("0.05") }));
    expect(plain(position()?.size ?? d("0"))).toBe("0.1");
    s.pass(600_000);
    place(s, order({ side: "sell", quantity: d("0.1") }));
    expect(position()).toBeUndefined();
    const [closed] = s.world.state.positions.closed(CLASSIC_UID);
    if (closed === undefined) throw new Error("nothing closed");
    const bought = fills().filter(({ side }) => side === "buy");
    const sold = fills().filter(({ side }) => side === "sell");
    const value = (rows: typeof bought) => sum(rows.map((fill) => fill.value));
    const fee = (rows: typeof bought) => plain(d("0").minus(sum(rows.map((fill) => fill.fee.amount))));
    expect(plain(closed.realised)).toBe(plain(value(sold).minus(value(bought))));
    expect(plain(closed.openFees)).toBe(fee(bought));
    expect(plain(closed.closeFees)).toBe(fee(sold));
    expect(plain(openAverage(closed).times("0.15").round(6, 1))).toBe(plain(value(bought).round(6, 1)));
    expect(plain(closeAverage(closed).times("0.15").round(6, 1))).toBe(plain(value(sold).round(6, 1)));
    expect(plain(sum(fills().map(({ profit }) => profit)))).toBe(plain(closed.realised));
    expect(plain(s.world.state.ledger.held(wallet, "USDT").minus(before))).toBe(plain(netProfit(closed)));
    expect(s.events.filter(({ kind }) => kind === "positionClosed").length).toBe(1);
  });

  it("flips a position by closing it and opening the other side with the rest", () => {
    place(s, order({}));
    const flip = place(s, order({ side: "sell", quantity: d("0.25") }));
    expect(flip.status).toBe("filled");
    expect(position("long")).toBeUndefined();
    expect(plain(position("short")?.size ?? d("0"))).toBe("0.15");
    expect(s.world.state.positions.closed(CLASSIC_UID)[0]?.side).toBe("long");
  });

  it("that only reduces never opens: it needs a position, and takes no more than that", () => {
    const reduce = (quantity: string, rest: Partial<OrderRequest> = {}) =>
      order({ side: "sell", reduceOnly: true, quantity: d(quantity), ...rest });
    expect(codeOf(() => place(s, reduce("0.1")))).toBe("22002");
    place(s, order({}));
    const closing = place(s, reduce("5"));
    expect([closing.status, plain(closing.quantity)]).toEqual(["filled", "0.1"]);
    expect(position("long")).toBeUndefined();
    expect(position("short")).toBeUndefined();
  });

  it("that only reduces takes the place of older ones when there is too little to reduce for both", () => {
    place(s, order({}));
    const price = priced(s, "USDT-FUTURES", "BTCUSDT", 2);
    const resting = (quantity: string) =>
      s.world.orders.place(order({ side: "sell", reduceOnly: true, orderType: "limit", price, quantity: d(quantity) }));
    const first = resting("0.06");
    const second = resting("0.04");
    const third = resting("0.05");
    expect([first.hasReplaced, second.hasReplaced, third.hasReplaced]).toEqual([false, false, true]);
    expect([first.order.status, second.order.status, third.order.status]).toEqual(["cancelled", "new", "new"]);
    expect(third.order.reserved?.amount.eq("0")).toBe(true);
  });

  it("cancels what would close a position once the position is gone", () => {
    place(s, order({}));
    const price = priced(s, "USDT-FUTURES", "BTCUSDT", 2);
    const resting = place(s, order({ side: "sell", reduceOnly: true, orderType: "limit", price }));
    place(s, order({ side: "sell" }));
    expect([resting.status, resting.cancelReason]).toEqual(["cancelled", "back_contract_cancel"]);
  });

  it("sets no margin aside for what closes, and counts a position only once", () => {
    place(s, order({}));
    const price = priced(s, "USDT-FUTURES", "BTCUSDT", 2);
    const closing = place(s, order({ side: "sell", orderType: "limit", price }));
    expect(closing.opening.eq("0")).toBe(true);
    const opening = place(s, order({ side: "sell", orderType: "limit", price }));
    expect(plain(opening.opening)).toBe("0.1");
  });

  it("is refused without margin for it, in the words of the API version", () => {
    expect(codeOf(() => place(s, order({ quantity: d("15") })))).toBe("40762");
    expect(codeOf(() => place(s, order({ uid: MAIN_UID, quantity: d("90") })))).toBe("25203");
  });

  it("on a unified account freezes no coin: margin is pooled", () => {
    const unified = walletOf(MAIN_UID, "unified");
    const placed = place(s, order({ uid: MAIN_UID, orderType: "limit", price: priced(s, "USDT-FUTURES", "BTCUSDT", -2) }));
    expect(placed.reserved).toBeUndefined();
    expect(shown(s, unified, "USDT")[1]).toBe("0");
    place(s, order({ uid: MAIN_UID }));
    expect(plain(position("long", MAIN_UID)?.size ?? d("0"))).toBe("0.1");
  });

  it("on a unified account takes margin for what it opens, by the positions as they are now", () => {
    const margins = () => [...orderMargins(s.world.state, MAIN_UID)].map(({ margin }) => margin.eq("0"));
    place(s, order({ uid: MAIN_UID }));
    const rests = order({ uid: MAIN_UID, side: "sell", orderType: "limit", price: priced(s, "USDT-FUTURES", "BTCUSDT", 2) });
    place(s, rests);
    expect(margins()).toEqual([true]);
    place(s, order({ uid: MAIN_UID, side: "sell", quantity: d("0.2") }));
    expect(position("short", MAIN_UID)).toBeDefined();
    expect(margins()).toEqual([false]);
  });

  it("pays or receives funding at the end of each period, and the position adds it up", () => {
    place(s, order({ quantity: d("0.3") }));
    const { state } = s.world;
    const before = state.ledger.held(wallet, "USDT");
    s.pass(24 * 3_600_000);
    const held = position();
    if (held === undefined) throw new Error("the position is gone");
    expect(held.funding.eq("0")).toBe(false);
    expect(plain(state.ledger.held(wallet, "USDT").minus(before))).toBe(plain(held.funding));
  });

  it("with isolated margin locks the position's own coins and gives them back with its result", () => {
    const { settings, state } = s.world;
    const of = { uid: CLASSIC_UID, category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
    settings.setMarginMode(of, "isolated");
    place(s, order({}));
    const held = position();
    expect(held?.marginMode).toBe("isolated");
    expect(shown(s, wallet, "USDT")[2]).toBe(plain(held?.margin ?? d("0")));
    settings.adjustMargin({ ...of, side: "long" }, d("100.5"));
    expect(shown(s, wallet, "USDT")[2]).toBe(plain(held?.margin ?? d("0")));
    expect(codeOf(() => settings.adjustMargin({ ...of, side: "long" }, d("-5000")))).toBe("40801");
    settings.adjustMargin({ ...of, side: "long" }, d("-50"));
    expect(codeOf(() => settings.adjustMargin({ ...of, side: "short" }, d("1")))).toBe("22002");
    place(s, order({ side: "sell", quantity: d("0.04") }));
    expect(shown(s, wallet, "USDT")[2]).toBe(plain(held?.margin ?? d("0")));
    place(s, order({ side: "sell", quantity: d("0.06") }));
    expect(shown(s, wallet, "USDT")[2]).toBe("0");
    expect(codeOf(() => settings.adjustMargin({ ...of, side: "long" }, d("1")))).toBe("22002");
    expect(plain(state.ledger.total("USDT"))).toBe(plain(state.ledger.supply().get("USDT") ?? d("0")));
  });

  it("of a coin-margined contract settles in the coin, at the price", () => {
    const coin = walletOf(CLASSIC_UID, "coin-futures");
    const before = s.world.state.ledger.held(coin, "BTC");
    place(s, order({ category: "COIN-FUTURES", symbol: "BTCUSD", quantity: d("0.2") }));
    const held = s.world.state.positions.find({ uid: CLASSIC_UID, category: "COIN-FUTURES", symbol: "BTCUSD", side: "long" });
    if (held === undefined) throw new Error("nothing opened");
    const price = priced(s, "COIN-FUTURES", "BTCUSD", 10);
    const gain = price.times("0.2").minus(held.cost).div(price);
    expect(plain(unrealised(held, contractOf(s.world.state, "COIN-FUTURES", "BTCUSD"), price))).toBe(plain(gain.round(8, 0)));
    s.pass(7_200_000);
    place(s, order({ category: "COIN-FUTURES", symbol: "BTCUSD", side: "sell", quantity: d("0.2") }));
    const [closed] = s.world.state.positions.closed(CLASSIC_UID);
    expect(plain(closed?.openFees ?? d("0"))).toBe("-0.00012");
    if (closed !== undefined) expect(plain(s.world.state.ledger.held(coin, "BTC").minus(before))).toBe(plain(netProfit(closed)));
  });
});

describe("a futures order in hedge mode", () => {
  let s: Stage;
  beforeEach(() => {
    s = stage();
  });
  const order = (rest: Partial<OrderRequest>): OrderRequest => ({
    uid: BROKER_UID,
    category: "USDT-FUTURES",
    symbol: "BTCUSDT",
    side: "buy",
    posSide: "long",
    orderType: "market",
    quantity: d("0.1"),
    ...rest,
  });

  it("must say which side it means, in every API version's own way of saying so", () => {
    expect(codeOf(() => place(s, order({ posSide: undefined })))).toBe("400172");
    s.world.settings.setHoldMode(MAIN_UID, "hedge_mode");
    expect(codeOf(() => place(s, order({ uid: MAIN_UID, posSide: undefined })))).toBe("25236");
  });

  it("holds both sides at once and closes each on its own", () => {
    place(s, order({}));
    place(s, order({ side: "sell", posSide: "short", quantity: d("0.2") }));
    const sizes = () => [...s.world.state.positions.open(BROKER_UID)].map(({ side, size }) => `${side} ${plain(size)}`);
    expect(sizes()).toEqual(["long 0.1", "short 0.2"]);
    place(s, order({ side: "buy", posSide: "short", quantity: d("0.05") }));
    expect(sizes()).toEqual(["long 0.1", "short 0.15"]);
    place(s, order({ side: "sell", posSide: "long" }));
    expect(sizes()).toEqual(["short 0.15"]);
  });

  it("cannot close what is not there, nor what other orders already close", () => {
    expect(codeOf(() => place(s, order({ side: "sell" })))).toBe("22002");
    place(s, order({}));
    const price = priced(s, "USDT-FUTURES", "BTCUSDT", 2);
    place(s, order({ side: "sell", orderType: "limit", price, quantity: d("0.06") }));
    expect(codeOf(() => place(s, order({ side: "sell", orderType: "limit", price, quantity: d("0.05") })))).toBe("40757");
    expect(codeOf(() => place(s, order({ side: "sell", orderType: "limit", price, quantity: d("0.04") })))).toBe("00000");
  });
});

describe("modes and leverage", () => {
  it("cannot be changed while there is a position or an order, and setting the same again succeeds", () => {
    const s = stage();
    const { settings } = s.world;
    const of = { uid: CLASSIC_UID, category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
    const request: OrderRequest = {
      ...of,
      side: "buy",
      orderType: "limit",
      price: priced(s, "USDT-FUTURES", "BTCUSDT", -2),
      quantity: d("0.01"),
    };
    place(s, request);
    place(s, { ...request, uid: MAIN_UID });
    expect(codeOf(() => settings.setHoldMode(CLASSIC_UID, "hedge_mode", "USDT-FUTURES"))).toBe("40920");
    expect(codeOf(() => settings.setHoldMode(CLASSIC_UID, "hedge_mode", "USDC-FUTURES"))).toBe("00000");
    expect(codeOf(() => settings.setHoldMode(CLASSIC_UID, "one_way_mode", "USDT-FUTURES"))).toBe("00000");
    expect(codeOf(() => settings.setHoldMode(MAIN_UID, "hedge_mode"))).toBe("25570");
    expect(codeOf(() => settings.setMarginMode(of, "isolated"))).toBe("45117");
    expect(codeOf(() => settings.setMarginMode(of, "crossed"))).toBe("00000");
    place(s, { ...request, uid: MAIN_UID, orderType: "market" });
    expect(codeOf(() => settings.setHoldMode(MAIN_UID, "hedge_mode"))).toBe("25107");
  });

  it("keep leverage on Classic within the contract, and as it is while there is a position or an order", () => {
    const s = stage();
    const { settings } = s.world;
    const of = { uid: CLASSIC_UID, category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
    expect(codeOf(() => settings.setLeverage(of, { crossed: 151 }))).toBe("45044");
    expect(settings.setLeverage(of, { crossed: 50 }).crossed).toBe(50);
    const price = priced(s, "USDT-FUTURES", "BTCUSDT", -2);
    const { orderId } = place(s, { ...of, side: "buy", orderType: "limit", price, quantity: d("0.01") });
    expect(codeOf(() => settings.setLeverage(of, { crossed: 10 }))).toBe("45097");
    s.world.orders.cancel(CLASSIC_UID, "USDT-FUTURES", { orderId });
    place(s, { ...of, side: "buy", orderType: "market", quantity: d("1") });
    expect(codeOf(() => settings.setLeverage(of, { crossed: 10 }))).toBe("40872");
    expect(settings.setLeverage(of, { crossed: 50 }).crossed).toBe(50);
    expect(codeOf(() => settings.setLeverage({ ...of, symbol: "ETHUSDT" }, { crossed: 10 }))).toBe("00000");
  });

  it("keep leverage on a unified account within the contract, the margin and the tier of the position", () => {
    const s = stage();
    const { settings } = s.world;
    const of = { uid: MAIN_UID, category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
    expect(codeOf(() => settings.setLeverage(of, { crossed: 151 }))).toBe("25223");
    expect(settings.setLeverage(of, { crossed: 50 }).crossed).toBe(50);
    place(s, { ...of, side: "buy", orderType: "market", quantity: d("8") });
    expect(codeOf(() => settings.setLeverage(of, { crossed: 150 }))).toBe("25223");
    expect(codeOf(() => settings.setLeverage(of, { crossed: 1 }))).toBe("25228");
    expect(settings.setLeverage(of, { crossed: 10 }).crossed).toBe(10);
    expect(
      s.world.state.positions.find({ uid: MAIN_UID, category: "USDT-FUTURES", symbol: "BTCUSDT", side: "long" })?.leverage,
    ).toBe(10);
  });

  it("let no position outgrow the tier of its leverage", () => {
    const s = stage();
    const { settings } = s.world;
    for (const [uid, code] of [
      [CLASSIC_UID, "40763"],
      [MAIN_UID, "25233"],
    ] as const) {
      const of = { uid, category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
      settings.setLeverage(of, { crossed: 150 });
      const buy = (quantity: string) =>
        codeOf(() => place(s, { ...of, side: "buy", orderType: "market", quantity: d(quantity) }));
      expect(buy("2")).toBe("00000");
      expect(buy("2")).toBe(code);
    }
  });
});
