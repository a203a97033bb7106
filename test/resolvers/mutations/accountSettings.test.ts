import { describe, expect, it } from "vitest";
import { sharedGraph } from "../support/sharedGraph.js";
import { type Input, mutate, sentBy, w } from "./support/mutate.js";

const live = sharedGraph();

const CLASSIC = "8800112244";
const accounts = () => live.sandbox.world.state.accounts;

describe("setLeverage", () => {
  const set = (input: Input) => mutate(live, "setLeverage", input, "leverage");

  it.each([
    ["main", "setLeverage"],
    ["classic", "classicSetLeverage"],
  ])("sets the leverage of a symbol on %s", async (account, endpoint) => {
    const payload = await set({ account, category: w("USDT_FUTURES"), symbol: "xrpusdt", leverage: "7" });
    expect(payload).toMatchObject({ outcome: "ACCEPTED", leverage: "7" });
    expect(sentBy(payload)).toMatchObject({ endpoint, symbol: "XRPUSDT", leverage: "7" });
    const uid = account === "main" ? "8800112233" : CLASSIC;
    expect(accounts().of(uid).setting("USDT-FUTURES", "XRPUSDT").crossed).toBe(7);
  });

  it("sets the leverage of a borrowed coin on a unified account", async () => {
    const borrowed = { category: w("MARGIN"), coin: "BTC", leverage: "2" };
    expect(await set({ ...borrowed, account: "main" })).toMatchObject({ outcome: "ACCEPTED", leverage: "2" });
    expect(await set({ ...borrowed, account: "classic" })).toMatchObject({
      userErrors: [{ code: "ACCOUNT_MODE_MISMATCH", field: ["category"] }],
    });
  });

  it.each([
    [{ category: w("USDT_FUTURES"), symbol: "BTCUSDT", leverage: "5000" }, "leverage"],
    [{ category: w("USDT_FUTURES"), symbol: "BTCUSDT", leverage: "0.5" }, "leverage"],
    [{ category: w("USDT_FUTURES"), leverage: "5" }, "symbol"],
    [{ category: w("MARGIN"), leverage: "5" }, "coin"],
    [{ category: w("MARGIN"), coin: "BTC", symbol: "BTCUSDT", leverage: "2" }, "symbol"],
    [{ category: w("MARGIN"), coin: "BTC", posSide: w("LONG"), leverage: "2" }, "posSide"],
    [{ category: w("USDT_FUTURES"), symbol: "BTCUSDT", coin: "BTC", leverage: "5" }, "coin"],
  ])("refuses %o before anything is sent", async (input, field) => {
    const payload = await set({ account: "main", ...input });
    expect(payload).toMatchObject({ outcome: "REJECTED", leverage: null, userErrors: [{ field: [field] }], journalEntry: null });
  });
});

describe("setHoldMode", () => {
  const set = (input: Input) => mutate(live, "setHoldMode", input, "holdMode");

  it("sets a Classic category's mode, and the next order keeps to it", async () => {
    const order = { account: "broker", category: w("USDC_FUTURES"), symbol: "ETHPERP", orderType: w("MARKET"), qty: "0.1" };
    const rehearse = () => mutate(live, "placeOrder", { ...order, side: w("BUY"), dryRun: true });
    expect((await rehearse()).userErrors).toMatchObject([{ field: ["posSide"] }]);
    const mode = { account: "broker", category: w("USDC_FUTURES"), holdMode: w("ONE_WAY_MODE") };
    expect(await set(mode)).toMatchObject({ outcome: "ACCEPTED", holdMode: "ONE_WAY_MODE" });
    expect((await rehearse()).userErrors).toEqual([]);
  });

  it("requires a category on a Classic account, and refuses one on a unified account", async () => {
    expect((await set({ account: "classic", holdMode: w("HEDGE_MODE") })).userErrors).toMatchObject([
      { code: "BAD_USER_INPUT", field: ["category"] },
    ]);
    const unified = await set({ account: "main", holdMode: w("HEDGE_MODE"), category: w("USDT_FUTURES") });
    expect(unified.userErrors).toMatchObject([{ code: "ACCOUNT_MODE_MISMATCH", field: ["category"] }]);
  });

  it("is refused while there are positions, with the exchange's message", async () => {
    const payload = await set({ account: "classic", category: w("USDT_FUTURES"), holdMode: w("HEDGE_MODE") });
    expect(payload).toMatchObject({ outcome: "REJECTED", holdMode: null, userErrors: [{ exchange: { code: "40920" } }] });
  });
});

describe("adjustPositionMargin", () => {
  const adjust = (input: Input) => mutate(live, "adjustPositionMargin", input, "position { symbol posSide margin }");

  it("puts margin into an isolated position and takes some out, and shows the position", async () => {
    const market = { account: "classic", category: w("USDT_FUTURES"), symbol: "DOGEUSDT" };
    accounts().of(CLASSIC).setSetting("USDT-FUTURES", "DOGEUSDT", { marginMode: "isolated", crossed: 10, long: 10, short: 10 });
    const opened = await mutate(live, "placeOrder", {
      ...market,
      ...{ side: w("BUY"), orderType: w("MARKET"), qty: "1000", posSide: w("LONG"), marginMode: w("ISOLATED") },
    });
    expect(opened.userErrors).toEqual([]);
    live.nextMinute();
    const more = await adjust({ ...market, posSide: w("LONG"), amount: "5" });
    expect(more).toMatchObject({ outcome: "ACCEPTED", position: { symbol: "DOGEUSDT", posSide: "LONG" } });
    expect(sentBy(more)).toMatchObject({ endpoint: "classicSetMargin", marginCoin: "USDT", holdSide: "long", amount: "5" });
    const less = await adjust({ ...market, posSide: w("LONG"), amount: "-2" });
    expect(less.outcome).toBe("ACCEPTED");
    expect(less.position.margin < more.position.margin).toBe(true);
  });

  it("takes the demo twin of a category", async () => {
    const market = { account: "classic", category: w("SUSDT_FUTURES"), symbol: "DOGEUSDT", posSide: w("LONG"), amount: "1" };
    const payload = await adjust(market);
    expect([payload.outcome, payload.userErrors, payload.position]).toEqual(["ACCEPTED", [], null]);
    expect(sentBy(payload)).toMatchObject({ endpoint: "classicSetMargin", productType: "SUSDT-FUTURES", marginCoin: "USDT" });
  });

  it("stays unknown if the response is lost, because no read shows the effect", async () => {
    live.sandbox.faults.add({ endpoint: "classicSetMargin", fault: { kind: "lost-reply" }, times: 1 });
    const market = { account: "classic", category: w("USDT_FUTURES"), symbol: "DOGEUSDT", posSide: w("LONG"), amount: "1" };
    const payload = await adjust(market);
    expect(payload).toMatchObject({ outcome: "UNKNOWN", position: null, userErrors: [{ isRetryable: false }] });
    live.nextMinute();
    expect(live.sandbox.calls.of("classicSetMargin").total).toBe(0);
    expect((await live.exchange.writes.journal.open()).map(({ state }) => state)).toEqual(["UNKNOWN"]);
  });

  it("reports that it requires a Classic account", async () => {
    const market = { account: "main", category: w("USDT_FUTURES"), symbol: "BTCUSDT", posSide: w("LONG"), amount: "1" };
    expect((await adjust(market)).userErrors).toMatchObject([{ code: "ACCOUNT_MODE_MISMATCH", field: ["account"] }]);
  });
});

describe("setMarginMode", () => {
  const market = { category: w("USDT_FUTURES"), symbol: "adausdt" };
  const set = (account: string, mode: string) =>
    mutate(live, "setMarginMode", { account, ...market, marginMode: w(mode) }, "futuresSettings { marginMode }");

  it.each(["ISOLATED", "CROSSED"])("sets %s on a Classic account, for a symbol without position", async (mode) => {
    const payload = await set("classic", mode);
    expect(payload).toMatchObject({ outcome: "ACCEPTED", futuresSettings: { marginMode: mode } });
    expect(sentBy(payload)).toMatchObject({ endpoint: "classicSetMarginMode", symbol: "ADAUSDT", marginCoin: "USDT" });
    expect(accounts().of(CLASSIC).setting("USDT-FUTURES", "ADAUSDT").marginMode).toBe(mode.toLowerCase());
  });

  it("determines whether it took effect if the response is lost", async () => {
    live.sandbox.faults.add({ endpoint: "classicSetMarginMode", fault: { kind: "lost-reply" }, times: 1 });
    expect(await set("classic", "ISOLATED")).toMatchObject({
      outcome: "ACCEPTED",
      futuresSettings: { marginMode: "ISOLATED" },
    });
    expect(live.sandbox.calls.of("classicSetMarginMode").total).toBe(1);
  });

  it("is refused on a unified account", async () => {
    expect(await set("main", "ISOLATED")).toMatchObject({
      outcome: "REJECTED",
      futuresSettings: null,
      userErrors: [{ code: "ACCOUNT_MODE_MISMATCH", field: ["account"] }],
    });
  });
});

describe("upgradeAccount", () => {
  it("starts the upgrade and shows its progress, and the account is unified afterwards", async () => {
    const mode = async () => (await live.while(live.run('{ account(name: "classic") { mode } }'))).data.account.mode;
    expect(await mode()).toBe("CLASSIC");
    for (const order of [...live.sandbox.world.state.orders.open(CLASSIC)])
      live.sandbox.world.orders.cancel(CLASSIC, order.category, { orderId: order.orderId });
    const payload = await mutate(live, "upgradeAccount", { account: "classic" }, "upgrade { status reason }");
    expect(payload).toMatchObject({ outcome: "ACCEPTED", upgrade: { status: "PROCESS" } });
    live.nextMinute();
    live.nextMinute();
    expect(await mode()).toBe("UNIFIED");
  });

  it("of an already unified account is refused with that reason", async () => {
    const rule = "must be a Classic account: this one is already unified, or being upgraded";
    const problem = { code: "ACCOUNT_MODE_MISMATCH", isRetryable: false };
    expect(await mutate(live, "upgradeAccount", { account: "main" }, "upgrade { status }")).toMatchObject({
      outcome: "REJECTED",
      upgrade: null,
      userErrors: [{ ...problem, field: ["account"], message: `account ${rule}` }],
    });
    const [subUid = ""] = accounts()
      .subAccounts(CLASSIC)
      .map(({ uid }) => uid);
    accounts().of(subUid).mode = "unified";
    expect(await mutate(live, "upgradeAccount", { account: "classic", subUid })).toMatchObject({
      outcome: "REJECTED",
      userErrors: [{ ...problem, field: ["subUid"], message: `subUid ${rule}` }],
    });
    expect(live.sandbox.calls.of("upgradeAccount").total).toBe(0);
  });
});
