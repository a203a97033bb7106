import { liquidationChannel } from "@exchange-graph/contract/channels/liquidation";
import { plain } from "@exchange-graph/contract/decimal";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { crowdLiquidation } from "@exchange-graph/sandbox/world/market/crowd";
import { timeOf } from "@exchange-graph/sandbox/world/market/listing";
import type { Markets } from "@exchange-graph/sandbox/world/market/markets";
import { type Client, createClient } from "graphql-ws";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { START } from "../datasources/streams/support/followed.js";
import { eventually, settled } from "../support/eventually.js";
import { type GraphGateway, graphGateway } from "../support/gateway/graphGateway.js";
import { type LiveGateway, liveGateway, wsUrlOf } from "../support/gateway/liveGateway.js";
import { type ScriptedSockets, scriptedSockets } from "../support/scriptedSockets.js";

/** Tests liquidations from the exchange's socket to the client's. */

const ALL =
  "subscription { liquidations(category: USDT_FUTURES) { liquidations { category symbol side sideRaw price qty time } } }";
const ARGUMENT = liquidationChannel.argument({ category: "USDT-FUTURES" });

describe("the crowd's", () => {
  let gateway: LiveGateway;
  beforeEach(async () => {
    gateway = await liveGateway("v3", {}, START, SANDBOX_CREDENTIALS, true);
  });
  afterEach(() => gateway.close());

  /** The next second in which simulated traders are liquidated, and these traders. */
  function next({ all, tick }: Markets) {
    const crowded = all.filter(({ listing }) => listing.instrument.category === "USDT-FUTURES");
    for (let second = Math.floor(timeOf(tick) / 1_000) + 1; ; second++) {
      const found = crowded.flatMap(({ listing }) => {
        const { symbol } = listing.instrument;
        const one = crowdLiquidation(listing, second);
        if (one === undefined) return [];
        const { side, price, size } = one;
        const time = new Date(second * 1_000).toISOString();
        const fields = { symbol, side: side.toUpperCase(), sideRaw: side, price: plain(price), qty: plain(size), time };
        return [{ category: "USDT_FUTURES", ...fields }];
      });
      if (found.length > 0) return found;
    }
  }

  it("arrive as they happen", async () => {
    const received = gateway.subscribe(gateway.client(), ALL);
    await gateway.until(() => gateway.streams.gauges().topics.some(({ isLive }) => isLive));
    const expected = next(gateway.sandbox.world.state.markets);
    const [{ time } = { time: "" }] = expected;
    await gateway.pass(Date.parse(time) - gateway.clock.now(), 500);
    await gateway.until(() => received.events.length > 0);
    expect(received.events[0]).toMatchObject({
      data: { liquidations: { liquidations: expected } },
      extensions: { stream: { kind: "update", stale: false } },
    });
    expect(gateway.unreadable).toEqual([]);
  });
});

describe("an odd push of them", () => {
  let sockets: ScriptedSockets;
  let gateway: GraphGateway;
  let client: Client;
  beforeEach(async () => {
    sockets = await scriptedSockets(() => START);
    gateway = await graphGateway({}, { sockets: sockets.url });
    client = createClient({ url: wsUrlOf(gateway.url), webSocketImpl: WebSocket, retryAttempts: 0 });
  });
  afterEach(async () => {
    await client.dispose();
    await gateway.close();
    await sockets.close();
  });

  const row = (symbol: string, more: object = {}) => ({
    ...{ symbol, side: "buy", price: "63110.2", amount: "0.4410", ts: "1767225601002" },
    ...more,
  });
  const READ = {
    category: "USDT_FUTURES",
    side: "BUY",
    sideRaw: "buy",
    price: "63110.2",
    qty: "0.441",
    time: "2026-01-01T00:00:01.002Z",
  };

  /** The events of one push; another push follows, so that the end of the first is known. */
  async function receivedFor(data: readonly unknown[], argument = ARGUMENT): Promise<readonly unknown[]> {
    const events: unknown[] = [];
    client.subscribe({ query: ALL }, { next: (event) => events.push(event), error: () => undefined, complete: () => undefined });
    await eventually(() => sockets.open().some(({ subscribed }) => subscribed.size > 0));
    await settled();
    const [connection] = sockets.open();
    connection?.push(argument, data);
    connection?.push(ARGUMENT, [row("LAST")]);
    const isLast = (event: unknown): boolean => JSON.stringify(event).includes("LAST");
    await eventually(() => events.some(isLast));
    return events.flatMap(
      (event) => (event as { data: { liquidations: { liquidations: readonly object[] } } }).data.liquidations.liquidations,
    );
  }
  const LAST = { ...READ, symbol: "LAST" };

  const unread = async (): Promise<readonly object[]> =>
    (await gateway.metrics.registry.getSingleMetric("exchange_graph_unread_total")?.get())?.values.map(({ labels }) => labels) ??
    [];

  it.each([
    ["side", { side: null, sideRaw: null }],
    ["price", { price: null }],
    ["amount", { qty: null }],
    ["ts", { time: null }],
  ])("without %s is delivered without it, for every form of a missing value", async (key, without) => {
    const odd = [undefined, "", null].map((nothing, at) => row(`ODD${at}`, { [key]: nothing }));
    expect(await receivedFor([row("BTCUSDT"), ...odd, row("ETHUSDT")])).toEqual([
      { ...READ, symbol: "BTCUSDT" },
      ...odd.map(({ symbol }) => ({ ...READ, ...without, symbol })),
      { ...READ, symbol: "ETHUSDT" },
      LAST,
    ]);
    expect(await unread()).toEqual([]);
  });

  it.each([undefined, "", null])("without a symbol (%j) drops only that row, and is counted", async (nothing) => {
    expect(await receivedFor([row("BTCUSDT"), row("", { symbol: nothing }), row("ETHUSDT")])).toEqual([
      { ...READ, symbol: "BTCUSDT" },
      { ...READ, symbol: "ETHUSDT" },
      LAST,
    ]);
    expect(await unread()).toMatchObject([{ field: "symbol" }]);
  });

  it("with unknown additional keys, in the row and in the argument, is delivered", async () => {
    const argument = { ...ARGUMENT, symbol: "default", unheard: "of" };
    const extra = { unheard: { of: ["this"] }, liquidationPrice: "" };
    expect(await receivedFor([row("BTCUSDT", extra)], argument)).toEqual([{ ...READ, symbol: "BTCUSDT" }, LAST]);
    expect(await unread()).toEqual([]);
  });

  it("with an unknown side shows the exchange's text", async () => {
    expect(await receivedFor([row("BTCUSDT", { side: "both" })])).toEqual([
      { ...READ, symbol: "BTCUSDT", side: "UNRECOGNIZED", sideRaw: "both" },
      LAST,
    ]);
  });
});
