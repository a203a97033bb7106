import { ManualClock } from "@exchange-graph/contract/clock";
import { exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { modifyOrder, placeOrder } from "@exchange-graph/contract/orderWrites";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox.js";
import { belowMarket } from "../support/prices.js";
import { credentialOf, signedCall } from "../support/signedCall.js";
import { SocketClient } from "./support/client.js";

/** What pushes say and calls do not. */

const clock = new ManualClock(1_767_225_600_100);
let sandbox: Sandbox;
let client: SocketClient;
beforeAll(async () => {
  sandbox = await startSandbox({ clock, enforceLimits: false });
});
afterEach(() => client.close());
afterAll(() => sandbox.close());

async function listen(account: "main" | "classic", path: string, arg: object): Promise<void> {
  client = (await SocketClient.open(`${sandbox.wsUrl}${path}`)).login(credentialOf(account), clock.now());
  expect(await client.json()).toMatchObject({ event: "login" });
  expect(await client.say({ op: "subscribe", args: [arg] }).json()).toMatchObject({ event: "subscribe" });
}
const pushed = async (): Promise<readonly Readonly<Record<string, string>>[]> => {
  const { data } = (await client.json()) as { readonly data: readonly Readonly<Record<string, string>>[] };
  return data;
};

describe("a pushed position of a Classic account", () => {
  it("has its profit as a fraction of its margin, and its own margin rate where its margin is isolated", async () => {
    await listen("classic", "/v2/ws/private", { instType: "USDT-FUTURES", channel: "positions", instId: "default" });
    const positions = await pushed();
    expect(new Set(positions.map(({ marginMode }) => marginMode))).toEqual(new Set(["crossed", "isolated"]));
    for (const { marginMode, marginSize = "", unrealizedPL = "", unrealizedPLR, isolatedMarginRate } of positions) {
      expect(unrealizedPLR).toBe(plain(truncated(exact(unrealizedPL).div(marginSize), 8)));
      expect(isolatedMarginRate).toMatch(marginMode === "isolated" ? /^0\.\d*[1-9]/ : /^$/);
    }
  });
});

describe("a pushed order of a unified account", () => {
  it("carries the client's name for its latest change, which no REST endpoint returns", async () => {
    const price = belowMarket(sandbox, "USDT-FUTURES", "BTCUSDT");
    const order = { category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "limit", price, qty: "0.01" };
    const post = ({ path }: { readonly path: string }, body: object) =>
      signedCall(sandbox, credentialOf("main"), path, { method: "POST", body: JSON.stringify(body) });
    await listen("main", "/v3/ws/private", { instType: "UTA", topic: "order" });
    await post(placeOrder, { ...order, clientOid: "named" });
    expect(await pushed()).toMatchObject([{ clientOid: "named", matchType: "0", requestId: "" }]);
    expect((await post(modifyOrder, { clientOid: "named", qty: "0.02", requestId: "change-1" })).code).toBe("00000");
    expect(await pushed()).toMatchObject([{ clientOid: "named", qty: "0.02", requestId: "change-1" }]);
    expect((await post(modifyOrder, { clientOid: "named", qty: "0.02", requestId: "change-2" })).code).toBe("25571");
    expect((await post(modifyOrder, { clientOid: "named", stopLoss: "1000" })).code).toBe("00000");
    expect(await pushed()).toMatchObject([{ stoploss: "1000", requestId: "change-1" }]);
    const read = await signedCall(sandbox, credentialOf("main"), "/api/v3/trade/order-info?clientOid=named");
    expect(read.data).not.toHaveProperty("requestId");
  });
});

describe("a pushed ticker", () => {
  it.each([
    ["/v3/ws/public", (symbol: string) => ({ instType: "coin-futures", topic: "ticker", symbol })],
    ["/v2/ws/public", (symbol: string) => ({ instType: "COIN-FUTURES", channel: "ticker", instId: symbol })],
  ] as const)(
    "has on %s the next funding time of a perpetual, and an empty one for a delivery contract",
    async (path, argument) => {
      client = await SocketClient.open(`${sandbox.wsUrl}${path}`);
      const nextFundingTime = async (symbol: string) => {
        expect(await client.say({ op: "subscribe", args: [argument(symbol)] }).json()).toMatchObject({ event: "subscribe" });
        return (await pushed())[0]?.nextFundingTime;
      };
      expect([await nextFundingTime("BTCUSD"), await nextFundingTime("BTCUSDH26")]).toEqual([
        expect.stringMatching(/^\d{13}$/),
        "",
      ]);
    },
  );
});
