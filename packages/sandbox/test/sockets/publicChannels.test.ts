import { channelFor, channels } from "@exchange-graph/contract/channels";
import { klineChannel } from "@exchange-graph/contract/channels/candle";
import type { Argument, Channel, Push } from "@exchange-graph/contract/channels/channel";
import { readFrame } from "@exchange-graph/contract/channels/frame";
import { liquidationChannel } from "@exchange-graph/contract/channels/liquidation";
import { classicTradeChannel, publicTradeChannel } from "@exchange-graph/contract/channels/publicTrade";
import { classicTickerChannel, tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { exact, plain, withoutPadding } from "@exchange-graph/contract/decimal";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { everyItem } from "../../../contract/test/channels/support/pushed.js";
import { feedsOf } from "../../src/sockets/feeds/feeds.js";
import type { Market } from "../../src/world/market/market.js";
import { MAIN_UID } from "../../src/world/opening/initialAccounts.js";
import type { SocketClient } from "./support/client.js";
import { openSocketWorld, type SocketPath, type SocketWorld } from "./support/socketWorld.js";

let world: SocketWorld;
const clients: SocketClient[] = [];
beforeAll(async () => {
  world = await openSocketWorld();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(() => world.close());

async function open(path: SocketPath): Promise<SocketClient> {
  const client = await world.open(path);
  clients.push(client);
  return client;
}

const MARKETS = [
  { category: "SPOT", symbol: "BTCUSDT", interval: "1m" },
  { category: "USDT-FUTURES", symbol: "ETHUSDT", interval: "1m" },
  { category: "COIN-FUTURES", symbol: "BTCUSD", interval: "1m" },
] as const;
const PUBLIC = channels.filter(({ access, name }) => access === "public" && name !== liquidationChannel.name);
const EACH = PUBLIC.flatMap((channel) =>
  MARKETS.map((asked) => [channel.name, asked.category, channel as Channel<typeof asked>, asked] as const),
);

const market = ({ category, symbol }: (typeof MARKETS)[number]): Market => world.world.state.markets.of(category, symbol);

/** Subscribes and gives what opened the channel. */
async function follow(channel: Channel, argument: Argument): Promise<{ readonly client: SocketClient; readonly opened: Push }> {
  const client = await open(`/${channel.apiVersion}/ws/public`);
  expect(await client.subscribe(argument).json()).toMatchObject({ event: "subscribe", arg: argument });
  return { client, opened: await client.push() };
}

/** All pushes until now. */
async function pushes(client: SocketClient): Promise<readonly Push[]> {
  return (await client.settled()).map((text) => {
    const frame = readFrame(text);
    if (frame.kind !== "push") throw new Error(`expected a push, got ${text}`);
    return frame.push;
  });
}

/** Buys a little at the market. */
const buy = ({ category, symbol }: (typeof MARKETS)[number]) =>
  world.world.orders.place({
    uid: MAIN_UID,
    category,
    symbol,
    side: "buy",
    orderType: "market",
    ...(category === "SPOT" ? { amount: exact("500") } : { quantity: exact("0.05") }),
  });

describe("the channels that are served", () => {
  it("are those of the contract, every one", () => {
    const served = feedsOf(world.world.state, false).map(({ channel }) => channel.name);
    expect([...served].sort()).toEqual(channels.map(({ name }) => name).sort());
  });

  it.each(EACH)("%s of %s opens and goes on as documented, in records that the contract reads", async (_, __, channel, asked) => {
    const argument = channel.argument(asked);
    expect(channelFor(channel, argument)).toBe(channel);
    const { client, opened } = await follow(channel, argument);
    expect(opened).toMatchObject({ action: channel.opens, argument, time: world.clock.now() });
    expect(everyItem(channel, asked, opened).length).toBeGreaterThan(0);
    world.clock.advance(3_000);
    const later = await pushes(client);
    expect(later.length).toBeGreaterThan(0);
    for (const push of later) {
      expect(push).toMatchObject({ action: channel.continues, argument });
      everyItem(channel, asked, push);
    }
  });

  it.each(EACH)("%s of %s is pushed no more often than documented", async (_, __, channel, asked) => {
    const { client } = await follow(channel, channel.argument(asked));
    world.clock.advance(6_000);
    const times = (await pushes(client)).map(({ time }) => time);
    const period = channel.frequency[asked.category === "SPOT" ? "spot" : "futures"] || 200;
    for (const [at, time] of times.entries()) expect((time ?? 0) - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual(period);
    // The market moves five times a second, so that is as often as anything can change by itself.
    expect(times.length).toBeGreaterThanOrEqual(6_000 / Math.max(period, 200) / 2);
  });
});

describe("tickers", () => {
  it.each(MARKETS)("of $category show the market's figures to the last digit", async (asked) => {
    for (const channel of [tickerChannel, classicTickerChannel]) {
      const { client, opened } = await follow(channel, channel.argument(asked));
      world.clock.advance(600);
      const push = (await pushes(client)).at(-1) ?? opened;
      const [record] = everyItem(channel, asked, push);
      const { tick } = world.world.state.markets;
      const figures = market(asked).ticker(tick);
      const { asks, bids } = market(asked).depth(tick);
      expect(record).toMatchObject({
        symbol: asked.symbol,
        lastPrice: plain(figures.last),
        openPrice24h: plain(figures.open24h),
        volume24h: plain(figures.volume24h),
        turnover24h: plain(figures.turnover24h),
        ask1Price: withoutPadding(asks[0]?.[0] ?? ""),
        bid1Qty: withoutPadding(bids[0]?.[1] ?? ""),
        markPrice: figures.futures === undefined ? null : plain(figures.futures.mark),
        nextFundingTime: figures.futures?.nextFundingTime ?? null,
        time: channel === tickerChannel ? push.time : figures.at,
      });
    }
  });
});

describe("trades", () => {
  it.each(MARKETS)("of $category come each once, newest first, a user's among them at once", async (asked) => {
    for (const channel of [publicTradeChannel, classicTradeChannel]) {
      const { client, opened } = await follow(channel, channel.argument(asked));
      let known = everyItem(channel, asked, opened);
      const read = async () => {
        const came = await pushes(client);
        for (const push of came) known = [...everyItem(channel, asked, push), ...known];
        return came;
      };
      for (let bought = 0; bought < 3; bought++) {
        world.clock.advance(1_710);
        await read();
        buy(asked);
        const came = await read();
        expect(came.length).toBeGreaterThan(0);
        expect(came.every(({ time }) => time === world.clock.now())).toBe(true);
      }
      world.clock.advance(1_000);
      await read();
      const own = market(asked).trades(world.world.state.markets.tick, known.length);
      const idsOf = (trades: readonly { readonly execId: string }[]) => trades.map(({ execId }) => execId).sort();
      expect(idsOf(known)).toEqual(idsOf(own));
      expect(known.every(({ time }, at) => (time ?? 0) <= (known[at - 1]?.time ?? time ?? 0))).toBe(true);
    }
  });
});

describe("candles", () => {
  const [, asked] = MARKETS;

  it("open with 500 bars, oldest first, the running one last", async () => {
    const { opened } = await follow(klineChannel, klineChannel.argument(asked));
    const bars = everyItem(klineChannel, asked, opened);
    expect(bars).toHaveLength(500);
    expect(bars.every(({ startTime }, at) => at === 0 || startTime === (bars[at - 1]?.startTime ?? 0) + 60_000)).toBe(true);
    expect(bars.at(-1)?.startTime).toBe(Math.floor(world.clock.now() / 60_000) * 60_000);
  });

  it("push the closed bar with its final values when the next one begins", async () => {
    const { client } = await follow(klineChannel, klineChannel.argument(asked));
    world.clock.advance(61_000);
    const came = await pushes(client);
    const [change, ...others] = came.filter(({ data }) => data.length !== 1);
    if (change === undefined) throw new Error("no bar was closed");
    expect([change.data.length, others.length]).toEqual([2, 0]);
    const [closed, running] = everyItem(klineChannel, asked, change);
    expect((running?.startTime ?? 0) - (closed?.startTime ?? 0)).toBe(60_000);
    const late = await follow(klineChannel, klineChannel.argument(asked));
    expect(everyItem(klineChannel, asked, late.opened).find(({ startTime }) => startTime === closed?.startTime)).toEqual(closed);
  });
});

describe("liquidations", () => {
  it("come once a second, the largest of each symbol and side, and of the category alone", async () => {
    const asked = { category: "USDT-FUTURES" } as const;
    const argument = liquidationChannel.argument(asked);
    const client = await open("/v3/ws/public");
    await client.subscribe(argument).json();
    const { events } = world.world.state;
    const position = (symbol: string, side: "long" | "short") => {
      const order = world.world.orders.place({
        uid: MAIN_UID,
        category: "USDT-FUTURES",
        symbol,
        side: side === "long" ? "buy" : "sell",
        orderType: "market",
        quantity: exact("0.1"),
      });
      expect(order.order.status).toBe("filled");
      const found = world.world.state.positions.find({ uid: MAIN_UID, category: "USDT-FUTURES", symbol, side });
      if (found === undefined) throw new Error("there is no position");
      return found;
    };
    const long = position("BTCUSDT", "long");
    const short = position("ETHUSDT", "short");
    const liquidate = (of: typeof long, size: string, price = "100") =>
      events.emit({ kind: "liquidation", position: of, price: exact(price), size: exact(size) });
    liquidate(long, "1");
    liquidate(long, "3", "101");
    liquidate(long, "2");
    liquidate(short, "5");
    expect(await client.settled()).toEqual([]);
    world.clock.advance(1_000);
    const [push] = await pushes(client);
    if (push === undefined) throw new Error("nothing was pushed");
    expect(push).toMatchObject({ action: "update", argument });
    expect(everyItem(liquidationChannel, asked, push)).toMatchObject([
      { category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", price: "101", qty: "3" },
      { category: "USDT-FUTURES", symbol: "ETHUSDT", side: "sell", price: "100", qty: "5" },
    ]);
    world.clock.advance(5_000);
    expect(await client.settled()).toEqual([]);
  });
});
