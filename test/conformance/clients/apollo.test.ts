import { ApolloClient, gql, InMemoryCache } from "@apollo/client";
import { clientLink, graphCache } from "@exchange-graph/client/apollo";
import { describe, expect, it } from "vitest";
import { example, examplesOf } from "../../support/examples.js";
import { clientWorld, hasIdInside, historyIn, orderIn, placesIn, printedLines, tickerIn, tickerPushed } from "./support.js";

const world = await clientWorld();
const printed = printedLines();

const client = (cache: InMemoryCache) => new ApolloClient({ link: clientLink(world.client), cache });

const QUERIES = examplesOf("query").map(({ file, text }) => ({ file, query: gql(text) }));

describe("Apollo Client's normalised cache", () => {
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
