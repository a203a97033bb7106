import { type Exact, plain } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import { walletOf } from "../../../src/world/ledger.js";
import { settleDebts } from "../../../src/world/margin/liquidation.js";
import { presentPrices } from "../../../src/world/margin/prices.js";
import { marginLoans } from "../../../src/world/margin/risk.js";
import { discounted, unifiedMargin } from "../../../src/world/margin/unified.js";
import { CLASSIC_SUB_UIDS } from "../../../src/world/opening/initialAccounts.js";
import { liquidationPrice, maintenanceMargin, type Position, unrealised } from "../../../src/world/positions/position.js";
import { contractOf } from "../../../src/world/state.js";
import { BROKER_UID, CLASSIC_UID, d, MAIN_UID, place, priced, type Stage, stage } from "../support.js";

const POOR = CLASSIC_SUB_UIDS[2];
const wallet = walletOf(POOR, "usdt-futures");
const symbol = { category: "USDT-FUTURES", symbol: "SOLUSDT" } as const;

/** Buys or sells as much as the account can carry at the highest leverage, so that a small move ruins it. */
function gamble(s: Stage, side: "buy" | "sell", marginMode: "crossed" | "isolated"): Position {
  s.world.settings.setLeverage({ uid: POOR, ...symbol }, { crossed: 75, long: 75, short: 75 });
  s.world.settings.setMarginMode({ uid: POOR, ...symbol }, marginMode);
  place(s, { uid: POOR, ...symbol, side, orderType: "market", quantity: d("100") });
  const [position] = s.world.state.positions.open(POOR);
  if (position === undefined) throw new Error("nothing opened");
  return position;
}
const ruined = (s: Stage, minutes = 40_000) => {
  for (let minute = 0; minute < minutes && s.events.every(({ kind }) => kind !== "liquidation"); minute += 60) s.pass(3_600_000);
  return s.events.find((event) => event.kind === "liquidation");
};
const total = (s: Stage, coin: string) => plain(s.world.state.ledger.total(coin));
const supply = (s: Stage, coin: string) => plain(s.world.state.ledger.supply().get(coin) ?? d("0"));

describe("liquidation", () => {
  it.each([
    ["buy", "isolated"],
    ["sell", "isolated"],
    ["buy", "crossed"],
    ["sell", "crossed"],
  ] as const)("ends a %s position with %s margin once the mark price has passed its liquidation price", (side, marginMode) => {
    const s = stage();
    const position = gamble(s, side, marginMode);
    const contract = contractOf(s.world.state, symbol.category, symbol.symbol);
    const event = ruined(s);
    if (event?.kind !== "liquidation") throw new Error("never liquidated");
    const behind = marginMode === "isolated" ? event.position.margin : s.world.state.ledger.held(wallet, "USDT");
    expect(behind.gte("0")).toBe(true);
    const [closed] = s.world.state.positions.closed(POOR);
    expect(closed?.endedBy).toBe("liquidation");
    expect(position.size.eq("0")).toBe(true);
    expect(total(s, "USDT")).toBe(supply(s, "USDT"));
    const order = s.world.state.orders.finished(POOR).find(({ execType }) => execType === "liquidation");
    expect(order?.status).toBe("filled");
    expect(contract.contract.marginCoin).toBe("USDT");
  });

  it("never takes more than the margin of an isolated position", () => {
    const s = stage();
    const position = gamble(s, "buy", "isolated");
    const { ledger } = s.world.state;
    const outside = ledger.held(wallet, "USDT").minus(position.margin);
    ruined(s);
    const paidFunding = s.world.state.positions.closed(POOR)[0]?.funding ?? d("0");
    expect(ledger.held(wallet, "USDT").gte(outside.minus(paidFunding.abs()))).toBe(true);
  });

  it("of a unified account pays what is owed out of its other coins", () => {
    const s = stage();
    const { state, settings, transfers } = s.world;
    settings.setLeverage({ uid: MAIN_UID, ...symbol }, { crossed: 50 });
    for (const [coin, balance] of state.ledger.coins(walletOf(MAIN_UID, "unified"))) {
      if (coin !== "ETH")
        transfers.transfer({ uid: MAIN_UID, kind: "unified" }, { uid: MAIN_UID, kind: "funding" }, coin, balance.available);
    }
    // The path is known in advance: take the side that loses within ten days.
    const { listing } = state.markets.of(symbol.category, symbol.symbol);
    const rises = listing.steps(state.markets.tick + 10 * 432_000) > listing.steps(state.markets.tick);
    place(s, { uid: MAIN_UID, ...symbol, side: rises ? "sell" : "buy", orderType: "market", quantity: d("9000") });
    const eth = state.ledger.held(walletOf(MAIN_UID, "unified"), "ETH");
    ruined(s);
    expect(state.debts.owes(MAIN_UID)).toBe(false);
    expect(state.ledger.held(walletOf(MAIN_UID, "unified"), "ETH").lt(eth)).toBe(true);
    for (const coin of ["USDT", "ETH"]) expect(total(s, coin)).toBe(supply(s, coin));
  });

  it("of a Classic margin wallet sells as much of its coins as it owes, and no more", () => {
    const s = stage();
    const { state } = s.world;
    const wallet = walletOf(CLASSIC_UID, "crossed-margin");
    place(s, { uid: CLASSIC_UID, category: "MARGIN", symbol: "SOLUSDT", side: "buy", orderType: "market", amount: d("12000") });
    const before = marginLoans(state, wallet, presentPrices(state));
    expect(before.debts.gt("8000")).toBe(true);
    settleDebts(state, wallet);
    const after = marginLoans(state, wallet, presentPrices(state));
    expect(plain(after.debts)).toBe("0");
    expect(after.worth.minus(before.worth).abs().lt("0.001")).toBe(true);
    for (const coin of ["USDT", "SOL"]) expect(total(s, coin)).toBe(supply(s, coin));
  });
});

describe("the liquidation price", () => {
  const s = stage();
  const check = (position: Position, margin: Exact) => {
    const contract = contractOf(s.world.state, position.category, position.symbol);
    const price = liquidationPrice(position, contract, margin);
    const left = margin.plus(unrealised(position, contract, price)).minus(maintenanceMargin(position, contract, price));
    return left.div(margin).abs();
  };

  it.each([
    ["USDT-FUTURES", "BTCUSDT", "buy"],
    ["USDT-FUTURES", "BTCUSDT", "sell"],
    ["COIN-FUTURES", "BTCUSD", "buy"],
    ["COIN-FUTURES", "BTCUSD", "sell"],
  ] as const)("of %s %s %s is where margin and result meet the maintenance margin", (category, name, side) => {
    const posSide = side === "buy" ? "long" : "short";
    place(s, { uid: BROKER_UID, category, symbol: name, side, posSide, orderType: "market", quantity: d("0.4") });
    const position = s.world.state.positions.find({ uid: BROKER_UID, category, symbol: name, side: posSide });
    if (position === undefined) throw new Error("nothing opened");
    const margin = category === "COIN-FUTURES" ? d("0.03") : d("2000");
    expect(check(position, margin).lt("0.001")).toBe(true);
  });

  it("is none when nothing could exhaust the margin", () => {
    const [position] = s.world.state.positions.open(BROKER_UID);
    if (position === undefined) throw new Error("nothing opened");
    const contract = contractOf(s.world.state, position.category, position.symbol);
    expect(plain(liquidationPrice(position, contract, d("90000000")))).toBe("0");
  });
});

describe("the margin of a unified account", () => {
  it("adds up its coins at their discounts and its positions", () => {
    const s = stage();
    const { state } = s.world;
    const before = unifiedMargin(state, MAIN_UID);
    const sum = (values: readonly Exact[]) => values.reduce((all, value) => all.plus(value), d("0"));
    expect(plain(before.equity)).toBe(plain(sum(before.coins.map(({ usdValue }) => usdValue))));
    expect(before.effective.lt(before.equity)).toBe(true);
    expect(plain(before.initial)).toBe("0");
    place(s, {
      uid: MAIN_UID,
      category: "USDT-FUTURES",
      symbol: "BTCUSDT",
      side: "buy",
      orderType: "market",
      quantity: d("0.5"),
    });
    const after = unifiedMargin(state, MAIN_UID);
    expect(plain(after.initial.round(0))).toBe(plain(priced(s, "USDT-FUTURES", "BTCUSDT").times("0.5").div("20").round(0)));
    place(s, {
      uid: MAIN_UID,
      category: "USDT-FUTURES",
      symbol: "BTCUSDT",
      side: "buy",
      orderType: "limit",
      price: priced(s, "USDT-FUTURES", "BTCUSDT", -1),
      quantity: d("0.5"),
    });
    expect(unifiedMargin(state, MAIN_UID).initial.gt(after.initial.times("1.9"))).toBe(true);
  });

  it("discounts what there is of a coin step by step", () => {
    const tiers = [
      { minAmount: d("0"), rate: d("1") },
      { minAmount: d("100"), rate: d("0.5") },
      { minAmount: d("200"), rate: d("0.1") },
    ];
    const collateral = { coin: "X", userLimit: "1", totalLimit: "1", tiers };
    const of = (amount: string) => plain(discounted(d(amount), collateral));
    expect(["50", "100", "150", "200", "300", "-40"].map(of)).toEqual(["50", "100", "125", "150", "160", "-40"]);
    expect(plain(discounted(d("50"), undefined))).toBe("0");
  });
});
