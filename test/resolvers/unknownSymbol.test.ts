import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mutate, Word } from "./mutations/support/mutate.js";
import { type LiveGraph, startLiveGraph } from "./support/liveGraph.js";

let live: LiveGraph;
beforeAll(async () => {
  live = await startLiveGraph({ hasPast: false });
});
afterAll(() => live.close());
beforeEach(() => live.nextMinute());

const w = (name: string) => new Word(name);

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

  it.each(["main", "classic"])("is refused in the same words by a mutation on %s", async (account) => {
    const order = { account, category: w(category), symbol: "nosuchusdt", side: w("BUY"), orderType: w("LIMIT") };
    expect(await mutate(live, "placeOrder", { ...order, price: "1", qty: "1" })).toMatchObject({
      outcome: "REJECTED",
      userErrors: [{ code: "BAD_USER_INPUT", field: "symbol", message }],
    });
  });
});
