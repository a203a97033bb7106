import { endpoints } from "@exchange-graph/contract";
import { classicPlaceFuturesOrder } from "@exchange-graph/contract/classicFuturesOrderWrites";
import { classicPlaceSpotOrder } from "@exchange-graph/contract/classicSpotOrderWrites";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { placeOrder } from "@exchange-graph/contract/orderWrites";
import { queryString } from "@exchange-graph/contract/signing";
import { placeStrategyOrder } from "@exchange-graph/contract/strategyWrites";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { PromisedCredential } from "../../src/credentials.js";
import type { Sandbox } from "../../src/sandbox.js";
import { belowMarket } from "./prices.js";
import { credentialOf, signedCall } from "./signedCall.js";

/** The client's ids of the orders that `placeExampleOrders` lets rest. */
const EXAMPLES = {
  unified: "example-unified",
  strategy: "example-strategy",
  spot: "example-spot",
  futures: "example-futures",
} as const;

/** What a call needs that does not follow from its parameters' rules. Read from the sandbox where it is an id. */
const CHOSEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  candles: { interval: "1H" },
  classicSpotCandles: { granularity: "1h" },
  classicSpotHistoryCandles: { granularity: "1h" },
  convertQuote: { fromCoin: "USDT", toCoin: "BTC", fromCoinSize: "100" },
  positionTiers: { symbol: "BTCUSDT" },
  classicTransfers: { coin: "USDT" },
  maxTransferable: { coin: "USDT" },
  maxWithdrawal: { coin: "USDT" },
  classicMarginMaxTransfer: { coin: "USDT" },
  sharkFinOffers: { coin: "USDT" },
  brokerSubAccountFuturesAssets: { subUid: "8800200001" },
  subAccountSpotAssets: { subUid: "8800200001" },
  subAccountEmail: { subUid: "8800200001" },
  savingsRedeemResult: { orderId: "1" },
  orderInfo: { clientOid: EXAMPLES.unified },
  classicPlanSubOrders: { planOrderId: "1" },
  strategySubOrders: { clientOid: EXAMPLES.strategy },
  classicSpotOrderInfo: { clientOid: EXAMPLES.spot },
  classicFuturesOrderDetail: { clientOid: EXAMPLES.futures },
};

const MONTH_MS = 30 * 86_400_000;

/** Values for every required parameter of an endpoint, by rules that hold for all of them. */
function requiredValues({ name, parameters, window }: Endpoint, now: number): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [parameter, { required, tokens }] of Object.entries(parameters)) {
    if (!required) continue;
    if (parameter === window?.from) values[parameter] = String(now - MONTH_MS);
    else if (parameter === (window?.to ?? "endTime")) values[parameter] = String(now);
    else if (tokens !== undefined) values[parameter] = String(tokens[0]);
    else if (parameter === "symbol") values[parameter] = "BTCUSDT";
    else if (parameter === "marginCoin") values[parameter] = "USDT";
  }
  return { ...values, ...CHOSEN[name] };
}

/** The account that an endpoint serves. */
export function callerOf({ serves, audience, path }: Endpoint): PromisedCredential {
  if (audience === "nd-broker") return credentialOf("broker");
  return credentialOf(serves === "CLASSIC" || path.startsWith("/api/v2/mix") ? "classic" : "main");
}

export interface ExampleCall {
  readonly endpoint: Endpoint;
  readonly caller: PromisedCredential;
  readonly target: string;
}

/** Places an order that rests, and one that is filled at once, on every kind of account. */
export async function placeExampleOrders(sandbox: Sandbox): Promise<void> {
  const place = async (account: PromisedCredential["name"], { path }: Endpoint, order: object) => {
    const { code, msg } = await signedCall(sandbox, credentialOf(account), path, { method: "POST", body: JSON.stringify(order) });
    if (code !== "00000") throw new Error(`${path}: ${code} ${msg}`);
  };
  const resting = (category: ProductCategory, clientOid: string) => ({
    orderType: "limit",
    price: belowMarket(sandbox, category, "BTCUSDT"),
    side: "buy",
    clientOid,
  });
  const unified = { category: "USDT-FUTURES", symbol: "BTCUSDT", qty: "0.01" };
  await place("main", placeOrder, { ...unified, ...resting("USDT-FUTURES", EXAMPLES.unified) });
  await place("main", placeOrder, { ...unified, orderType: "market", side: "buy" });
  const ocoParams = {
    ocoLimitPrice: belowMarket(sandbox, "SPOT", "BTCUSDT", -3),
    ocoTriggerPrice: belowMarket(sandbox, "SPOT", "BTCUSDT"),
  };
  const strategy = { category: "SPOT", symbol: "BTCUSDT", side: "sell", qty: "0.01", type: "oco", ocoParams };
  await place("main", placeStrategyOrder, { ...strategy, clientOid: EXAMPLES.strategy });
  const spot = { symbol: "BTCUSDT", force: "gtc" };
  await place("classic", classicPlaceSpotOrder, { ...spot, ...resting("SPOT", EXAMPLES.spot), size: "0.01" });
  await place("classic", classicPlaceSpotOrder, { ...spot, orderType: "market", side: "buy", size: "100" });
  const futures = { symbol: "BTCUSDT", productType: "usdt-futures", marginMode: "crossed", marginCoin: "USDT", size: "0.01" };
  await place("classic", classicPlaceFuturesOrder, { ...futures, ...resting("USDT-FUTURES", EXAMPLES.futures) });
  await place("classic", classicPlaceFuturesOrder, { ...futures, orderType: "market", side: "buy" });
}

/** One well-formed call of every GET endpoint in the contract. */
export const exampleReads = (now: number): readonly ExampleCall[] =>
  endpoints
    .filter(({ method }) => method === "GET")
    .map((endpoint) => {
      const query = queryString(requiredValues(endpoint, now));
      return { endpoint, caller: callerOf(endpoint), target: query === "" ? endpoint.path : `${endpoint.path}?${query}` };
    });
