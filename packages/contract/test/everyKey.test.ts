import { describe, expect, it } from "vitest";
import { endpointNamed, endpoints } from "../src/index.js";
import { type Finding, WireError } from "../src/wireError.js";
import { isLeaf, placesIn, placeText, samplesIn, withValue } from "./samples/changed.js";

/**
 * One answer of each endpoint, every key of it missing, empty and unknown. An answer is lost by what identifies the one thing in
 * it alone, a row by what identifies it.
 */
const SAMPLES = samplesIn<{ readonly endpoint: string; readonly data: unknown }>("answers.ndjson");
const NAMES = SAMPLES.map(({ endpoint }) => endpoint);

/** Setters that answer with nothing, or with what no test has brought about. */
const NOT_SAMPLED = ["classicSetMarginMode", "savingsRedeemResult", "setHoldMode", "switchAccount"];

/** What an answer about one thing cannot do without: its name, the terms of a quotation, both numbers of a book's level. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  classicFuturesOrderBook: [".asks[0][0]", ".asks[0][1]", ".bids[0][0]", ".bids[0][1]"],
  classicFuturesOrderDetail: [".orderId", ".symbol"],
  classicSpotMergedOrderBook: [".asks[0][0]", ".asks[0][1]", ".bids[0][0]", ".bids[0][1]"],
  classicSpotOrderBook: [".asks[0][0]", ".asks[0][1]", ".bids[0][0]", ".bids[0][1]"],
  classicSpotOrderInfo: ["[0].orderId", "[0].symbol"],
  convertQuote: [".fromCoin", ".fromCoinSize", ".toCoin", ".toCoinSize", ".cnvtPrice", ".traceId"],
  // Its record is found again by this.
  convertTrade: [".ts"],
  orderBook: [".a[0][0]", ".a[0][1]", ".b[0][0]", ".b[0][1]"],
  orderInfo: [".orderId", ".category", ".symbol"],
  serverTime: [".serverTime"],
  maxTransferable: [".coin"],
  classicMarginMaxTransfer: [".coin"],
  maxWithdrawal: [".coin"],
};

/** What a row cannot do without: all else may be missing. */
const IDENTIFIES: readonly (readonly [endpoints: RegExp, keys: RegExp])[] = [
  [/^(openOrders|orderHistory|openPlanOrders|planOrderHistory)$/, /\.(orderId|category|symbol)$/],
  [/^classic\w*(OpenOrders|OrderHistory|OpenPlanOrders|PlanOrderHistory)$/, /\.(orderId|symbol)$/],
  [/^fills$/, /\.(execId|category|symbol)$/],
  [/^classic\w*Fill(s|History)$/, /\]\.(tradeId|symbol)$/],
  [/^positions$/, /\.(category|symbol|marginCoin|posSide)$/],
  [/^classicPositions(OfSymbol)?$/, /\.(symbol|marginCoin|holdSide)$/],
  [/^positionHistory$/, /\.(category|symbol)$/],
  [/^classicPositionHistory$/, /\.symbol$/],
  [/^publicTrades$/, /\.execId$/],
  [/^classic\w+Trades$/, /\.tradeId$/],
  [/andles$/, /^\[0\]\[0\]$/],
  [/ickers?$|^fundingRates$|^instruments$|^classicContracts$|^spotSymbols$|^marginPairs$/, /\.symbol$/],
  [/^accountSettings$/, /\.(coin|category|symbol)$/],
  [/inancialRecords$|MarginRecords$|Bills$/, /\.(id|billId|marginId)$/],
  [/^coins$/, /\.(coin|chain)$/],
  [/eeRates$|^openInterests$/, /\.symbol$/],
  [/Transfers$/, /\.transferId$/],
  [/epositRecords$/, /\.orderId$/],
  [/^fundingHistory$/, /\.fundingRateTimestamp$/],
  [/^positionTiers$/, /\.tier$/],
  [/^discountRates$/, /\.(coin|tier)$/],
  [/Assets$|^convertCurrencies$|^loanCoins$|oanDebts$/, /\.coin$/],
  [/^futuresAccounts$/, /(\]\.marginCoin|\.assetList\[0\]\.coin)$/],
  [/^(subAccountFuturesAssets|brokerSubAccountFuturesAssets)$/, /\.(userId|marginCoin)$/],
  [/oan(History|Ongoing|Reductions|Repayments)$|^s\w+Records$|ithdrawal(s|Records)$/, /\.orderId$/],
  [/^(savings|sharkFin)(Assets|Products|Offers)$/, /\.(productId|subscribeCoin|rateLevel)$/],
  [/^convertRecords$/, /\.id$/],
  [/^subAccountList$/, /\.subUid$/],
  [/^strategySubOrders$/, /\.(subOrderId|category|symbol)$/],
  [/^classicPlanSubOrders$/, /\.orderId$/],
];
/** The coin that a row pays in is another thing than the coin that it is about. */
const DOES_NOT: readonly string[] = ["sharkFinOffers[0].subscribeCoin"];

/** What may be missing, but misleads when it cannot be read; without its cursor a list would seem to end. */
const MISLEADS: readonly (readonly [endpoints: RegExp, keys: RegExp])[] = [
  [/./, /^\.(cursor|endId|minId)$/],
  [/[oO]rder/, /\.(qty|size|amount|cumExecQty|baseVolume|orderStatus|status|state)$/],
  // Their null has a meaning: at market, no stop-loss, no bound.
  [/[oO]rder|^positions$|^classicPositions/, /\.(price|basePrice|priceAvg|(trigger|execute|limit)\w*Price|callbackRatio)$/i],
  [/[oO]rder|^positions$|^classicPositions/, /\.(takeProfit|stopLoss|(tp|sl|preset|stop|execute|trigger)\w*Price)$/],
  [/^(discountRates|sharkFinOffers)$/, /\.(maxAmount|limitAmount)$/],
  [/[fF]ill/, /\.(execQty|execPrice|size|baseVolume|price|priceAvg)$/],
  [/^positions$|^classicPositions/, /\.(total|size)$/],
];

const identifies = (endpoint: string, place: string): boolean =>
  IDENTIFIES.some(([names, keys]) => names.test(endpoint) && keys.test(place)) &&
  !DOES_NOT.includes(`${endpoint}${place.replace(/^\.\w+/, "")}`);

const misleads = (endpoint: string, place: string): boolean =>
  MISLEADS.some(([names, keys]) => names.test(endpoint) && keys.test(place));

/** What becomes of the sample when a value in it is changed: read, a field null, a row lost, or all of it. */
function reading(endpoint: string, data: unknown): "read" | "field" | "row" | "all" {
  const found: Finding[] = [];
  try {
    endpointNamed(endpoint)?.data.decode(data, found);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return "all";
  }
  const unread = found.filter((one) => one instanceof WireError);
  const rows = unread.filter(({ isOfField }) => !isOfField);
  if (rows.length > 1) throw new Error("one value has cost more than one row");
  return unread.length === 0 ? "read" : rows.length === 0 ? "field" : "row";
}

describe("every key of every answer", () => {
  it("is of every endpoint there is", () => {
    const all = endpoints.map(({ name }) => name).sort();
    expect([...NAMES, ...NOT_SAMPLED].sort()).toEqual(all);
  });

  it.each(SAMPLES.map(({ endpoint, data }) => [endpoint, data] as const))("may be missing or empty: %s", (endpoint, data) => {
    const places = [...placesIn(data)];
    const expected = places.map((path) => {
      const place = placeText(path);
      if (NEEDED[endpoint]?.includes(place)) return `${place} all`;
      return `${place} ${identifies(endpoint, place) ? "row" : "read"}`;
    });
    expect(reading(endpoint, data)).toBe("read");
    for (const nothing of [undefined, "", null])
      expect(places.map((path) => `${placeText(path)} ${reading(endpoint, withValue(data, path, nothing))}`)).toEqual(expected);
  });

  it.each(SAMPLES.map(({ endpoint, data }) => [endpoint, data] as const))(
    "costs at most its field when it cannot be read: %s",
    (endpoint, data) => {
      const places = [...placesIn(data)].filter((path) => {
        const place = placeText(path);
        const isNeeded = NEEDED[endpoint]?.some((needed) => needed.startsWith(place)) === true;
        return isLeaf(data, path) && !isNeeded && !identifies(endpoint, place) && !misleads(endpoint, place);
      });
      const lost = places
        .map((path) => [placeText(path), reading(endpoint, withValue(data, path, { odd: ["1,1"] }))])
        .filter(([, became]) => became === "row" || became === "all");
      expect(lost).toEqual([]);
    },
  );

  it.each(SAMPLES.map(({ endpoint, data }) => [endpoint, data] as const))("may have company: %s", (endpoint, data) => {
    for (const path of placesIn(data))
      expect(reading(endpoint, withValue(data, [...path.slice(0, -1), "unheard"], { of: ["this"] }))).toBe("read");
  });
});
