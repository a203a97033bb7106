import { describe, expect, it } from "vitest";
import { accountSettings, classicAccount, switchStatus, upgradeStatus } from "../src/account.js";
import samples from "./samples/account.json" with { type: "json" };
import { renamed } from "./support/renamed.js";

const SETTINGS = samples.SETTINGS;

describe("account settings", () => {
  it("read modes, symbols and coins", () => {
    expect(accountSettings.data.decode(SETTINGS)).toEqual({
      ...renamed(SETTINGS, { symbolConfigList: "symbolSettings", coinConfigList: "coinSettings" }),
      accountModeRaw: "unified",
      assetModeRaw: "multi_assets",
      accountLevelRaw: "advanced",
      holdModeRaw: "one_way_mode",
      stpModeRaw: "none",
      symbolSettings: samples["read modes, symbols and coins"],
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
  const WIRE = samples["a Classic account"];

  it("reads its addresses as a list and its numeric parent as text", () => {
    expect(classicAccount.data.decode(WIRE)).toEqual(samples["reads its addresses as a list and its numeric parent as text"]);
  });

  it("is bound to no address when the text is empty", () => {
    expect(classicAccount.data.decode({ ...WIRE, ips: "" }).ips).toEqual([]);
  });
});

describe("the change of account mode", () => {
  it.each(["process", "success", "fail"])("knows the status %s", (status) => {
    expect(upgradeStatus.data.decode({ status })).toEqual({ status, statusRaw: status, reason: null });
  });

  it("says why it failed", () => {
    expect(switchStatus.data.decode({ status: "fail", reason: "upgrade_disabled" }).reason).toBe("upgrade_disabled");
  });
});
