import { describe, expect, it } from "vitest";
import { startLiveGraph } from "./support/liveGraph.js";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph({ hasPast: false });

describe("accounts", () => {
  it("names every configured account and finds out once its account mode", async () => {
    const { data, calls } = await live.answer("{ accounts { name mode } }");
    expect(data.accounts).toEqual([
      { name: "main", mode: "UNIFIED" },
      { name: "classic", mode: "CLASSIC" },
      { name: "broker", mode: "CLASSIC" },
    ]);
    expect(calls).toEqual(["accountSettings", "accountSettings", "accountSettings"]);
    live.nextMinute();
    expect((await live.run("{ accounts { mode } }")).calls).toEqual([]);
  });

  it("answers for the first account without a name, and with null for an unknown name", async () => {
    const { data } = await live.run(
      '{ first: account { name } named: account(name: "broker") { name } nobody: account(name: "nobody") { name } }',
    );
    expect(data).toEqual({ first: { name: "main" }, named: { name: "broker" }, nobody: null });
  });
});

describe("account settings", () => {
  const SETTINGS = `query ($name: String) { account(name: $name) { settings {
    uid accountMode accountModeRaw assetMode accountLevel holdMode holdModeRaw stpMode
    symbolSettings { category categoryRaw symbol marginMode leverage } coinSettings { coin leverage }
    inviterId parentId ips authorities traderType traderTypeRaw channelCode channel registeredTime
  } } }`;

  it("has a unified account's modes, as values of the graph's enums", async () => {
    const { data } = await live.answer(SETTINGS, { name: "main" });
    expect(data.account.settings).toMatchObject({
      uid: "8800112233",
      accountMode: "UNIFIED",
      accountModeRaw: "unified",
      holdMode: "ONE_WAY_MODE",
      holdModeRaw: "one_way_mode",
      authorities: null,
      traderType: null,
    });
  });

  it("has a Classic account's membership, and leaves out what only unified accounts have", async () => {
    const { data } = await live.answer(SETTINGS, { name: "classic" });
    expect(data.account.settings).toMatchObject({
      uid: "8800112244",
      accountMode: null,
      accountModeRaw: null,
      symbolSettings: null,
      coinSettings: null,
      authorities: expect.arrayContaining(["stow"]),
      traderType: "NOT_TRADER",
      traderTypeRaw: "not_trader",
    });
  });
});

describe("what one API version alone has", () => {
  it.each([
    ["classic", "unifiedAssets { equityUsd }", "unifiedAssets"],
    ["classic", "fundingBalances { coin }", "fundingBalances"],
    ["classic", "openOrders(category: MARGIN) { nodes { orderId } }", "openOrders"],
    ["classic", "orderHistory(category: MARGIN) { nodes { orderId } }", "orderHistory"],
    ["classic", "fills(category: MARGIN) { nodes { execId } }", "fills"],
    ["main", "futuresAccounts(productType: USDT_FUTURES) { marginCoin }", "futuresAccounts"],
    ["main", "subAccountFuturesAssets(productType: USDT_FUTURES) { subUid }", "subAccountFuturesAssets"],
    ["main", "openOrders(tpslType: TPSL) { nodes { orderId } }", "openOrders"],
  ])("is refused to %s: %s", async (name, selection, field) => {
    const { data, errors } = await live.run(`{ account(name: "${name}") { name ${selection} } }`);
    expect(data).toEqual({ account: { name, [field]: null } });
    expect(errors.map(({ path, extensions }) => [path?.join("."), extensions.code])).toEqual([
      [`account.${field}`, "ACCOUNT_MODE_MISMATCH"],
    ]);
  });
});

describe("futures settings", () => {
  const ask = async (account: string, symbol: string) => {
    const query = `{ account(name: "${account}") { futuresSettings(category: USDT_FUTURES, symbol: "${symbol}") {
      symbol holdMode marginMode leverage crossedMarginLeverage isolatedLongLeverage isolatedShortLeverage
    } } }`;
    const { data, errors } = await live.run(query);
    return { settings: data.account.futuresSettings, errors };
  };

  it("can be read for a Classic account's symbol without a position", async () => {
    const account = live.sandbox.world.state.accounts.of("8800112244");
    const common = { symbol: "XRPUSDT", holdMode: "ONE_WAY_MODE" };
    account.setSetting("USDT-FUTURES", "XRPUSDT", { marginMode: "crossed", crossed: 7, long: 3, short: 4 });
    const leverages = { crossedMarginLeverage: "7", isolatedLongLeverage: "3", isolatedShortLeverage: "4" };
    expect(await ask("classic", "xrpusdt")).toEqual({
      settings: { ...common, marginMode: "CROSSED", leverage: "7", ...leverages },
      errors: [],
    });
    live.nextMinute();
    account.setSetting("USDT-FUTURES", "XRPUSDT", { marginMode: "isolated", crossed: 7, long: 3, short: 4 });
    expect((await ask("classic", "XRPUSDT")).settings).toMatchObject({ marginMode: "ISOLATED", leverage: null });
  });

  it("can be read for a unified account's symbol, as far as they were set", async () => {
    const account = live.sandbox.world.state.accounts.of("8800112233");
    account.setSetting("USDT-FUTURES", "XRPUSDT", { marginMode: "crossed", crossed: 9, long: 9, short: 9 });
    expect((await ask("main", "XRPUSDT")).settings).toMatchObject({
      marginMode: "CROSSED",
      leverage: "9",
      crossedMarginLeverage: null,
    });
  });
});

describe("the upgrade of an account", () => {
  const UPGRADE = '{ account(name: "classic") { upgrade { status reason } settings { accountMode } } }';

  it("can be followed, with what may be read meanwhile, and that of a sub-account", async () => {
    const { state, modes } = live.sandbox.world;
    for (const order of [...state.orders.open("8800112244")])
      live.sandbox.world.orders.cancel("8800112244", order.category, { orderId: order.orderId });
    expect((await live.run(UPGRADE)).data.account.upgrade).toMatchObject({ status: "FAIL" });
    const [sub] = state.accounts.subAccounts("8800112244");
    live.nextMinute();
    modes.upgrade(sub?.uid ?? "");
    const ofSub = `{ account(name: "classic") { upgrade(subUid: "${sub?.uid}") { status } } }`;
    expect((await live.run(ofSub)).data.account.upgrade).toEqual({ status: "PROCESS" });
    live.nextMinute();
    expect((await live.run(ofSub)).data.account.upgrade).toEqual({ status: "SUCCESS" });
  });

  it.each(["upgrade { status } settings { accountMode }", "settings { accountMode } upgrade { status }"])(
    "changes together with the account's mode, whatever was cached: %s",
    async (fields) => {
      const own = await startLiveGraph();
      const asked = async () => {
        const { data, errors } = await own.while(own.run(`{ account(name: "classic") { ${fields} } }`));
        expect(errors).toEqual([]);
        return [data.account.upgrade.status, data.account.settings.accountMode];
      };
      const { state, modes, orders } = own.sandbox.world;
      for (const { category, orderId } of [...state.orders.open("8800112244")])
        orders.cancel("8800112244", category, { orderId });
      own.nextMinute();
      expect(await asked()).toEqual(["FAIL", null]);
      modes.upgrade("8800112244");
      // The exchange answers one call per second.
      own.clock.advance(1_500);
      expect(await asked()).toEqual(["PROCESS", "UPGRADING"]);
      own.clock.advance(58_000);
      expect(await asked()).toEqual(["PROCESS", "UPGRADING"]);
      own.clock.advance(1_500);
      expect(await asked()).toEqual(["SUCCESS", "UNIFIED"]);
      await own.close();
    },
  );
});
