import { ManualClock } from "@exchange-graph/contract/clock";
import { type Exact, plain } from "@exchange-graph/contract/decimal";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { beforeAll, describe, expect, it } from "vitest";
import { walletOf } from "../../src/world/ledger.js";
import { CLASSIC_SUB_UIDS } from "../../src/world/opening/initialAccounts.js";
import { closeAverage, netProfit, openAverage } from "../../src/world/positions/position.js";
import { createWorld, type World } from "../../src/world/world.js";
import { BROKER_UID, CLASSIC_UID, codeOf, d, MAIN_UID, place, priced, START, shown, stage } from "./support.js";

const DAY = 86_400_000;
const sum = (values: readonly Exact[]) => values.reduce((all, value) => all.plus(value), d("0"));

describe("a world with a past", () => {
  const clock = new ManualClock(START);
  let world: World;
  beforeAll(() => {
    world = createWorld({ clock, seed: "past" });
  });

  it("has open positions, orders, take-profits and stop-losses on every kind of account", () => {
    for (const uid of [MAIN_UID, CLASSIC_UID, BROKER_UID, CLASSIC_SUB_UIDS[0]]) {
      expect([...world.state.positions.open(uid)].length).toBeGreaterThan(0);
      expect([...world.state.orders.open(uid)].length).toBeGreaterThan(0);
    }
    expect(world.planStore.waiting(MAIN_UID).map(({ kind }) => kind)).toContain("tpsl");
    expect(world.planStore.waiting(CLASSIC_UID).map(({ kind }) => kind)).toContain("pos_loss");
    const categories = new Set([...world.state.positions.open(MAIN_UID)].map(({ category }) => category));
    expect(categories).toEqual(new Set(FUTURES_CATEGORIES));
  });

  it("has enough closed positions for three pages of a hundred within thirty days", () => {
    const { positions } = world.state;
    const count = (uid: string, category: string, days: number) =>
      positions.closed(uid).filter((each) => each.category === category && each.createdTime > START - days * DAY).length;
    expect(count(MAIN_UID, "USDT-FUTURES", 30)).toBeGreaterThan(200);
    expect(count(MAIN_UID, "USDT-FUTURES", 90)).toBeGreaterThan(250);
    for (const category of FUTURES_CATEGORIES) {
      expect(count(MAIN_UID, category, 90)).toBeGreaterThan(40);
      expect(count(CLASSIC_UID, category, 90)).toBeGreaterThan(20);
    }
  });

  it("has a past that obeys the arithmetic of the present", () => {
    const { positions, orders } = world.state;
    for (const uid of [MAIN_UID, CLASSIC_UID]) {
      const fills = orders.fills(uid);
      expect(fills.every(({ value, price, quantity }) => value.eq(price.times(quantity)))).toBe(true);
      for (const order of orders.finished(uid)) {
        const own = fills.filter(({ orderId }) => orderId === order.orderId);
        expect(plain(sum(own.map(({ quantity }) => quantity)))).toBe(plain(order.filledQuantity));
        expect(plain(sum(own.map(({ fee }) => fee.amount)))).toBe(plain(sum([...order.fees.values()])));
      }
      for (const closed of positions.closed(uid)) {
        expect(closed.updatedTime).toBeGreaterThan(closed.createdTime);
        expect(closed.updatedTime).toBeLessThanOrEqual(START);
        expect(closed.opened.eq(closed.closed)).toBe(true);
        expect(closed.openFees.lt("0") && closed.closeFees.lt("0")).toBe(true);
        const { realised, funding, openFees, closeFees } = closed;
        expect(plain(netProfit(closed))).toBe(plain(realised.plus(funding).plus(openFees).plus(closeFees)));
        if (closed.category === "COIN-FUTURES") continue;
        const move = closeAverage(closed)
          .minus(openAverage(closed))
          .times(closed.side === "long" ? "1" : "-1");
        expect(realised.minus(move.times(closed.opened)).abs().lt("0.000001")).toBe(true);
      }
    }
  });

  it("is equal to another of the same seed, to the last byte", () => {
    const other = createWorld({ clock: new ManualClock(START), seed: "past" });
    expect(other.state.ledger.digest()).toBe(world.state.ledger.digest());
    const ids = (of: World) => of.state.orders.finished(MAIN_UID).map(({ orderId }) => orderId);
    expect(ids(other)).toEqual(ids(world));
    const third = createWorld({ clock: new ManualClock(START), seed: "future" });
    expect(third.state.ledger.digest()).not.toBe(world.state.ledger.digest());
  });

  it("makes no coin after it has begun", () => {
    expect(() => world.state.ledger.mint(walletOf(MAIN_UID, "unified"), "USDT", d("1"))).toThrow();
    for (const [coin, supply] of world.state.ledger.supply()) expect(plain(world.state.ledger.total(coin))).toBe(plain(supply));
  });
});

/** Terms of orders of the Classic account. */
const FUTURES = { uid: CLASSIC_UID, category: "USDT-FUTURES", symbol: "BTCUSDT", orderType: "market" } as const;
const SPOT = { uid: CLASSIC_UID, category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit" } as const;

describe("a transfer", () => {
  const s = stage();
  const { transfers } = s.world;
  const spot = { uid: CLASSIC_UID, kind: "spot" } as const;
  const futures = { uid: CLASSIC_UID, kind: "usdt-futures" } as const;

  it("moves coins, and with the same client id moves them once", () => {
    const before = s.world.state.ledger.held(walletOf(CLASSIC_UID, "usdt-futures"), "USDT");
    const first = transfers.transfer(spot, futures, "USDT", d("100"), "once");
    expect(transfers.transfer(spot, futures, "USDT", d("100"), "once")).toBe(first);
    expect(plain(s.world.state.ledger.held(walletOf(CLASSIC_UID, "usdt-futures"), "USDT").minus(before))).toBe("100");
  });

  it("leaves coins that are in use as margin, and moves no coin to an account that cannot hold it", () => {
    place(s, { ...FUTURES, side: "buy", quantity: d("1") });
    const held = s.world.state.ledger.held(walletOf(CLASSIC_UID, "usdt-futures"), "USDT");
    expect(codeOf(() => transfers.transfer(futures, spot, "USDT", held))).toBe("43117");
    expect(codeOf(() => transfers.transfer(futures, spot, "USDT", transfers.transferable(futures, "USDT")))).toBe("00000");
    expect(codeOf(() => transfers.transfer(spot, futures, "BTC", d("0.001")))).toBe("40034");
    expect(codeOf(() => transfers.transfer(spot, { uid: CLASSIC_UID, kind: "unified" }, "USDT", d("1")))).toBe("40034");
  });
});

describe("the account mode", () => {
  it("is upgraded in about a minute: orders go, positions and coins stay", () => {
    const s = stage();
    const { modes, state } = s.world;
    place(s, { ...FUTURES, side: "buy", quantity: d("0.2") });
    const price = priced(s, "SPOT", "BTCUSDT", -2);
    const order = place(s, { ...SPOT, price, quantity: d("0.01") });
    const plan = s.world.plans.placeEntry({
      kind: "spot",
      triggerPrice: price,
      triggerBy: "market",
      order: { ...SPOT, price, quantity: d("0.01") },
    });
    const kinds = ["spot", "usdt-futures", "coin-futures", "usdc-futures", "crossed-margin"] as const;
    const before = sum(kinds.map((kind) => state.ledger.held(walletOf(CLASSIC_UID, kind), "USDT")));
    expect(modes.upgrade(CLASSIC_UID).status).toBe("process");
    expect([state.accounts.of(CLASSIC_UID).mode, order.status, plan.status]).toEqual(["upgrading", "cancelled", "cancelled"]);
    s.pass(61_000);
    expect(modes.statusOf(CLASSIC_UID, "unified")?.status).toBe("success");
    expect(modes.statusOf(CLASSIC_UID, "classic")).toBeUndefined();
    expect(state.accounts.of(CLASSIC_UID).mode).toBe("unified");
    expect(shown(s, walletOf(CLASSIC_UID, "unified"), "USDT")).toEqual([plain(before), "0", "0"]);
    expect([...state.positions.open(CLASSIC_UID)].length).toBe(1);
    place(s, { ...FUTURES, side: "sell", quantity: d("0.2") });
    expect(modes.downgrade(CLASSIC_UID).status).toBe("process");
    expect(modes.statusOf(CLASSIC_UID, "unified")).toBeUndefined();
    s.pass(61_000);
    expect(state.accounts.of(CLASSIC_UID).mode).toBe("classic");
    expect(plain(state.ledger.total("USDT"))).toBe(plain(state.ledger.supply().get("USDT") ?? d("0")));
  });

  it("cannot be upgraded twice, nor with position modes that differ", () => {
    const s = stage();
    expect(s.world.modes.upgrade(MAIN_UID)).toMatchObject({ status: "fail", reason: "upgrade_disabled" });
    s.world.settings.setHoldMode(CLASSIC_UID, "hedge_mode", "USDT-FUTURES");
    expect(s.world.modes.upgrade(CLASSIC_UID).status).toBe("fail");
    expect(s.world.state.accounts.of(CLASSIC_UID).mode).toBe("classic");
  });
});
