import { RestClientV2, RestClientV3 } from "bitget-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PromisedCredential } from "../../../src/credentials.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox.js";
import { belowMarket } from "../../support/prices.js";
import { credentialOf } from "../../support/signedCall.js";

/**
 * An independent client of the exchange, as it comes from npm, against the sandbox: what it signs is accepted, what it
 * asks for is answered, and what it gets wrong is refused with the exchange's codes.
 */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const options = ({ key, secret, passphrase }: PromisedCredential) => ({
  apiKey: key,
  apiSecret: secret,
  apiPass: passphrase,
  baseUrl: sandbox.url,
});
const v2 = (name: PromisedCredential["name"], overrides: object = {}): RestClientV2 =>
  new RestClientV2({ ...options(credentialOf(name)), ...overrides });
const v3 = (name: PromisedCredential["name"]): RestClientV3 => new RestClientV3(options(credentialOf(name)));
const withoutKey = (): RestClientV2 => new RestClientV2({ baseUrl: sandbox.url });

const month = (): { startTime: string; endTime: string } => {
  const now = sandbox.clock.now();
  return { startTime: String(now - 29 * 86_400_000), endTime: String(now) };
};

/** The documented reads: what the client calls, and what a row of the answer carries. */
const READS: readonly (readonly [
  path: string,
  call: () => Promise<{ data: unknown }>,
  row: (data: unknown) => unknown,
  keys: string,
])[] = [
  [
    "position/history-position",
    () => v3("main").getPositionHistory({ category: "USDT-FUTURES", limit: "20", ...month() }),
    (data) => first(at(data, "list")),
    "positionId category symbol marginCoin holdMode posSide marginMode openPriceAvg closePriceAvg openTotalPos closeTotalPos " +
      "cumRealisedPnl netProfit totalFunding openFeeTotal closeFeeTotal cashDividend createdTime updatedTime",
  ],
  [
    "mix/account/accounts",
    () => v2("classic").getFuturesAccountAssets({ productType: "USDT-FUTURES" }),
    first,
    "marginCoin locked available crossedMaxAvailable isolatedMaxAvailable maxTransferOut accountEquity usdtEquity btcEquity " +
      "crossedRiskRate unrealizedPL coupon unionTotalMagin unionAvailable unionMm assetList",
  ],
  [
    "mix/account/sub-account-assets",
    () => v2("classic").getFuturesSubAccountAssets({ productType: "USDT-FUTURES" }),
    (data) => first(at(first(data), "assetList")),
    "marginCoin locked available crossedMaxAvailable isolatedMaxAvailable maxTransferOut accountEquity usdtEquity btcEquity " +
      "unrealizedPL coupon",
  ],
  [
    "mix/market/discount-rate",
    () => withoutKey().getFuturesDiscountRate(),
    (data) => first(at(first(data), "discountRateList")),
    "tier minAmount maxAmount discountRate",
  ],
  [
    "spot/public/symbols",
    () => v2("main").getSpotSymbolInfo({ symbol: "BTCUSDT" }),
    first,
    "symbol baseCoin quoteCoin minTradeAmount maxTradeAmount takerFeeRate makerFeeRate pricePrecision quantityPrecision " +
      "quotePrecision minTradeUSDT status buyLimitPriceRatio sellLimitPriceRatio orderQuantity",
  ],
  [
    "spot/market/fund-flow",
    () => withoutKey().getSpotFundFlow({ symbol: "BTCUSDT" }),
    (data) => data,
    "whaleBuyVolume whaleSellVolume whaleBuyRatio whaleSellRatio dolphinBuyVolume dolphinSellVolume dolphinBuyRatio " +
      "dolphinSellRatio fishBuyVolume fishSellVolume fishBuyRatio fishSellRatio",
  ],
  [
    "margin/currencies",
    () => withoutKey().getMarginCurrencies(),
    first,
    "symbol baseCoin quoteCoin maxCrossedLeverage maxIsolatedLeverage warningRiskRatio liquidationRiskRatio minTradeAmount " +
      "maxTradeAmount takerFeeRate makerFeeRate pricePrecision quantityPrecision minTradeUSDT isBorrowable userMinBorrow status " +
      "isIsolatedBaseBorrowable isIsolatedQuoteBorrowable isCrossBorrowable",
  ],
  [
    "earn/loan/ongoing-orders",
    () => v2("classic").getOngoingLoanOrders({ loanCoin: "USDT" }),
    first,
    "orderId loanCoin loanAmount interestAmount hourInterestRate pledgeCoin pledgeAmount pledgeRate supRate forceRate borrowTime " +
      "expireTime",
  ],
  [
    "earn/loan/borrow-history",
    () => v2("main").getLoanHistory({ ...month(), pageNo: "2", pageSize: "20" }),
    first,
    "orderId loanCoin pledgeCoin initPledgeAmount initLoanAmount hourRate daily borrowTime status",
  ],
  ["earn/loan/debts", () => v2("main").getLoanDebts(), (data) => first(at(data, "pledgeInfos")), "coin amount amountUsdt"],
  [
    "earn/sharkfin/assets",
    () => v2("main").getSharkfinAssets({ status: "settled", limit: "5" }),
    (data) => first(at(data, "resultList")),
    "productId interestStartTime interestEndTime productCoin subscribeCoin trend settleTime interestAmount productStatus",
  ],
  [
    "earn/sharkfin/records",
    () => v2("main").getSharkfinRecords({ type: "subscription", coin: "USDT", ...month() }),
    (data) => first(at(data, "resultList")),
    "orderId product period amount ts type",
  ],
  ["broker/account/info", () => v2("broker").getBrokerInfo(), (data) => data, "subAccountSize maxSubAccountSize uTime"],
  [
    "broker/account/subaccount-spot-assets",
    () => v2("broker").getSubaccountSpotAssets({ subUid: "8800200001", assetType: "all" }),
    (data) => first(at(data, "assetsList")),
    "coin available frozen locked uTime",
  ],
];

function at(data: unknown, key: string): unknown {
  return typeof data === "object" && data !== null ? Object.entries(data).find(([name]) => name === key)?.[1] : undefined;
}
function first(data: unknown): unknown {
  return Array.isArray(data) ? data[0] : undefined;
}

describe("the public client", () => {
  it.each(READS)("reads %s with every documented field", async (_, call, row, keys) => {
    const { data } = await call();
    expect(Object.keys(row(data) ?? {})).toEqual(expect.arrayContaining(keys.split(" ")));
  });

  it.each([
    ["a wrong secret", "40009", { apiSecret: "not-the-secret" }],
    ["a wrong passphrase", "40012", { apiPass: "not-the-passphrase" }],
    ["an unknown key", "40037", { apiKey: "nobody" }],
  ])("is refused with the exchange's code for %s", async (_, code, overrides) => {
    await expect(v2("main", overrides).getLoanDebts()).rejects.toMatchObject({ code: 400, body: { code, data: null } });
  });

  it("is refused for a stale timestamp", async () => {
    sandbox.clock.skewMs = 31_000;
    const refused = expect(v2("main").getLoanDebts()).rejects;
    await refused.toMatchObject({ code: 400, body: { code: "40008", msg: "Request timestamp expired" } });
    sandbox.clock.skewMs = 0;
  });

  it("is refused with the account's mode if it calls an endpoint of the other mode", async () => {
    await expect(v3("classic").getAccountSettings()).rejects.toMatchObject({ body: { code: "40084" } });
    const wrong = v2("main").getFuturesAccountAssets({ productType: "USDT-FUTURES" });
    await expect(wrong).rejects.toMatchObject({ body: { code: "40085" } });
  });
});

describe("an order of the public client", () => {
  it("of v3 is placed, seen among the open ones, cancelled and read back", async () => {
    const client = v3("main");
    const price = belowMarket(sandbox, "SPOT", "ETHUSDT");
    const about = { category: "SPOT", symbol: "ETHUSDT" } as const;
    const terms = { side: "buy", orderType: "limit", qty: "0.1", price, timeInForce: "gtc", clientOid: "rest-3" } as const;
    const { data: placed } = await client.submitNewOrder({ ...about, ...terms });
    expect(placed).toEqual({ orderId: expect.any(String), clientOid: "rest-3" });
    const { orderId } = placed;
    const { data: open } = await client.getUnfilledOrders(about);
    expect(at(open, "list")).toContainEqual(expect.objectContaining({ orderId, orderStatus: "new", qty: "0.1" }));
    await client.cancelOrder({ orderId });
    const { data: left } = await client.getUnfilledOrders(about);
    expect(at(left, "list") ?? []).not.toContainEqual(expect.objectContaining({ orderId }));
    const { data: info } = await client.getOrderInfo({ clientOid: "rest-3" });
    expect(info).toMatchObject({ orderId, orderStatus: "cancelled", qty: "0.1", cumExecQty: "0" });
    const { data: history } = await client.getHistoryOrders({ ...about, limit: "10" });
    expect(at(history, "list")).toContainEqual(expect.objectContaining({ orderId, orderStatus: "cancelled" }));
  });

  it("of v2 is placed, seen among the open ones, cancelled and read back, on spot and on futures", async () => {
    const client = v2("classic");
    const spot = { symbol: "ETHUSDT", side: "buy", orderType: "limit", force: "gtc", size: "0.1" } as const;
    const { data: placed } = await client.spotSubmitOrder({ ...spot, price: belowMarket(sandbox, "SPOT", "ETHUSDT") });
    const { orderId } = placed;
    const { data: open } = await client.getSpotOpenOrders({ symbol: "ETHUSDT" });
    expect(open).toContainEqual(expect.objectContaining({ orderId, status: "live" }));
    await client.spotCancelOrder({ symbol: "ETHUSDT", orderId });
    const { data: order } = await client.getSpotOrder({ orderId });
    expect(order).toMatchObject([{ orderId, status: "cancelled", baseVolume: expect.stringMatching(/^0/) }]);

    const about = { symbol: "ETHUSDT", productType: "USDT-FUTURES", marginCoin: "USDT" } as const;
    const { data: futures } = await client.futuresSubmitOrder({
      ...{ ...about, marginMode: "isolated", side: "buy", orderType: "limit", force: "gtc", size: "0.1" },
      price: belowMarket(sandbox, "USDT-FUTURES", "ETHUSDT"),
    });
    const { data: pending } = await client.getFuturesOpenOrders({ productType: "USDT-FUTURES", symbol: "ETHUSDT" });
    expect(at(pending, "entrustedList")).toContainEqual(expect.objectContaining({ orderId: futures.orderId, status: "live" }));
    await client.futuresCancelOrder({ ...about, orderId: futures.orderId });
    const { data: detail } = await client.getFuturesOrder({ ...about, orderId: futures.orderId });
    expect(detail).toMatchObject({ orderId: futures.orderId, state: "canceled", baseVolume: "0" });
  });
});
