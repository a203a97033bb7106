import { ManualClock } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import type { PromisedCredential } from "../../src/credentials.js";
import { walletOf } from "../../src/world/ledger.js";
import { fileSandbox } from "../support/fileSandbox.js";
import { credentialOf, signedCall } from "../support/signedCall.js";

/** Records whose fields differ in a few from those of their relatives: no field less, and none more. */

const sandbox = await fileSandbox({ clock: new ManualClock(1_767_225_600_000) });

const SHARED = `marginCoin available locked crossedMaxAvailable isolatedMaxAvailable maxTransferOut usdtEquity btcEquity
  unrealizedPL accountEquity`;

it.each<readonly [name: string, account: PromisedCredential["name"], target: string, rows: string, fields: string]>([
  ["a futures account of a sub-account", "classic", "mix/account/sub-account-assets?", "assetList", `${SHARED} coupon`],
  [
    "a futures account of a broker's sub-account",
    "broker",
    "broker/account/subaccount-future-assets?subUid=8800200001&",
    "assetsList",
    `${SHARED} frozen uTime`,
  ],
  [
    "a contract",
    "classic",
    "mix/market/contracts?",
    "",
    `symbol baseCoin quoteCoin buyLimitPriceRatio sellLimitPriceRatio feeRateUpRatio makerFeeRate takerFeeRate openCostUpRatio
     supportMarginCoins minTradeNum priceEndStep volumePlace pricePlace sizeMultiplier symbolType minTradeUSDT
     maxSymbolOrderNum maxProductOrderNum maxPositionNum symbolStatus offTime limitOpenTime deliveryTime deliveryStartTime
     deliveryPeriod launchTime fundInterval minLever maxLever posLimit maintainTime maxMarketOrderQty maxOrderQty isRwa openTime`,
  ],
])("%s has the fields of its kind", async (_, account, target, rows, fields) => {
  const { data } = await signedCall(sandbox, credentialOf(account), `/api/v2/${target}productType=USDT-FUTURES`);
  const holder: unknown = Array.isArray(data) ? data[0] : data;
  const list = rows === "" ? [holder] : (holder as Readonly<Record<string, readonly unknown[]>>)[rows];
  expect(Object.keys(list?.[0] as object).sort()).toEqual(fields.split(/\s+/).sort());
});

describe("what a broker's sub-account has frozen", () => {
  it("is not counted as locked a second time", async () => {
    const target = "/api/v2/broker/account/subaccount-future-assets?subUid=8800200001&productType=USDT-FUTURES";
    const frozen = async () => {
      const { data } = await signedCall(sandbox, credentialOf("broker"), target);
      const [asset] = (data as { readonly assetsList: readonly Readonly<Record<string, string>>[] }).assetsList;
      return [asset?.frozen, asset?.locked];
    };
    expect(await frozen()).toEqual(["0", "0"]);
    sandbox.world.state.ledger.freeze(walletOf("8800200001", "usdt-futures"), "USDT", exact("1"), "test");
    expect(await frozen()).toEqual(["1", "0"]);
  });
});
