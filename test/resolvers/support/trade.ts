import { credentialOf, signedCall } from "../../../packages/sandbox/test/support/signedCall.js";
import type { LiveGraph } from "./liveGraph.js";

type Account = "main" | "classic" | "broker";
type Body = Readonly<Record<string, string>>;

/** Sends a signed POST directly to the exchange, as the account's owner. Resolves to the response's data. */
async function post(
  live: LiveGraph,
  account: Account,
  path: string,
  body: Body,
): Promise<{ readonly orderId: string; readonly clientOid: string }> {
  const { code, msg, data } = await signedCall(live.sandbox, credentialOf(account), path, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (code !== "00000") throw new Error(`${path}: ${code} ${msg}`);
  return data as { orderId: string; clientOid: string };
}

/** Places an order on the unified account. */
export const placeUnified = (live: LiveGraph, body: Body) =>
  post(live, "main", "/api/v3/trade/place-order", { category: "USDT-FUTURES", symbol: "BTCUSDT", orderType: "market", ...body });

/** Places a spot order on the Classic account. */
export const placeClassicSpot = (live: LiveGraph, body: Body) =>
  post(live, "classic", "/api/v2/spot/trade/place-order", { symbol: "BTCUSDT", orderType: "limit", force: "gtc", ...body });

/** Places a futures order on the Classic account. */
export const placeClassicFutures = (live: LiveGraph, body: Body) =>
  post(live, "classic", "/api/v2/mix/order/place-order", {
    symbol: "BTCUSDT",
    productType: "USDT-FUTURES",
    marginMode: "crossed",
    marginCoin: "USDT",
    orderType: "market",
    ...body,
  });

/** Places a take-profit or stop-loss for the Classic account's position. */
export const placeClassicPlan = (live: LiveGraph, body: Body) =>
  post(live, "classic", "/api/v2/mix/order/place-tpsl-order", {
    marginCoin: "USDT",
    productType: "usdt-futures",
    symbol: "BTCUSDT",
    triggerType: "mark_price",
    ...body,
  });

/** Places a take-profit or stop-loss for the unified account's position. */
export const placeUnifiedPlan = (live: LiveGraph, body: Body) =>
  post(live, "main", "/api/v3/trade/place-strategy-order", {
    category: "USDT-FUTURES",
    symbol: "BTCUSDT",
    type: "tpsl",
    ...body,
  });
