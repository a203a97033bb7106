import { describe, expect, it } from "vitest";
import { AMOUNT, sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph({ hasPast: false });

const AMOUNT_OR_NULL = expect.toSatisfy((value: unknown) => value === null || /^-?\d+(\.\d+)?$/.test(String(value)));
const PRODUCT_TYPES = ["USDT_FUTURES", "COIN_FUTURES", "USDC_FUTURES", "SUSDT_FUTURES", "SCOIN_FUTURES", "SUSDC_FUTURES"];

describe("futures accounts", () => {
  it("shows an account per margin coin with everything that the exchange says of it", async () => {
    const { data, calls } = await live.answer(`{ account(name: "classic") { futuresAccounts(productType: USDT_FUTURES) {
      marginCoin locked available crossedMaxAvailable isolatedMaxAvailable maxTransferOut equity equityUsdt equityBtc
      crossedMarginRatio unrealisedPnl bonus unionTotalMargin unionAvailable unionMaintenanceMargin isolatedMargin crossedMargin
      isolatedUnrealisedPnl crossedUnrealisedPnl assetMode assetModeRaw assets { coin balance available }
    } } }`);
    expect(calls).toContain("futuresAccounts");
    expect(data.account.futuresAccounts).toHaveLength(1);
    expect(data.account.futuresAccounts[0]).toMatchObject({
      marginCoin: "USDT",
      locked: AMOUNT,
      available: AMOUNT,
      crossedMaxAvailable: AMOUNT,
      isolatedMaxAvailable: AMOUNT,
      maxTransferOut: AMOUNT,
      equity: AMOUNT,
      equityUsdt: AMOUNT,
      equityBtc: AMOUNT,
      crossedMarginRatio: AMOUNT,
      unrealisedPnl: AMOUNT_OR_NULL,
      bonus: AMOUNT,
      unionTotalMargin: AMOUNT_OR_NULL,
      assets: expect.arrayContaining([{ coin: expect.any(String), balance: AMOUNT, available: AMOUNT_OR_NULL }]),
    });
  });

  it("takes each of the six product types", async () => {
    const all = PRODUCT_TYPES.map((type) => `${type}: futuresAccounts(productType: ${type}) { marginCoin }`).join(" ");
    const { errors } = await live.run(`{ account(name: "classic") { ${all} } }`);
    expect(errors.filter(({ extensions }) => extensions.code === "BAD_USER_INPUT")).toEqual([]);
    expect(live.sandbox.calls.of("futuresAccounts").total).toBe(6);
  });

  it("asks for the three that are no demo without one, and says of each account which it is of", async () => {
    const { data, calls } = await live.answer('{ account(name: "classic") { futuresAccounts { id productType marginCoin } } }');
    expect(calls).toEqual(["futuresAccounts", "futuresAccounts", "futuresAccounts"]);
    const types = data.account.futuresAccounts.map(({ productType }: { productType: string }) => productType);
    expect(new Set(types)).toEqual(new Set(PRODUCT_TYPES.slice(0, 3)));
    expect(new Set(data.account.futuresAccounts.map(({ id }: { id: string }) => id)).size).toBe(types.length);
  });
});

describe("sub-accounts' futures assets", () => {
  const ASSETS = `query ($name: String) { account(name: $name) { subAccountFuturesAssets(productType: USDT_FUTURES) {
    subUid assets {
      marginCoin locked available crossedMaxAvailable isolatedMaxAvailable maxTransferOut equity equityUsdt equityBtc
      unrealisedPnl bonus
    }
  } } }`;

  it("lists every sub-account of a Classic master account", async () => {
    const { data } = await live.answer(ASSETS, { name: "classic" });
    const { subAccountFuturesAssets: found } = data.account;
    expect(found.length).toBeGreaterThan(1);
    expect(found[0]).toEqual({
      subUid: expect.stringMatching(/^\d+$/),
      assets: [
        {
          marginCoin: "USDT",
          locked: AMOUNT,
          available: AMOUNT,
          crossedMaxAvailable: AMOUNT,
          isolatedMaxAvailable: AMOUNT,
          maxTransferOut: AMOUNT,
          equity: AMOUNT,
          equityUsdt: AMOUNT,
          equityBtc: AMOUNT,
          unrealisedPnl: AMOUNT_OR_NULL,
          bonus: AMOUNT,
        },
      ],
    });
  });

  it("spends one call in ten seconds, however often it is asked", async () => {
    for (let time = 0; time < 3; time++) expect((await live.run(ASSETS, { name: "classic" })).errors).toEqual([]);
    expect(live.sandbox.calls.of("subAccountFuturesAssets")).toMatchObject({ total: 1, limited: 0 });
  });

  it("is refused to an ND broker", async () => {
    const { data, errors } = await live.run(ASSETS, { name: "broker" });
    expect(data.account.subAccountFuturesAssets).toBeNull();
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(["FORBIDDEN"]);
  });
});
