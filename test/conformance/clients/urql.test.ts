import { graphCache } from "@exchange-graph/client/graphcache";
import { clientExchange } from "@exchange-graph/client/urql";
import { type AnyVariables, Client, type OperationResult } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { describe, expect, it } from "vitest";
import { example, examplesOf } from "../../support/examples.js";
import { clientWorld, historyIn, INTROSPECTION, orderIn, placesIn, printedLines, tickerIn, tickerPushed } from "./support.js";

const world = await clientWorld();
const printed = printedLines();

const client = (cache = graphCache({ schema: INTROSPECTION })) =>
  new Client({
    url: `${world.url}/graphql`,
    preferGetMethod: false,
    exchanges: [cache, clientExchange(world.client)],
  });

const answered = async (asking: PromiseLike<OperationResult>): Promise<unknown> => {
  const { data, error } = await asking;
  if (error !== undefined) throw error;
  return data;
};

const ask = (urql: Client, name: string, variables: AnyVariables = {}) => answered(urql.query(example(name), variables));
const change = (urql: Client, name: string, variables: AnyVariables) => answered(urql.mutation(example(name), variables));

describe("urql's graphcache with the schema", () => {
  it("caches the results of every example, and answers repeated queries from its cache", async () => {
    const urql = client();
    const first = new Map<string, unknown>();
    for (const { file, text } of examplesOf("query")) first.set(file, await answered(urql.query(text, {})));
    const again = new Set<string>();
    for (const { file, text } of examplesOf("query")) {
      const sent = world.requests();
      const data = await answered(urql.query(text, {}));
      if (world.requests() > sent) again.add(file);
      const places = placesIn(data);
      expect(
        [...placesIn(first.get(file))].filter((place) => !places.has(place)),
        file,
      ).toEqual([]);
    }
    expect(again).toEqual(new Set());
    expect(printed).toEqual([]);
  });

  it("merges pages", async () => {
    const urql = client();
    const first = historyIn(await ask(urql, "first-look"));
    await ask(urql, "first-look", { positionsAfter: first.pageInfo.endCursor });
    const { edges, pageInfo } = historyIn(await ask(urql, "first-look"));
    expect(edges).toHaveLength(10);
    expect(pageInfo.endCursor).not.toBe(first.pageInfo.endCursor);
    expect(printed).toEqual([]);
  });

  it("merges the results of mutations and subscriptions into the objects of queries", async () => {
    const urql = client();
    const ticker = tickerIn(await ask(urql, "market", { category: "SPOT" }));
    const price = String(Math.floor(Number.parseInt(ticker.lastPrice, 10) * 0.95));
    const { orderId } = orderIn(await change(urql, "place-order", { dryRun: false, price }));
    await change(urql, "cancel-order", { orderId });
    const prices: string[] = [];
    const watch = urql.subscription(example("watch-ticker"), { category: "SPOT" });
    const subscription = watch.subscribe(({ data }) => prices.push(tickerPushed(data).lastPrice));
    await world.until(() => prices.length > 1 && prices.at(-1) !== ticker.lastPrice);
    subscription.unsubscribe();
    const sent = world.requests();
    expect(tickerIn(await ask(urql, "market", { category: "SPOT" })).lastPrice).toBe(prices.at(-1));
    expect(world.requests()).toBe(sent);
    expect(printed).toEqual([]);
  });

  it("warns without the documented keys", async () => {
    const urql = client(cacheExchange({ schema: INTROSPECTION }));
    await ask(urql, "market");
    expect(printed.join("\n")).toMatch(/Invalid key/);
  });
});
