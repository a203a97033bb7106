import { klineChannel } from "@exchange-graph/contract/channels/candle";
import { liquidationChannel } from "@exchange-graph/contract/channels/liquidation";
import { publicTradeChannel } from "@exchange-graph/contract/channels/publicTrade";
import { tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { describe, expect, it } from "vitest";
import { ChannelFeed } from "../../../../src/datasources/streams/feeds/channelFeed.js";
import { candlesFold, liquidationsFold, tickerFold, tradesFold } from "../../../../src/datasources/streams/feeds/publicFolds.js";
import { START } from "../support/followed.js";
import { handFed, Written } from "../support/handFed.js";

const BTC = { category: "SPOT", symbol: "BTCUSDT" } as const;

describe("a ticker feed", () => {
  const opened = () => {
    const world = handFed();
    const feed = new ChannelFeed(world.upstream, tickerChannel, BTC, tickerFold());
    const heard = new Written<{ lastPrice: string | null }>();
    feed.start(heard);
    return { ...world, feed, heard };
  };
  const prices = (heard: Written<{ lastPrice: string | null }>) =>
    heard.events.map(({ kind, stale, value }) => `${kind} ${stale ? "stale" : "live"} ${value.lastPrice}`);

  it("emits each ticker, except one that is older than the last", () => {
    const { heard, feed, topic } = opened();
    topic().push([{ lastPrice: "1" }], "snapshot", START);
    topic().push([{ lastPrice: "3" }], "snapshot", START + 300);
    topic().push([{ lastPrice: "2" }], "snapshot", START + 200);
    expect(prices(heard)).toEqual(["snapshot live 1", "snapshot live 3"]);
    expect(feed.current()).toMatchObject({ kind: "snapshot", time: START + 300, stale: false, value: { lastPrice: "3" } });
  });

  it("goes on when the exchange's clock is set back, or a connection has been replaced after a gap", () => {
    const { heard, topic } = opened();
    topic().sink.up();
    topic().push([{ lastPrice: "1" }], "snapshot", START + 60_000);
    topic().push([{ lastPrice: "2" }], "snapshot", START);
    topic().sink.down();
    topic().sink.up();
    topic().push([{ lastPrice: "3" }], "snapshot", START - 1_000);
    expect(prices(heard)).toEqual(["snapshot live 1", "snapshot live 2", "snapshot stale 2", "snapshot live 3"]);
  });

  it("says when it is interrupted, and is live again with the first ticker after that", () => {
    const { heard, topic } = opened();
    topic().sink.up();
    topic().push([{ lastPrice: "1" }], "snapshot", START);
    topic().sink.down();
    topic().sink.up();
    topic().push([{ lastPrice: "2" }], "snapshot", START + 1);
    expect(prices(heard)).toEqual(["snapshot live 1", "snapshot stale 1", "snapshot live 2"]);
  });

  it("says when its pushes are overdue, marks those that arrive late, and that all have arrived", () => {
    const { heard, feed, topic } = opened();
    topic().sink.up();
    topic().push([{ lastPrice: "1" }], "snapshot", START);
    topic().sink.stalled(true);
    expect([feed.isLive, feed.current()?.stale]).toEqual([false, true]);
    topic().push([{ lastPrice: "2" }], "snapshot", START + 1);
    topic().sink.stalled(false);
    expect(feed.isLive).toBe(true);
    topic().push([{ lastPrice: "3" }], "snapshot", START + 2);
    expect(prices(heard)).toEqual([
      "snapshot live 1",
      "snapshot stale 1",
      "snapshot stale 2",
      "snapshot live 2",
      "snapshot live 3",
    ]);
  });

  it("emits a ticker without a time", () => {
    const { heard, topic } = opened();
    topic().push([{ lastPrice: "1" }], "snapshot", START);
    topic().sink.push({ action: "snapshot", argument: topic().argument, data: [{ lastPrice: "2" }], time: null }, {});
    expect(prices(heard)).toEqual(["snapshot live 1", "snapshot live 2"]);
    expect(heard.last.value).toMatchObject({ time: null });
  });

  it("leaves out a ticker that cannot be read, and goes on", () => {
    const { heard, topic, unreadable } = opened();
    topic().push(["one"], "snapshot");
    topic().push([{ lastPrice: "1" }], "snapshot");
    expect(prices(heard)).toEqual(["snapshot live 1"]);
    expect(unreadable).toEqual(["ticker: WireError: ticker: data[0]: expected an object"]);
  });

  it("emits null for a figure that cannot be read, and reports it", () => {
    const { heard, topic, unreadable } = opened();
    topic().push([{ lastPrice: "1", markPrice: "2" }], "snapshot");
    topic().push([{ lastPrice: "1,1", markPrice: "3" }], "snapshot");
    expect(prices(heard)).toEqual(["snapshot live 1", "snapshot live null"]);
    expect(heard.last.value).toMatchObject({ lastPrice: null, markPrice: "3" });
    expect(unreadable).toEqual(["ticker: WireError: ticker: data[0].lastPrice: expected a decimal number"]);
  });

  it("stops following when it is stopped", () => {
    const { feed, topics } = opened();
    feed.stop();
    expect(topics.map(({ isClosed }) => isClosed)).toEqual([true]);
  });
});

describe("a feed of trades", () => {
  const trade = (id: number) => ({ i: `t${id}`, p: "1", v: "1", S: "buy", T: String(START + id) });
  const opened = () => {
    const world = handFed();
    const feed = new ChannelFeed(world.upstream, publicTradeChannel, BTC, tradesFold());
    const heard = new Written<readonly { execId: string }[]>();
    feed.start(heard);
    return { ...world, feed, heard };
  };
  const reported = (heard: Written<readonly { execId: string }[]>) =>
    heard.events.map(
      ({ kind, stale, value }) => `${kind}${stale ? " stale" : ""}: ${value.map(({ execId }) => execId).join(" ")}`,
    );

  it("emits the latest first, then each new one once, however often it is pushed", () => {
    const { heard, feed, topic } = opened();
    topic().push([trade(2), trade(1)], "snapshot");
    topic().push([trade(3)]);
    topic().push([trade(4), trade(3)]);
    topic().push([trade(4)]);
    expect(reported(heard)).toEqual(["snapshot: t2 t1", "update: t3", "update: t4"]);
    expect(feed.current()?.value.map(({ execId }) => execId)).toEqual(["t4", "t3", "t2", "t1"]);
  });

  it("closes a gap with the exchange's list of latest trades", () => {
    const { heard, topic } = opened();
    topic().push([trade(1)], "snapshot");
    topic().sink.down();
    topic().push([trade(3), trade(2), trade(1)], "snapshot");
    expect(reported(heard)).toEqual(["snapshot: t1", "update stale: ", "update: t3 t2"]);
  });

  it("starts from a new snapshot when that list does not reach back far enough", () => {
    const { heard, feed, topic } = opened();
    topic().push([trade(1)], "snapshot");
    topic().sink.down();
    topic().push([trade(9), trade(8)], "snapshot");
    expect(reported(heard).at(-1)).toBe("snapshot: t9 t8");
    expect(feed.current()?.value).toHaveLength(2);
  });

  it("says that it is back also when nothing was traded meanwhile", () => {
    const { heard, topic } = opened();
    topic().push([trade(1)], "snapshot");
    topic().sink.down();
    topic().push([trade(1)], "snapshot");
    expect(reported(heard).slice(1)).toEqual(["update stale: ", "update: "]);
  });

  it("shows a newcomer a hundred at most", () => {
    const { feed, topic } = opened();
    for (let id = 0; id < 150; id++) topic().push([trade(id)], id === 0 ? "snapshot" : "update");
    expect(feed.current()?.value).toHaveLength(100);
    expect(feed.current()?.value[0]?.execId).toBe("t149");
  });
});

describe("a feed of candles", () => {
  const candle = (minute: number, close: string) => ({
    start: String(START + minute * 60_000),
    open: "1",
    high: "9",
    low: "1",
    close,
    volume: "1",
    turnover: "1",
  });
  const opened = () => {
    const world = handFed();
    const feed = new ChannelFeed(world.upstream, klineChannel, { ...BTC, interval: "1m" }, candlesFold());
    const heard = new Written<readonly { close: string | null }[]>();
    feed.start(heard);
    return { ...world, feed, heard };
  };
  const reported = (heard: Written<readonly { close: string | null }[]>) =>
    heard.events.map(({ kind, value }) => `${kind}: ${value.map(({ close }) => close).join(" ")}`);

  it("emits all that there are, oldest first, then those that change", () => {
    const { heard, feed, topic } = opened();
    topic().push([candle(0, "1"), candle(1, "2")], "snapshot", START);
    topic().push([candle(1, "3")], "update", START + 1);
    topic().push([candle(1, "3")], "update", START + 2);
    topic().push([candle(1, "4"), candle(2, "5")], "update", START + 3);
    expect(reported(heard)).toEqual(["snapshot: 1 2", "update: 3", "update: 4 5"]);
    expect(feed.current()?.value.map(({ close }) => close)).toEqual(["1", "4", "5"]);
  });

  it("takes no older picture of a candle for a newer one", () => {
    const { heard, topic } = opened();
    topic().push([candle(0, "1")], "snapshot", START + 5);
    topic().push([candle(0, "0")], "update", START + 4);
    expect(reported(heard)).toEqual(["snapshot: 1"]);
  });

  it("emits only what is new in the first snapshot of a connection that takes over", () => {
    const { heard, topic } = opened();
    topic().push([candle(0, "1"), candle(1, "2")], "snapshot", START);
    topic().push([candle(0, "1"), candle(1, "3")], "snapshot", START + 1);
    expect(reported(heard)).toEqual(["snapshot: 1 2", "update: 3"]);
  });

  it("starts from a new snapshot after a gap", () => {
    const { heard, topic } = opened();
    topic().push([candle(0, "1")], "snapshot", START);
    topic().sink.down();
    topic().push([candle(0, "1"), candle(7, "8")], "snapshot", START + 60_000);
    expect(reported(heard).at(-1)).toBe("snapshot: 1 8");
  });

  it("keeps five hundred", () => {
    const { feed, topic } = opened();
    for (let minute = 0; minute < 600; minute++) topic().push([candle(minute, String(minute))], "update", START + minute);
    expect(feed.current()?.value).toHaveLength(500);
    expect(feed.current()?.value[0]?.close).toBe("100");
  });
});

describe("a feed of liquidations", () => {
  it("is ready before anything happens, and emits each once", () => {
    const world = handFed();
    const feed = new ChannelFeed(world.upstream, liquidationChannel, { category: "USDT-FUTURES" }, liquidationsFold());
    const heard = new Written<readonly { price: string | null }[]>();
    feed.start(heard);
    expect(heard.isReady).toBe(false);
    world.topic().sink.up();
    expect(heard.isReady).toBe(true);
    const liquidation = { symbol: "BTCUSDT", side: "buy", price: "63110.2", amount: "0.4", ts: String(START) };
    world.topic().push([liquidation]);
    world.topic().push([liquidation]);
    world.topic().sink.down();
    world.topic().sink.up();
    expect(heard.events.map(({ stale, value }) => [stale, value.length])).toEqual([
      [false, 1],
      [true, 0],
      [false, 0],
    ]);
    expect(feed.current()).toBeUndefined();
  });
});
