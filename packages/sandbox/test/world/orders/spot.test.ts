import { plain } from "@exchange-graph/contract/decimal";
import { beforeEach, describe, expect, it } from "vitest";
import { walletOf } from "../../../src/world/ledger.js";
import type { OrderRequest } from "../../../src/world/orders/order.js";
import { CLASSIC_UID, codeOf, d, MAIN_UID, place, priced, type Stage, shown, stage } from "../support.js";

const spot = walletOf(CLASSIC_UID, "spot");

describe("a spot order", () => {
  let s: Stage;
  beforeEach(() => {
    s = stage();
  });
  const order = (rest: Partial<OrderRequest>): OrderRequest => ({
    uid: CLASSIC_UID,
    category: "SPOT",
    symbol: "BTCUSDT",
    side: "buy",
    orderType: "limit",
    quantity: d("0.01"),
    ...rest,
  });
  const balance = (coin: string) => s.world.state.ledger.held(spot, coin);

  it("that rests freezes its value, shows in the book, and gives it back when it is cancelled", () => {
    const price = priced(s, "SPOT", "BTCUSDT", -2);
    const before = shown(s, spot, "USDT");
    const placed = place(s, order({ price }));
    expect(placed.status).toBe("new");
    expect(shown(s, spot, "USDT")[1]).toBe(plain(price.times("0.01")));
    const market = s.world.state.markets.of("SPOT", "BTCUSDT");
    expect(market.orders.best("buy")?.order).toBe(placed);
    s.world.orders.cancel(CLASSIC_UID, "SPOT", { orderId: placed.orderId });
    expect(placed.status).toBe("cancelled");
    expect(placed.cancelReason).toBe("normal_cancel");
    expect(shown(s, spot, "USDT")).toEqual(before);
    expect(market.orders.isEmpty).toBe(true);
  });

  it("at market trades against the market maker, pays the taker fee in the coin that it receives, and leaves nothing frozen", () => {
    const [btc, usdt] = [balance("BTC"), balance("USDT")];
    const bought = place(s, order({ orderType: "market", quantity: undefined, amount: d("1000") }));
    expect(bought.status).toBe("filled");
    const fee = bought.fees.get("BTC") ?? d("0");
    expect(plain(fee)).toBe(plain(bought.filledQuantity.times("0.001")));
    expect(plain(balance("BTC").minus(btc))).toBe(plain(bought.filledQuantity.minus(fee)));
    expect(plain(usdt.minus(balance("USDT")))).toBe(plain(bought.filledValue));
    expect(bought.filledValue.lte("1000") && bought.filledValue.gt("999")).toBe(true);
    expect(shown(s, spot, "USDT")[1]).toBe("0");
    const sold = place(s, order({ side: "sell", orderType: "market", quantity: d("0.02") }));
    expect(plain(sold.fees.get("USDT") ?? d("0"))).toBe(plain(sold.filledValue.times("0.001")));
  });

  it("larger than a level walks up the book and never pays more than its limit", () => {
    const price = priced(s, "SPOT", "LTCUSDT", 2);
    const placed = place(s, order({ symbol: "LTCUSDT", price, quantity: d("300") }));
    expect(placed.status).toBe("filled");
    const fills = s.world.state.orders.fills(CLASSIC_UID).filter(({ orderId }) => orderId === placed.orderId);
    expect(fills.length).toBeGreaterThan(1);
    expect(fills.every((fill) => fill.price.lte(price) && fill.scope === "taker")).toBe(true);
    expect(new Set(fills.map(({ execLinkId }) => execLinkId)).size).toBe(1);
    expect(plain(fills.reduce((sum, { quantity }) => sum.plus(quantity), d("0")))).toBe("300");
    expect(shown(s, spot, "USDT")[1]).toBe("0");
  });

  it("takes the liquidity away that it uses: the same price does not serve twice", () => {
    const { house } = s.world.state.markets.of("SPOT", "LTCUSDT");
    const tick = s.world.state.markets.tick;
    const best = house.first("buy", tick);
    place(s, order({ symbol: "LTCUSDT", orderType: "market", quantity: undefined, amount: d("30000") }));
    expect(house.first("buy", tick)?.steps).toBeGreaterThan(best?.steps ?? 0);
  });

  it("that rests is filled as maker at its own price when the market runs into it, in parts if need be", () => {
    const quantity = d("0.6");
    const placed = [
      place(s, order({ price: priced(s, "SPOT", "BTCUSDT", -0.1), quantity })),
      place(s, order({ side: "sell", price: priced(s, "SPOT", "BTCUSDT", 0.1), quantity })),
    ];
    for (let minute = 0; minute < 600; minute++) s.pass(60_000);
    const filled = placed.filter(({ status }) => status === "filled");
    expect(filled.length).toBeGreaterThan(0);
    for (const { orderId, price, side, fees, filledValue } of filled) {
      const fills = s.world.state.orders.fills(CLASSIC_UID).filter((fill) => fill.orderId === orderId);
      expect(fills.every((fill) => fill.price.eq(price ?? "0") && fill.scope === "maker")).toBe(true);
      const [coin, received] = side === "buy" ? ["BTC", quantity] : ["USDT", filledValue];
      expect(plain(fees.get(coin) ?? d("0"))).toBe(plain(received.times("0.001")));
    }
  });

  it("is filled by another user's order before the market maker at the same price, and both users get an event", () => {
    const { house, listing } = s.world.state.markets.of("SPOT", "BTCUSDT");
    const price = listing.grid.price(house.best("buy", s.world.state.markets.tick));
    const maker = place(s, order({ uid: MAIN_UID, side: "sell", price, quantity: d("0.004") }));
    expect(maker.status).toBe("new");
    const taker = place(s, order({ price, quantity: d("0.004") }));
    expect([maker.status, taker.status]).toEqual(["filled", "filled"]);
    expect(s.events.filter(({ kind }) => kind === "trade").length).toBe(1);
    const scopes = s.events.flatMap((event) => (event.kind === "fill" ? [`${event.fill.uid} ${event.fill.scope}`] : []));
    expect(scopes).toEqual([`${CLASSIC_UID} taker`, `${MAIN_UID} maker`]);
  });

  it.each([
    ["ioc", "cancelled", "ioc_not_full_cancel"],
    ["fok", "cancelled", "fok_not_full_cancel"],
  ] as const)("%s ends when it cannot trade in full", (timeInForce, status, reason) => {
    const placed = place(s, order({ timeInForce, price: priced(s, "SPOT", "BTCUSDT", -1) }));
    expect([placed.status, placed.cancelReason]).toEqual([status, reason]);
    expect(shown(s, spot, "USDT")[1]).toBe("0");
  });

  it("post_only rests behind the market and is cancelled if it would trade", () => {
    expect(place(s, order({ timeInForce: "post_only", price: priced(s, "SPOT", "BTCUSDT", -1) })).status).toBe("new");
    const crossing = place(s, order({ timeInForce: "post_only", price: priced(s, "SPOT", "BTCUSDT", 1) }));
    expect([crossing.status, crossing.cancelReason]).toEqual(["cancelled", "post_only_fill_cancel"]);
  });

  it.each([
    ["cancel_taker", "new", "cancelled"],
    ["cancel_maker", "cancelled", "filled"],
    ["cancel_both", "cancelled", "cancelled"],
    ["none", "filled", "filled"],
  ] as const)("with %s meets an own order in that way", (stpMode, makerStatus, takerStatus) => {
    const { house, listing } = s.world.state.markets.of("SPOT", "BTCUSDT");
    const price = listing.grid.price(house.best("buy", s.world.state.markets.tick));
    const maker = place(s, order({ side: "sell", price, quantity: d("0.004") }));
    const taker = place(s, order({ price: priced(s, "SPOT", "BTCUSDT", 1), quantity: d("0.004"), stpMode }));
    expect([maker.status, taker.status]).toEqual([makerStatus, takerStatus]);
  });

  it.each([
    ["an unknown symbol", { symbol: "NOSUCH" }, "42016", "40034"],
    ["a symbol that is offline", { symbol: "SHIBUSDC", price: d("0.000018"), quantity: d("1000000") }, "41113", "25101"],
    ["a symbol that is halted", { symbol: "DOTUSDT", price: d("6"), quantity: d("10") }, "41114", "25101"],
    ["a price off the grid", { price: d("60000.001") }, "41103", "25244"],
    ["a quantity off the grid", { quantity: d("0.0000001") }, "40808", "25610"],
    ["a quantity of nothing", { quantity: d("0") }, "45111", "25207"],
    ["a quantity beyond the largest", { quantity: d("9000.000001") }, "45112", "25208"],
    ["a value below the smallest", { quantity: d("0.000001") }, "45110", "25611"],
    ["more than there is", { quantity: d("9000") }, "43012", "25202"],
  ])("with %s is refused in the words of the account's mode", (_, rest, classic, unified) => {
    const request = order({ price: priced(s, "SPOT", "BTCUSDT", -1), ...rest });
    const before = s.world.state.ledger.digest();
    expect(codeOf(() => place(s, request))).toBe(classic);
    expect(codeOf(() => place(s, { ...request, uid: MAIN_UID }))).toBe(unified);
    expect(s.world.state.ledger.digest()).toBe(before);
  });

  it("is refused outside the price band, on either side of it", () => {
    expect(codeOf(() => place(s, order({ price: priced(s, "SPOT", "BTCUSDT", 5.1) })))).toBe("43009");
    expect(codeOf(() => place(s, order({ price: priced(s, "SPOT", "BTCUSDT", 4.9), timeInForce: "fok" })))).toBe("00000");
    expect(codeOf(() => place(s, order({ side: "sell", price: priced(s, "SPOT", "BTCUSDT", -5.1) })))).toBe("43008");
    expect(codeOf(() => place(s, order({ side: "buy", price: priced(s, "SPOT", "BTCUSDT", -60) })))).toBe("00000");
  });

  it("needs a client id that no other open order has", () => {
    const price = priced(s, "SPOT", "BTCUSDT", -3);
    const first = place(s, order({ price, clientOid: "mine" }));
    expect(codeOf(() => place(s, order({ price, clientOid: "mine" })))).toBe("43118");
    s.world.orders.cancel(CLASSIC_UID, "SPOT", { clientOid: "mine" });
    expect(codeOf(() => place(s, order({ price, clientOid: "mine" })))).toBe("00000");
    expect(s.world.state.orders.find(CLASSIC_UID, { clientOid: "mine" })?.orderId).not.toBe(first.orderId);
  });

  it("on a Classic account keeps its client id to itself for six hours; from then on the id means the latest order", () => {
    const terms = (uid: string) => order({ uid, price: priced(s, "SPOT", "ETHUSDT", -60), symbol: "ETHUSDT", clientOid: "mine" });
    const [classic, unified] = [place(s, terms(CLASSIC_UID)), place(s, terms(MAIN_UID))];
    s.pass(6 * 60 * 60_000 - 1);
    expect(codeOf(() => place(s, terms(CLASSIC_UID)))).toBe("43118");
    s.pass(1);
    const next = place(s, terms(CLASSIC_UID));
    expect(s.world.state.orders.find(CLASSIC_UID, { clientOid: "mine" })).toBe(next);
    expect([classic.status, unified.status]).toEqual(["new", "new"]);
    expect(codeOf(() => place(s, terms(MAIN_UID)))).toBe("25212");
  });

  it("is one of at most so many on a symbol", () => {
    const price = priced(s, "SPOT", "BTCUSDT", -3);
    for (let count = 0; count < 200; count++) place(s, order({ price, quantity: d("0.0001") }));
    expect(codeOf(() => place(s, order({ price, quantity: d("0.0001") })))).toBe("43005");
  });

  it("can be changed in place: the frozen coins follow, the id stays", () => {
    const placed = place(s, order({ uid: MAIN_UID, price: priced(s, "SPOT", "BTCUSDT", -3) }));
    const wallet = walletOf(MAIN_UID, "unified");
    const price = priced(s, "SPOT", "BTCUSDT", -2);
    s.world.orders.modify(placed, { price, quantity: d("0.02") });
    expect(shown(s, wallet, "USDT")[1]).toBe(plain(price.times("0.02")));
    expect(codeOf(() => s.world.orders.modify(placed, { price, quantity: d("0.02") }))).toBe("25571");
    const before = s.world.state.ledger.digest();
    expect(codeOf(() => s.world.orders.modify(placed, { quantity: d("5000") }))).toBe("25202");
    expect(plain(placed.quantity)).toBe("0.02");
    expect(shown(s, wallet, "USDT")[1]).toBe(plain(price.times("0.02")));
    expect(s.world.state.ledger.digest()).not.toBe(before);
    s.world.orders.modify(placed, { price: priced(s, "SPOT", "BTCUSDT", 1) });
    expect(placed.status).toBe("filled");
  });

  it("can be replaced by a new one; if that is refused the old one remains", () => {
    const placed = place(s, order({ price: priced(s, "SPOT", "BTCUSDT", -3) }));
    const price = priced(s, "SPOT", "BTCUSDT", -2);
    const successor = s.world.orders.replace(placed, order({ price, quantity: d("0.03") })).order;
    expect([placed.status, placed.cancelReason, successor.status]).toEqual(["cancelled", "modify_limit_order", "new"]);
    expect(codeOf(() => s.world.orders.replace(successor, order({ price, quantity: d("8000") })))).toBe("43012");
    expect(successor.status).toBe("new");
    expect(shown(s, spot, "USDT")[1]).toBe(plain(price.times("0.03")));
    expect(s.world.state.orders.findOpen(CLASSIC_UID, { orderId: successor.orderId })).toBe(successor);
  });

  it("on margin borrows what is missing and pays it back with what comes in", () => {
    const wallet = walletOf(CLASSIC_UID, "crossed-margin");
    const { debts } = s.world.state;
    const bought = place(s, order({ category: "MARGIN", orderType: "market", quantity: undefined, amount: d("9000") }));
    expect(bought.status).toBe("filled");
    expect(plain(debts.of(wallet, "USDT").principal.minus(bought.filledValue).round(0))).toBe("-3000");
    expect(
      codeOf(() => place(s, order({ category: "MARGIN", orderType: "market", quantity: undefined, amount: d("90000") }))),
    ).toBe("43012");
    s.pass(3_600_000);
    expect(debts.of(wallet, "USDT").interest.gt("0")).toBe(true);
    place(s, order({ category: "MARGIN", side: "sell", orderType: "market", quantity: d("0.12") }));
    expect(debts.all(wallet)).toEqual([]);
  });
});
