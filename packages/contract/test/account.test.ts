import { describe, expect, it } from "vitest";
import { accountSettings, classicAccount, switchStatus, upgradeAccount, upgradeStatus } from "../src/account.js";
import { refused } from "./support/refused.js";
import { renamed } from "./support/renamed.js";

const SETTINGS = {
  uid: "8800112233",
  accountMode: "unified",
  assetMode: "multi_assets",
  accountLevel: "advanced",
  holdMode: "one_way_mode",
  stpMode: "none",
  symbolConfigList: [{ category: "USDT-FUTURES", symbol: "BTCUSDT", marginMode: "crossed", leverage: "20" }],
  coinConfigList: [{ coin: "BTC", leverage: "3" }],
};

describe("account settings", () => {
  it("read modes, symbols and coins", () => {
    expect(accountSettings.data.decode(SETTINGS)).toEqual({
      ...renamed(SETTINGS, { symbolConfigList: "symbolSettings", coinConfigList: "coinSettings" }),
      accountModeRaw: "unified",
      assetModeRaw: "multi_assets",
      accountLevelRaw: "advanced",
      holdModeRaw: "one_way_mode",
      stpModeRaw: "none",
      symbolSettings: [
        {
          category: "USDT-FUTURES",
          categoryRaw: "USDT-FUTURES",
          symbol: "BTCUSDT",
          marginMode: "crossed",
          marginModeRaw: "crossed",
          leverage: "20",
        },
      ],
    });
  });

  it("decode without the level and the lists, which are newer fields or empty", () => {
    const wire = { uid: 8800112233, accountMode: "upgrading", holdMode: "hedge_mode", symbolConfigList: null };
    expect(accountSettings.data.decode(wire)).toMatchObject({
      uid: "8800112233",
      accountMode: "upgrading",
      accountLevel: null,
      accountLevelRaw: null,
      symbolSettings: [],
      coinSettings: [],
    });
  });
});

describe("a Classic account", () => {
  const WIRE = {
    userId: "8800112233",
    inviterId: "0",
    ips: "127.0.0.1,10.0.0.7",
    authorities: ["stow", "coow"],
    parentId: 8800112200,
    traderType: "not_trader",
    channelCode: "",
    channel: "",
    regisTime: "1690000000000",
  };

  it("reads its addresses as a list and its numeric parent as text", () => {
    expect(classicAccount.data.decode(WIRE)).toEqual({
      userId: "8800112233",
      inviterId: "0",
      ips: ["127.0.0.1", "10.0.0.7"],
      authorities: ["stow", "coow"],
      parentId: "8800112200",
      traderType: "not_trader",
      traderTypeRaw: "not_trader",
      channelCode: null,
      channel: null,
      registeredTime: 1_690_000_000_000,
    });
  });

  it("is bound to no address when the text is empty", () => {
    expect(classicAccount.data.decode({ ...WIRE, ips: "" }).ips).toEqual([]);
  });

  it("is asked about once per second, so its answer is kept for longer", () => {
    expect(classicAccount.rate).toMatchObject({ limit: 1, windowMs: 1000 });
    expect(classicAccount.cache?.freshMs).toBeGreaterThanOrEqual(1000);
  });
});

describe("the change of account mode", () => {
  it.each(["process", "success", "fail"])("knows the status %s", (status) => {
    expect(upgradeStatus.data.decode({ status })).toEqual({ status, statusRaw: status, reason: null });
  });

  it("says why it failed", () => {
    expect(switchStatus.data.decode({ status: "fail", reason: "upgrade_disabled" }).reason).toBe("upgrade_disabled");
  });

  it("is for the caller or for one of its sub-accounts, and its progress never comes from the cache", () => {
    expect(refused(upgradeAccount, {})).toEqual([]);
    expect(refused(upgradeAccount, { subUid: "8800112244" })).toEqual([]);
    expect(refused(upgradeAccount, { subUid: "" })).toEqual(["subUid"]);
    expect([upgradeStatus.cache, switchStatus.cache]).toEqual([undefined, undefined]);
  });

  it("can be followed from both sides", () => {
    expect([upgradeStatus.serves, switchStatus.serves]).toEqual(["BOTH", "BOTH"]);
  });
});
