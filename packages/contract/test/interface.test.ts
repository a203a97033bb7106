import { describe, expect, it } from "vitest";
import { endpoints } from "../src/index.js";

/** The documented endpoints: method, path, calls, per how many seconds, counted by. A dash: the document names no limit. */
const DOCUMENTED = [
  ["GET", "/api/v3/position/history-position", 20, 1, "UID"],
  ["POST", "/api/v3/trade/place-order", "-", "-", "-"],
  ["POST", "/api/v2/spot/trade/place-order", 10, 1, "UID"],
  ["POST", "/api/v2/mix/order/place-order", "-", "-", "-"],
  ["POST", "/api/v2/mix/order/place-tpsl-order", 10, 1, "UID"],
  ["POST", "/api/v2/mix/account/set-margin", 5, 1, "UID"],
  ["GET", "/api/v2/mix/account/accounts", 10, 1, "UID"],
  ["GET", "/api/v2/mix/account/sub-account-assets", 1, 10, "UID"],
  ["GET", "/api/v2/mix/market/discount-rate", 5, 1, "IP"],
  ["GET", "/api/v2/spot/public/symbols", 20, 1, "IP"],
  ["GET", "/api/v2/spot/market/fund-flow", 1, 1, "IP"],
  ["GET", "/api/v2/margin/currencies", 10, 1, "IP"],
  ["GET", "/api/v2/earn/loan/ongoing-orders", 10, 1, "UID"],
  ["GET", "/api/v2/earn/loan/borrow-history", 10, 1, "UID"],
  ["GET", "/api/v2/earn/loan/debts", 10, 1, "UID"],
  ["GET", "/api/v2/earn/sharkfin/assets", 10, 1, "UID"],
  ["GET", "/api/v2/earn/sharkfin/records", 10, 1, "UID"],
  ["POST", "/api/v2/earn/savings/redeem", 10, 1, "UID"],
  ["GET", "/api/v2/broker/account/info", 10, 1, "UID"],
  ["GET", "/api/v2/broker/account/subaccount-spot-assets", 10, 1, "UID"],
  ["POST", "/api/v2/broker/account/subaccount-withdrawal", 1, 1, "UID"],
  ["POST", "/api/v2/broker/account/modify-subaccount-email", 10, 1, "UID"],
  ["POST", "/api/v2/convert/trade", 10, 1, "UID"],
] as const;

const KNOWN_BY_PATH = [
  ["POST", "/api/v3/trade/cancel-order"],
  ["POST", "/api/v3/trade/modify-order"],
  ["GET", "/api/v3/trade/unfilled-orders"],
  ["GET", "/api/v3/trade/history-orders"],
  ["GET", "/api/v3/trade/fills"],
  ["GET", "/api/v3/account/settings"],
  ["GET", "/api/v3/account/assets"],
  ["GET", "/api/v3/account/funding-assets"],
  ["POST", "/api/v3/account/set-leverage"],
  ["POST", "/api/v3/account/set-hold-mode"],
  ["GET", "/api/v3/public/instruments"],
  ["GET", "/api/v3/market/tickers"],
  ["GET", "/api/v3/market/orderbook"],
  ["GET", "/api/v3/market/candles"],
  ["GET", "/api/v3/market/fills"],
  // Named without a path: the upgrade to a unified account, and the quotation that a conversion needs.
  ["POST", "/api/v2/spot/account/upgrade"],
  ["GET", "/api/v2/convert/quoted-price"],
] as const;

const served = (method: string, path: string) =>
  endpoints.find((one) => one.method === method && (one.path === path || one.aliases?.includes(path)));

describe("the exchange's interface as data", () => {
  it.each(DOCUMENTED)("has %s %s with its documented limit", (method, path, limit, seconds, per) => {
    const endpoint = served(method, path);
    expect(endpoint?.path).toBe(path);
    if (seconds !== "-") expect(endpoint?.rate).toMatchObject({ limit, windowMs: seconds * 1000, per });
  });

  it.each(KNOWN_BY_PATH)("has %s %s", (method, path) => {
    expect(served(method, path)).toBeDefined();
  });

  it("gives every endpoint a unique name and path", () => {
    expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length);
    const routes = endpoints.flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((each) => `${method} ${each}`));
    expect(new Set(routes).size).toBe(routes.length);
  });

  it.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))("describes %s completely", (_, endpoint) => {
    expect(endpoint.doc.length).toBeGreaterThan(10);
    expect(endpoint.path.startsWith(`/api/${endpoint.apiVersion}/`)).toBe(true);
    expect(endpoint.rate.limit).toBeGreaterThan(0);
    if (endpoint.access === "private") expect(endpoint.permissions?.length).toBeGreaterThan(0);
    if (endpoint.method === "POST") expect(endpoint.cache).toBeUndefined();
    for (const parameter of Object.values(endpoint.parameters)) {
      expect(parameter.doc.length).toBeGreaterThan(2);
      expect(parameter.allowed.length).toBeGreaterThan(3);
    }
    const { window, parameters } = endpoint;
    if (window !== undefined) expect(Object.keys(parameters)).toEqual(expect.arrayContaining([window.from, window.to]));
  });
});
