import {
  accountChannel,
  classicFuturesAccountChannel,
  classicSpotAccountChannel,
  type StreamedAssets,
} from "@exchange-graph/contract/channels/account";
import {
  BOOK_CHANNELS,
  type BookPush,
  CLASSIC_BOOK_CHANNELS,
  RPI_BOOK_CHANNELS,
  type StreamedLevel,
} from "@exchange-graph/contract/channels/book";
import { classicCandleChannel, klineChannel } from "@exchange-graph/contract/channels/candle";
import { type Argument, type Channel, keyOf, type Push } from "@exchange-graph/contract/channels/channel";
import { classicFuturesFillChannel, classicSpotFillChannel, fillChannel } from "@exchange-graph/contract/channels/fill";
import { liquidationChannel } from "@exchange-graph/contract/channels/liquidation";
import { classicFuturesOrdersChannel, classicSpotOrdersChannel, orderChannel } from "@exchange-graph/contract/channels/order";
import { classicPositionsChannel, positionChannel } from "@exchange-graph/contract/channels/position";
import { classicTradeChannel, publicTradeChannel } from "@exchange-graph/contract/channels/publicTrade";
import { classicTickerChannel, tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { exact, isZero, withoutPadding } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import type { Position } from "@exchange-graph/contract/position";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { WebsocketClientV2, WebsocketClientV3, WS_KEY_MAP, type WsTopicV2, type WsTopicV3 } from "bitget-api";
import { afterEach, describe, expect, it } from "vitest";
import { everyItem } from "../../packages/contract/test/channels/support/pushed.js";
import { everyRow } from "../../packages/contract/test/support/everyRow.js";
import { credentialOf } from "../../packages/sandbox/test/support/signedCall.js";
import { compareDecimals } from "../../src/datasources/streams/book/decimalOrder.js";
import type { Streams, Unlisten } from "../../src/datasources/streams/index.js";
import type { ApiVersion } from "../../src/datasources/streams/marketTopics.js";
import { type StreamedSandbox, streamedSandbox } from "../datasources/streams/support/streamedSandbox.js";
import { eventually, settled } from "../support/eventually.js";

/**
 * An independent client's sockets and the gateway's streams subscribe to the same topics of the same sandbox, on a manual
 * clock. Both must receive the same events in the same order.
 */

const BTC = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
const CANDLES = { ...BTC, interval: "1m" } as const;

/** Records an event of a topic as text; called in order. */
type Say = (text: string) => void;

/** A topic that both subscribe to. */
interface Topic {
  readonly name: string;
  readonly channels: readonly (readonly [Channel, Argument])[];
  /** Records the events of the gateway's stream. */
  ours(world: StreamedSandbox, say: Say): Unlisten;
  /** Records the events that a subscriber derives from the pushes alone. */
  theirs(say: Say): (channel: Channel, items: readonly unknown[], push: Push) => void;
}

const byCoin = (assets: StreamedAssets): StreamedAssets => ({
  ...assets,
  assets: [...everyRow(assets.assets)].sort((a, b) => a.coin.localeCompare(b.coin)),
});
const text = (value: unknown): string => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one));
const each = <T>(say: Say, items: readonly T[]) => {
  for (const item of items) say(text(item));
};
const on = <P extends object>(channel: Channel<P>, parameters: P) => [channel as Channel, channel.argument(parameters)] as const;
const failed = (fault: Error) => {
  throw fault;
};
type Listening<V> = (
  streams: Streams,
  world: StreamedSandbox,
  listener: { next(event: { readonly value: V }): void; failed(fault: Error): void },
) => Unlisten;

/** A topic whose events are lists: each element once, in order. */
const list = <V>(
  name: string,
  channels: Topic["channels"],
  listen: Listening<readonly V[]>,
  shown: (item: V) => unknown = (item) => item,
): Topic => ({
  name,
  channels,
  ours: (world, say) => listen(world.streams, world, { next: ({ value }) => each(say, value.map(shown)), failed }),
  theirs: (say) => (_, items) => each(say, (items as readonly V[]).map(shown)),
});

const books = (apiVersion: ApiVersion): readonly Topic[] =>
  (apiVersion === "v3" ? [...BOOK_CHANNELS, ...RPI_BOOK_CHANNELS] : CLASSIC_BOOK_CHANNELS).map((channel) => {
    const shown = (asks: readonly StreamedLevel[], bids: readonly StreamedLevel[]) => {
      // The v2 checksum covers the best 25 levels of an updated book, and the gateway emits only those.
      const most = apiVersion === "v2" ? 25 : undefined;
      return [asks, bids].map((side) => side.slice(0, most).map((level) => level.map(withoutPadding).join(" "))).join("|");
    };
    return {
      name: channel.name,
      channels: [on(channel, BTC)],
      ours: ({ streams }, say) =>
        streams.market.orderBook(
          BTC,
          { depth: channel.tier, isRpi: channel.isRpi },
          {
            next: ({ value: { asks, bids } }) => {
              const rows = [asks, bids].map((side) =>
                side.map(({ price, qty, rpiQty }): StreamedLevel => (rpiQty === null ? [price, qty] : [price, qty, rpiQty])),
              );
              say(shown(rows[0] ?? [], rows[1] ?? []));
            },
            failed,
          },
        ),
      theirs(say) {
        const sides = { asks: new Map<string, StreamedLevel>(), bids: new Map<string, StreamedLevel>() };
        return (_, items, { action }) => {
          for (const item of items as readonly BookPush[]) {
            for (const side of ["asks", "bids"] as const) {
              if (action === "snapshot") sides[side].clear();
              for (const level of item[side])
                if (level.slice(1).every(isZero)) sides[side].delete(level[0]);
                else sides[side].set(level[0], level);
            }
            const sorted = (side: "asks" | "bids", sign: number) =>
              [...sides[side].values()].sort(([a], [b]) => sign * compareDecimals(a, b));
            say(shown(sorted("asks", 1), sorted("bids", -1)));
          }
        };
      },
    };
  });

/** Drops rows that are repeated without a change. */
const candles = (channel: typeof klineChannel): Topic => {
  const topic = list<{ readonly startTime: number }>(channel.name, [on(channel, CANDLES)], (streams, _, listener) =>
    streams.market.candles(CANDLES, listener),
  );
  return {
    ...topic,
    theirs(say) {
      const known = new Map<number, string>();
      return (_, items) => {
        for (const row of items as readonly { readonly startTime: number }[]) {
          if (known.get(row.startTime) === text(row)) continue;
          known.set(row.startTime, text(row));
          say(text(row));
        }
      };
    },
  };
};

const marketChannels = (apiVersion: ApiVersion): readonly Topic[] => [
  {
    name: "ticker",
    channels: [on(apiVersion === "v3" ? tickerChannel : classicTickerChannel, BTC)],
    ours: ({ streams }, say) => streams.market.ticker(BTC, { next: ({ value }) => say(text(value)), failed }),
    theirs: (say) => (_, items) => each(say, items),
  },
  list("trades", [on(apiVersion === "v3" ? publicTradeChannel : classicTradeChannel, BTC)], (streams, _, listener) =>
    streams.market.trades(BTC, listener),
  ),
  candles(apiVersion === "v3" ? klineChannel : classicCandleChannel),
  ...books(apiVersion),
  ...(apiVersion === "v3"
    ? [list("liquidations", [on(liquidationChannel, BTC)], (streams, _, listener) => streams.market.liquidations(BTC, listener))]
    : []),
];

const orderShown = ({ orderId, status, cumExecQty, price, qty, updatedTime }: Order) => [
  orderId,
  status,
  cumExecQty,
  price,
  qty,
  updatedTime,
];

/** The open positions after each event. */
const positions = (name: "main" | "classic", channels: Topic["channels"]): Topic => {
  const states = (say: Say) => {
    const open = new Map<string, string>();
    let last = "";
    return (changed: readonly Position[], replaced?: string) => {
      if (replaced !== undefined) for (const key of [...open.keys()]) if (key.startsWith(replaced)) open.delete(key);
      for (const position of changed) {
        const key = `${position.categoryRaw} ${position.symbol} ${position.posSide}`;
        if (position.qty !== null && isZero(position.qty)) open.delete(key);
        else open.set(key, text(position));
      }
      const state = [...open].sort().join();
      if (state !== last) say(state);
      last = state;
    };
  };
  return {
    name: "positions",
    channels,
    ours(world, say) {
      const take = states(say);
      return world.streams.accounts.listen("positions", world.account(name), { next: ({ value }) => take(value), failed });
    },
    theirs(say) {
      const take = states(say);
      return ({ apiVersion }, items, { action, argument }) =>
        take(items as readonly Position[], apiVersion === "v2" ? argument.instType : action === "snapshot" ? "" : undefined);
    },
  };
};

const futures = { category: "USDT-FUTURES" } as const;
const PRIVATE: Readonly<Record<ApiVersion, readonly Topic[]>> = {
  v3: [
    list(
      "orders",
      [on(orderChannel, {})],
      (streams, world, listener) => streams.accounts.listen("orders", world.account("main"), listener),
      orderShown,
    ),
    list("fills", [on(fillChannel, {})], (streams, world, listener) =>
      streams.accounts.listen("fills", world.account("main"), listener),
    ),
    positions("main", [on(positionChannel, {})]),
    {
      name: "account",
      channels: [on(accountChannel, {})],
      ours: (world, say) =>
        world.streams.accounts.listen("accountUpdates", world.account("main"), {
          next: ({ value }) => say(text(value.unified && byCoin(value.unified))),
          failed,
        }),
      theirs(say) {
        let coins: ReadonlyMap<string, StreamedAssets["assets"][number]> = new Map();
        return (_, items, { action }) => {
          for (const pushed of items as readonly StreamedAssets[]) {
            const before = action === "snapshot" ? [] : coins;
            coins = new Map([...before, ...everyRow(pushed.assets).map((asset) => [asset.coin, asset] as const)]);
            say(text(byCoin({ ...pushed, assets: [...coins.values()] })));
          }
        };
      },
    },
  ],
  v2: [
    list(
      "orders",
      [on(classicSpotOrdersChannel, {}), on(classicFuturesOrdersChannel, futures)],
      (streams, world, listener) => streams.accounts.listen("orders", world.account("classic"), listener),
      orderShown,
    ),
    list("fills", [on(classicSpotFillChannel, {}), on(classicFuturesFillChannel, futures)], (streams, world, listener) =>
      streams.accounts.listen("fills", world.account("classic"), listener),
    ),
    positions("classic", [on(classicPositionsChannel, futures)]),
    {
      name: "account",
      channels: [on(classicSpotAccountChannel, {}), on(classicFuturesAccountChannel, futures)],
      ours: (world, say) =>
        world.streams.accounts.listen("accountUpdates", world.account("classic"), {
          next: ({ value: { spot, futures } }) => each(say, [...spot, ...futures]),
          failed,
        }),
      theirs: (say) => (_, items) => each(say, items),
    },
  ],
};

const silent = { trace: () => {}, info: () => {}, error: () => {} };
interface Update {
  readonly action: "snapshot" | "update";
  readonly arg: Argument;
  readonly data: readonly unknown[];
  readonly ts: number;
}

/** The independent client; `onPush` is called with each push. */
function independent(
  world: StreamedSandbox,
  { apiVersion, access }: Pick<Channel, "apiVersion" | "access">,
  onPush: (update: Update) => void,
) {
  const { key, secret, passphrase } = credentialOf(apiVersion === "v3" ? "main" : "classic");
  const keys = access === "private" ? { apiKey: key, apiSecret: secret, apiPass: passphrase } : {};
  const options = { ...keys, wsUrl: `${world.sandbox.wsUrl}/${apiVersion}/ws/${access}` };
  const client = apiVersion === "v3" ? new WebsocketClientV3(options, silent) : new WebsocketClientV2(options, silent);
  const exceptions: unknown[] = [];
  client.on("exception", (exception: unknown) => exceptions.push(exception));
  client.on("update", (update) => onPush(update as unknown as Update));
  return {
    client,
    exceptions,
    follow({ instType = "", topic, channel, ...about }: Argument) {
      if (client instanceof WebsocketClientV3) {
        const wsKey = access === "public" ? WS_KEY_MAP.v3Public : WS_KEY_MAP.v3Private;
        void client.subscribe({ topic: topic as WsTopicV3, payload: { instType, ...about } as never }, wsKey);
      } else void client.subscribeTopic(instType as never, channel as WsTopicV2, about.instId ?? about.coin ?? "default");
    },
  };
}

/** Whether a push belongs to this argument. v3 pushes omit a candle's interval. */
const concerns = (pushed: Argument, argument: Argument): boolean =>
  keyOf(pushed) === keyOf(Object.fromEntries(Object.entries(argument).filter(([name]) => name in pushed)));

let world: StreamedSandbox | undefined;
let client: { closeAll(force?: boolean): void } | undefined;
afterEach(async () => {
  client?.closeAll(true);
  await world?.close();
});

/** Runs `happen` while both are subscribed, and returns the events that each received by topic. */
async function bothReceived(
  apiVersion: ApiVersion,
  topics: readonly Topic[],
  happen: (world: StreamedSandbox, step: number) => void,
) {
  // The independent client signs its login with the machine's time.
  world = await streamedSandbox(apiVersion, {}, Math.floor(Date.now() / 600) * 600);
  const here = world;
  const received = topics.map(({ name }) => ({ name, ours: [] as string[], theirs: [] as string[] }));
  const receivers = topics.map(({ theirs }, at) => theirs((one) => received[at]?.theirs.push(one)));
  const wanted = topics.flatMap(({ channels }, at) => channels.map(([channel, argument]) => ({ channel, argument, at })));
  const [{ channel: first } = { channel: tickerChannel as Channel }] = wanted;
  let confirmed = 0;
  const other = independent(world, first, ({ arg, action, data, ts }) => {
    for (const { channel, argument, at } of wanted) {
      if (!concerns(arg, argument)) continue;
      const push = { action, argument, data, time: ts };
      receivers[at]?.(channel, everyItem(channel, channel.parameters(argument) ?? {}, push), push);
    }
  });
  client = other.client;
  other.client.on("response", () => confirmed++);
  const leaves = topics.map(({ ours }, at) => ours(here, (one) => received[at]?.ours.push(one)));
  for (const { argument } of wanted) other.follow(argument);
  await world.until(() => here.streams.gauges().topics.every(({ isLive }) => isLive));
  await eventually(() => confirmed >= wanted.length);
  await world.pass(3_000, 150);
  await settled(50);
  for (const one of received) Object.assign(one, { ours: [], theirs: [] });
  for (let step = 0; step < 60; step++) {
    happen(world, step);
    await world.pass(150, 150);
  }
  await settled(100);
  expect(other.exceptions).toEqual([]);
  for (const leave of leaves) leave();
  return received;
}

/** Places a market order or one near the market price, and cancels some. */
function trade(here: StreamedSandbox, uid: string, step: number): void {
  const { orders, state } = here.sandbox.world;
  const category = uid === CLASSIC_UID && step % 6 === 0 ? "SPOT" : BTC.category;
  const { listing } = state.markets.of(category, BTC.symbol);
  const side = step % 4 < 2 ? "buy" : "sell";
  const away = (side === "buy" ? -1 : 1) * (step % 3 === 1 ? 400 : 2);
  const { order } = orders.place({
    ...{ uid, category, symbol: BTC.symbol, side, quantity: exact("0.01") },
    ...(step % 3 === 0 && category !== "SPOT"
      ? { orderType: "market" as const }
      : { orderType: "limit" as const, price: listing.grid.price(listing.steps(state.markets.tick) + away) }),
    ...(uid === CLASSIC_UID && category !== "SPOT" ? { marginCoin: "USDT", marginMode: "crossed" as const } : {}),
  });
  if (step % 3 === 1) orders.cancel(uid, category, order);
}

/** Fields of positions that depend on the mark price. */
const PRICED = /"(?:markPrice|unrealisedPnl|profitRate|margin|marginRatio|liquidationPrice)":(?:null|"[^"]*")/g;
const priceIn = (line: string): string => [...line.matchAll(/"markPrice":"[^"]*"/g)].join();

/**
 * Whether the gateway's event equals the other client's. If the price moved before the gateway's event was sent, its figures are
 * those at the new price; figures must be equal only at equal prices.
 */
const isReportOf = (ours: string, theirs: string): boolean =>
  says(ours, theirs) ||
  (priceIn(ours) !== priceIn(theirs) && says(ours.replaceAll(PRICED, '""'), theirs.replaceAll(PRICED, '""')));

/** Fields that the push lacks may have any value: the gateway has them from earlier events. */
function says(ours: string, theirs: string): boolean {
  if (ours === theirs) return true;
  const anyValue = ':(?:null|"[^"]*")';
  const pattern = theirs.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(":null", anyValue);
  if (new RegExp(`^${pattern}$`).test(ours)) return true;
  if (!ours.startsWith("{") || !theirs.startsWith("{")) return false;
  const [known, received] = [JSON.parse(ours), JSON.parse(theirs)] as [Record<string, unknown>, Record<string, unknown>];
  return Object.entries(received).every(([key, value]) => value === null || JSON.stringify(known[key]) === JSON.stringify(value));
}

/** The record's state that an event describes: figures of positions and accounts follow the prices between two changes. */
const stateOf = (line: string): string => {
  if (line.startsWith("{")) return "account";
  const changedAt = /"updatedTime":(\d+)/.exec(line)?.[1];
  return changedAt === undefined ? line : `${line.slice(0, line.indexOf(",{"))} ${changedAt}`;
};

describe.each(["v3", "v2"] as const)("over %s", (apiVersion) => {
  const agree = (received: Awaited<ReturnType<typeof bothReceived>>) => {
    for (const { name, ours, theirs } of received) {
      expect(theirs.length, name).toBeGreaterThan(0);
      let pushed = 0;
      const repeated = ours.filter((line) => !(pushed < theirs.length && isReportOf(line, theirs[pushed] ?? "") && ++pushed));
      expect([pushed, theirs[pushed]], name).toEqual([theirs.length, undefined]);
      // A field that is added by a REST read causes another event of the same state.
      const states = new Set(theirs.map(stateOf));
      expect(
        repeated.filter((line) => !states.has(stateOf(line))),
        name,
      ).toEqual([]);
    }
  };

  it("an independent client and our streams get the same events of every public topic", async () => {
    agree(
      await bothReceived(apiVersion, marketChannels(apiVersion), ({ sandbox: { world } }, step) => {
        if (step === 0) world.orders.place({ uid: MAIN_UID, ...BTC, side: "buy", orderType: "market", quantity: exact("0.01") });
        const position = world.state.positions.find({ uid: MAIN_UID, category: BTC.category, symbol: BTC.symbol, side: "long" });
        if (position === undefined) throw new Error("there is no position");
        world.state.events.emit({ kind: "liquidation", position, price: exact(`${60_000 + step}`), size: exact("1.5") });
      }),
    );
  }, 60_000);

  it("an independent client and our streams get the same events of every private topic", async () => {
    const uid = apiVersion === "v3" ? MAIN_UID : CLASSIC_UID;
    agree(await bothReceived(apiVersion, PRIVATE[apiVersion], (here, step) => trade(here, uid, step)));
  }, 60_000);
});
