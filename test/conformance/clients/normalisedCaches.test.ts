import { ApolloClient, gql, InMemoryCache } from "@apollo/client";
import { clientLink, graphCache } from "@exchange-graph/client/apollo";
import { graphCache as urqlCache } from "@exchange-graph/client/graphcache";
import { clientExchange } from "@exchange-graph/client/urql";
import { type AnyVariables, type OperationResult, Client as UrqlClient } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { describe, expect, it } from "vitest";
import { example, examplesOf } from "../../support/examples.js";
import {
  clientWorld,
  hasIdInside,
  historyIn,
  INTROSPECTION,
  orderIn,
  placesIn,
  printedLines,
  tickerIn,
  tickerPushed,
} from "./support.js";

const world = await clientWorld();
const printed = printedLines();

describe("Apollo Client's normalised cache", () => {
  const client = (cache: InMemoryCache) => new ApolloClient({ link: clientLink(world.client), cache });

  const QUERIES = examplesOf("query").map(({ file, text }) => ({ file, query: gql(text) }));

  it("caches the results of every example, and answers repeated queries from its cache", async () => {
    const apollo = client(graphCache());
    const first = new Map<string, unknown>();
    for (const { file, query } of QUERIES) first.set(file, (await apollo.query({ query })).data);
    const again = new Set<string>();
    for (const { file, query } of QUERIES) {
      const sent = world.requests();
      const { data } = await apollo.query({ query });
      if (world.requests() > sent) again.add(file);
      expect(placesIn(data), file).toEqual(placesIn(first.get(file)));
    }
    expect(again).toEqual(new Set());
    const kept = Object.values(apollo.cache.extract() as Record<string, Record<string, unknown>>);
    expect(kept.length).toBeGreaterThan(100);
    // Each object with an identifier is stored once, under it.
    expect(kept.filter((record) => Object.values(record).some(hasIdInside))).toEqual([]);
    expect(printed).toEqual([]);
  });

  it("merges pages", async () => {
    const apollo = client(graphCache());
    const query = gql(example("first-look"));
    const first = historyIn((await apollo.query({ query })).data);
    const watched = apollo.watchQuery({ query });
    await watched.fetchMore({ variables: { positionsAfter: first.pageInfo.endCursor } });
    const { edges, pageInfo } = historyIn(apollo.readQuery({ query }));
    expect(edges).toHaveLength(10);
    expect(edges.slice(0, 5)).toEqual(first.edges);
    expect(pageInfo.endCursor).not.toBe(first.pageInfo.endCursor);
    expect(printed).toEqual([]);
  });

  it("merges the results of mutations and subscriptions into the objects of queries", async () => {
    const cache = graphCache();
    const apollo = client(cache);
    const market = { query: gql(example("market")), variables: { category: "SPOT" } };
    const ticker = tickerIn((await apollo.query(market)).data);
    const price = String(Math.floor(Number.parseInt(ticker.lastPrice, 10) * 0.95));
    const placed = await apollo.mutate({ mutation: gql(example("place-order")), variables: { dryRun: false, price } });
    const { id, orderId } = orderIn(placed.data);
    expect(cache.extract()[`Order:${id}`]).toMatchObject({ status: "NEW" });
    await apollo.mutate({ mutation: gql(example("cancel-order")), variables: { orderId } });
    expect(cache.extract()[`Order:${id}`]).toMatchObject({ status: "CANCELLED" });

    const prices: string[] = [];
    const watch = { query: gql(example("watch-ticker")), variables: { category: "SPOT" } };
    const subscription = apollo.subscribe(watch).subscribe(({ data }) => prices.push(tickerPushed(data).lastPrice));
    await world.until(() => prices.length > 1 && prices.at(-1) !== ticker.lastPrice);
    subscription.unsubscribe();
    expect(tickerIn(cache.readQuery(market))).toMatchObject({ id: ticker.id, lastPrice: prices.at(-1) });
    expect(printed).toEqual([]);
  });

  it("warns without the documented policies", async () => {
    const apollo = client(new InMemoryCache());
    for (const name of ["loans", "risk"]) await apollo.query({ query: gql(example(name)) });
    expect(printed.join("\n")).toMatch(/Cache data may be lost/);
  });
});

describe("urql's graphcache with the schema", () => {
  const client = (cache = urqlCache({ schema: INTROSPECTION })) =>
    new UrqlClient({
      url: `${world.url}/graphql`,
      preferGetMethod: false,
      exchanges: [cache, clientExchange(world.client)],
    });

  const answered = async (asking: PromiseLike<OperationResult>): Promise<unknown> => {
    const { data, error } = await asking;
    if (error !== undefined) throw error;
    return data;
  };

  const ask = (urql: UrqlClient, name: string, variables: AnyVariables = {}) => answered(urql.query(example(name), variables));
  const change = (urql: UrqlClient, name: string, variables: AnyVariables) => answered(urql.mutation(example(name), variables));

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
