import { ManualClock } from "@exchange-graph/contract/clock";
import { placeOrder } from "@exchange-graph/contract/orderWrites";
import { afterEach, describe, expect, it } from "vitest";
import { fileSandbox } from "../support/fileSandbox.js";
import { belowMarket } from "../support/prices.js";
import { credentialOf, signedCall } from "../support/signedCall.js";
import { SocketClient } from "./support/client.js";

const MAIN = credentialOf("main");
const clock = new ManualClock(Date.UTC(2026, 0, 15, 10, 30));

const sandbox = await fileSandbox({ clock, hasPast: false, enforceLimits: true });

const open: SocketClient[] = [];
afterEach(() => {
  for (const client of open.splice(0)) client.close();
  // Each test has its own rate budget.
  clock.advance(2_000);
});

const connected = async (path = "/v3/ws/private"): Promise<SocketClient> => {
  const client = await SocketClient.open(`${sandbox.wsUrl}${path}`);
  open.push(client);
  return client;
};
const loggedIn = async (account: "main" | "classic" = "main"): Promise<SocketClient> => {
  const client = (await connected()).login(credentialOf(account), clock.now());
  expect(await client.json()).toMatchObject({ event: "login", code: 0 });
  return client;
};

const order = (clientOid: string, more: object = {}) => ({
  ...{ symbol: "BTCUSDT", side: "buy", orderType: "limit", timeInForce: "gtc", qty: "0.01", clientOid },
  price: belowMarket(sandbox, "USDT-FUTURES", "BTCUSDT"),
  ...more,
});
const trade = (topic: string, args: readonly object[], more: object = {}) => ({
  op: "trade",
  id: `r-${topic}`,
  topic,
  args,
  ...more,
});
const futures = { category: "usdt-futures" };
const openOrder = (clientOid: string) => sandbox.world.state.orders.findOpen(MAIN.uid, { clientOid });

describe("orders over the private socket", () => {
  it("are placed, changed and cancelled as by a call, and answered in the socket's own words", async () => {
    const client = await loggedIn();
    client.say(trade("place-order", [order("one", { stoploss: "1000" })], futures));
    const resting = await client.json();
    const orderId = openOrder("one")?.orderId;
    const ts = String(clock.now());
    expect(resting).toEqual({
      ...{ event: "trade", id: "r-place-order", ...futures, topic: "place-order", code: "0", msg: "success", ts },
      args: [{ symbol: "BTCUSDT", cTime: ts, orderId, clientOid: "one" }],
    });
    expect(openOrder("one")?.stopLoss?.triggerPrice.toFixed()).toBe("1000");

    client.say(trade("modify-order", [{ clientId: "one", qty: "0.02" }]));
    expect(await client.json()).toMatchObject({ event: "trade", code: "0", args: [{ orderId, clientOid: "one" }] });
    expect(openOrder("one")?.quantity.toFixed()).toBe("0.02");

    client.say(trade("cancel-order", [{ orderId }]));
    expect(await client.json()).toMatchObject({ event: "trade", topic: "cancel-order", args: [{ orderId, clientOid: "one" }] });
    expect(openOrder("one")).toBeUndefined();
  });

  it("in a batch each have their own outcome", async () => {
    const client = await loggedIn();
    client.say(trade("batch-place", [order("two"), order("two"), order("three", { qty: "0" })], futures));
    expect(await client.json()).toMatchObject({
      ...{ event: "trade", topic: "batch-place", code: "0" },
      args: [
        { code: "0", msg: "success", symbol: "BTCUSDT", clientOid: "two" },
        { code: "25212", clientOid: "two" },
        { code: expect.stringMatching(/^\d+$/), clientOid: "three" },
      ],
    });
    client.say(trade("batch-cancel", [{ clientOid: "two" }, { clientOid: "nobody" }]));
    expect(await client.json()).toMatchObject({ args: [{ code: "0" }, { code: "25204", clientOid: "nobody" }] });
  });

  it.each([
    ["an order that the exchange refuses", "place-order", [{ qty: "400" }], "25202|25203|25233"],
    ["two orders where one is meant", "place-order", [{}, {}], "30016"],
    ["an operation that there is not", "close-all", [{}], "30016"],
  ])("are refused with the code as text: %s", async (_, topic, changes, code) => {
    const client = await loggedIn();
    client.say(
      trade(
        topic,
        changes.map((change, at) => order(`refused-${at}`, change)),
        futures,
      ),
    );
    const said = await client.json();
    expect(said).toMatchObject({ event: "error", id: `r-${topic}`, topic, ts: String(clock.now()) });
    expect(said).toHaveProperty("code", expect.stringMatching(new RegExp(`^(${code})$`)));
  });

  it("need a login, a unified account, and the private socket of v3", async () => {
    const request = trade("place-order", [order("nobody")], futures);
    expect(await (await connected()).say(request).json()).toMatchObject({ event: "error", code: "30004" });
    expect(await (await loggedIn("classic")).say(request).json()).toMatchObject({ event: "error", code: "40084" });
    for (const path of ["/v2/ws/private", "/v3/ws/public"])
      expect(await (await connected(path)).say(request).json()).toMatchObject({ event: "error", code: 30003 });
    expect(openOrder("nobody")).toBeUndefined();
  });

  it("share the rate limit of the call, where a full batch is one of them", async () => {
    const client = await loggedIn();
    const violations = sandbox.limits.violations;
    const batch = Array.from({ length: 20 }, (_, at) => order(`many-${at}`));
    client.say(trade("batch-place", batch, futures));
    const { args } = (await client.json()) as { readonly args: readonly { readonly code: string }[] };
    expect(args.map(({ code }) => code)).toEqual(batch.map(() => "0"));
    const body = JSON.stringify({ ...order("by-call"), category: "USDT-FUTURES" });
    for (let at = 0; at < 9; at++) await signedCall(sandbox, MAIN, placeOrder.path, { method: "POST", body });
    expect(sandbox.limits.violations).toBe(violations);
    client.say(trade("batch-place", [order("over"), order("over-too")], futures));
    expect(await client.json()).toMatchObject({ event: "error", topic: "batch-place", code: "429" });
    expect(sandbox.limits.violations).toBe(violations + 1);
    expect(openOrder("over")).toBeUndefined();
  });
});
