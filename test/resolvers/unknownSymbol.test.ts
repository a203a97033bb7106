import { describe, expect, it } from "vitest";
import { mutate, w } from "./mutations/support/mutate.js";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph({ hasPast: false });

describe.each(["SPOT", "USDT_FUTURES"])("a symbol that the exchange does not list in %s", (category) => {
  const message = `symbol must be a symbol of ${category}; there is no NOSUCHUSDT`;
  const about = `category: ${category}, symbol: "nosuchusdt"`;

  it.each([
    ["orderBook", `orderBook(${about}) { time }`],
    ["candles", `candles(${about}, interval: MINUTE_1) { start }`],
    ["trades", `trades(${about}) { price }`],
  ])("is refused by %s at its path", async (field, query) => {
    const { errors } = await live.run(`{ mine: ${query} }`);
    expect(errors.map((error) => error.toJSON())).toMatchObject([
      { message, path: ["mine"], extensions: { code: "BAD_USER_INPUT", violations: [{ argument: "symbol" }] } },
    ]);
    expect(errors[0]?.extensions.exchange, field).toMatchObject({ code: "40034" });
  });

  const named = { category: w(category), symbol: "nosuchusdt" };
  const refused = { outcome: "REJECTED", userErrors: [{ code: "BAD_USER_INPUT", field: ["symbol"], message }] };
  const orderId = "1234567890123456789";

  it.each([
    ["placeOrder", { side: w("BUY"), orderType: w("LIMIT"), price: "1", qty: "1" }, ["main", "classic"]],
    ["modifyOrder", { by: { orderId }, price: "1", qty: "1" }, ["main", "classic"]],
    ["cancelOrder", { by: { orderId } }, ["main", "classic"]],
    ...(category === "SPOT"
      ? []
      : ([
          ["setLeverage", { leverage: "5" }, ["main", "classic"]],
          ["placeTpslOrder", { posSide: w("LONG"), triggerPrice: "1", planType: w("POS_LOSS") }, ["main", "classic"]],
          ["setMarginMode", { marginMode: w("ISOLATED") }, ["classic"]],
          ["adjustPositionMargin", { posSide: w("LONG"), amount: "1" }, ["classic"]],
        ] as const)),
  ] as const)("is refused in the same words by %s", async (mutation, input, accounts) => {
    for (const account of accounts)
      expect(await mutate(live, mutation, { account, ...named, ...input }), account).toMatchObject(refused);
  });

  it("is refused in the same words where the exchange itself finds it in a cancel", async () => {
    const endpoint = category === "SPOT" ? "classicCancelSpotOrder" : "classicCancelFuturesOrder";
    const fault = { kind: "answer", status: 400, code: "40034", msg: "Parameter symbol does not exist" } as const;
    live.sandbox.faults.add({ endpoint, fault, times: 1 });
    const payload = await mutate(live, "cancelOrder", { account: "classic", ...named, by: { orderId } });
    expect(payload).toMatchObject(refused);
    expect(payload.userErrors[0].exchange).toMatchObject({ code: "40034" });
  });

  it.each(["main", "classic"])("is no order that can be found where it is listed: %s", async (account) => {
    const listed = { ...named, symbol: "BTCUSDT", by: { orderId } };
    expect(await mutate(live, "cancelOrder", { account, ...listed })).toMatchObject({
      outcome: "REJECTED",
      userErrors: [{ code: "ORDER_NOT_FOUND", field: null }],
    });
  });
});

it.each(["main", "classic"])("such a symbol is refused by a field of an account at its path: %s", async (account) => {
  const { errors } = await live.run(
    `{ account(name: "${account}") { mine: futuresSettings(category: COIN_FUTURES, symbol: "nosuchusd") { symbol } } }`,
  );
  expect(errors.map(({ message, path }) => [message, path])).toEqual([
    ["symbol must be a symbol of COIN_FUTURES; there is no NOSUCHUSD", ["account", "mine"]],
  ]);
});
