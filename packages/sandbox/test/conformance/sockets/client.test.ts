import { once } from "node:events";
import { RestClientV3, WebsocketAPIClient, WebsocketClientV2, WebsocketClientV3, WS_KEY_MAP } from "bitget-api";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox.js";
import { belowMarket } from "../../support/prices.js";
import { credentialOf } from "../../support/signedCall.js";

/**
 * An independent client's sockets, as they come from npm, against the sandbox: an order over the socket, and what is refused.
 * `test/conformance/agreement.test.ts` has what such a client is pushed.
 */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ hasPast: false });
});
afterAll(() => sandbox.close());

const open: { closeAll(force?: boolean): void }[] = [];
afterEach(() => {
  for (const client of open.splice(0)) client.closeAll(true);
});

const silent = { trace: () => {}, info: () => {}, error: () => {} };
const { key, secret, passphrase } = credentialOf("main");
const KEYS = { apiKey: key, apiSecret: secret, apiPass: passphrase };

it("topics that do not exist are refused by name", async () => {
  const client = new WebsocketClientV2({ wsUrl: `${sandbox.wsUrl}/v2/ws/public` }, silent);
  open.push(client);
  const responses: unknown[] = [];
  client.on("response", (response) => responses.push(response));
  const refused = once(client, "exception");
  void client.subscribeTopic("SPOT", "ticker", "NOSUCH");
  expect((await refused)[0]).toMatchObject({ event: "error", code: 30001, msg: expect.stringContaining("NOSUCH") });
  expect(responses).toHaveLength(1);
});

describe("an order", () => {
  it("of a unified account is placed and cancelled over the socket itself", async () => {
    const url = `${sandbox.wsUrl}/v3/ws/private`;
    const client = new WebsocketAPIClient({ ...KEYS, wsUrl: url, attachEventListeners: false }, silent);
    open.push(client.getWSClient());
    const order = { symbol: "BTCUSDT", side: "buy", orderType: "limit", timeInForce: "gtc", qty: "0.01" } as const;
    const price = belowMarket(sandbox, "USDT-FUTURES", "BTCUSDT");
    const { code, args } = await client.submitNewOrder("usdt-futures", { ...order, price, clientOid: "conformance-ws" });
    expect([code, args[0].clientOid]).toEqual(["0", "conformance-ws"]);
    const { orderId } = args[0];
    const rest = new RestClientV3({ ...KEYS, baseUrl: sandbox.url });
    expect((await rest.getOrderInfo({ orderId })).data).toMatchObject({ orderStatus: "new", qty: "0.01" });
    expect((await client.cancelOrder("usdt-futures", { orderId })).args[0]).toMatchObject({ orderId });
    expect((await rest.getOrderInfo({ orderId })).data).toMatchObject({ orderStatus: "cancelled" });
    const refused = await client.cancelOrder("usdt-futures", { orderId }).catch((answer: unknown) => answer);
    expect(refused).toMatchObject({ event: "error", code: "25204" });
  });

  it("is not pushed to a client that signs with a wrong secret", async () => {
    const client = new WebsocketClientV3({ ...KEYS, apiSecret: "wrong", wsUrl: `${sandbox.wsUrl}/v3/ws/private` }, silent);
    open.push(client);
    const refused = once(client, "exception");
    void client.subscribe({ topic: "order", payload: { instType: "UTA" } }, WS_KEY_MAP.v3Private);
    expect((await refused)[0]).toMatchObject({ event: "error", code: 30015, msg: "Invalid sign" });
  });
});
