import { describe, expect, it } from "vitest";
import { type Action, type Argument, itemsOf } from "../../src/channels/channel.js";
import { channelFor, channels } from "../../src/channels/index.js";
import { WireError } from "../../src/wireError.js";
import { isLeaf, placesIn, placeText, samplesIn, withValue } from "../samples/changed.js";

/** One push of each channel, every key of it missing, empty and unknown: it costs the element alone, and only by its name. */
interface Sample {
  readonly channel: string;
  readonly arg: Argument;
  readonly action: Action;
  readonly ts: number;
  readonly data: readonly unknown[];
}
const SAMPLES = samplesIn<Sample>("pushes.ndjson");
const EACH = SAMPLES.map((sample) => [sample.channel, sample] as const);

const LEVELS = [".asks[0][0]", ".asks[0][1]", ".bids[0][0]", ".bids[0][1]", ".a[0][0]", ".a[0][1]", ".b[0][0]", ".b[0][1]"];
const RPI_LEVELS = [...LEVELS, ".a[0][2]", ".b[0][2]"];

/** What an element cannot do without: what identifies it, and both numbers of a book's level. */
const IDENTIFIES: Readonly<Record<string, readonly string[]>> = {
  account: [".coin[0].coin"],
  classicCandle: ["[0]"],
  classicFuturesAccount: [".marginCoin"],
  classicFuturesFill: [".tradeId", ".symbol"],
  classicFuturesOrders: [".orderId", ".instId"],
  classicPlanOrders: [".orderId", ".instId"],
  classicPositions: [".instId", ".marginCoin", ".holdSide"],
  classicPositionsHistory: [".instId"],
  classicSpotAccount: [".coin"],
  classicSpotFill: [".tradeId", ".symbol"],
  classicSpotOrders: [".orderId", ".instId"],
  classicSpotTriggerOrders: [".orderId", ".instId"],
  classicTrade: [".tradeId"],
  fastFill: [".execId", ".category", ".symbol"],
  fill: [".execId", ".category", ".symbol"],
  kline: [".start"],
  liquidation: [".symbol"],
  order: [".orderId", ".category", ".symbol"],
  position: [".symbol", ".marginCoin", ".posSide"],
  publicTrade: [".i"],
  strategyOrder: [".orderId", ".category", ".symbol"],
};
/** What may be missing, but misleads when it cannot be read: a quantity, a state, the order of messages, a fill's price. */
const MISLEADS: readonly (readonly [channels: RegExp, keys: RegExp])[] = [
  [/^classicTicker$/, /^\.symbol$/],
  [/orders?$/i, /^\.(tradeId|qty|size|newSize|notional|amount|cumExecQty|accBaseVolume|baseVolume|orderStatus|status)$/],
  [/orders?$/i, /^\.(price|notional|callbackRatio|takeprofit|stoploss|\w*price)$/i],
  [/fill$/i, /^\.(execQty|execPrice|size|baseVolume|price|priceAvg)$/i],
  [/^position$|^classicPositions$/, /^\.(total|size)$/],
  [/books/i, /^\.(seq|pseq|checksum)$/],
];
const misleads = (channel: string, place: string): boolean =>
  MISLEADS.some(([names, keys]) => names.test(channel) && keys.test(place));
const needs = (channel: string): readonly string[] =>
  IDENTIFIES[channel] ?? (channel.startsWith("rpi-") ? RPI_LEVELS : /books/i.test(channel) ? LEVELS : []);

/** What becomes of a push: its elements, those that were lost, and the fields that are null because they could not be read. */
function reading({ channel: name, arg, action, ts }: Sample, data: readonly unknown[]) {
  const channel = channels.find((one) => one.name === name);
  const parameters = channel?.parameters(arg);
  if (channel === undefined || parameters === undefined) throw new Error(`${name} does not know its own argument`);
  const { items, found } = itemsOf(channel, parameters, { argument: arg, action, data, time: ts });
  const errors = found.filter((one) => one instanceof WireError);
  return { items, lost: errors.filter(({ isOfField }) => !isOfField), nulled: errors.filter(({ isOfField }) => isOfField) };
}

describe("every key of every push", () => {
  it("is of every channel there is", () => {
    expect(SAMPLES.map(({ channel }) => channel).sort()).toEqual(channels.map(({ name }) => name).sort());
  });

  it.each(EACH)("may be missing or empty: %s", (name, sample) => {
    const [element] = sample.data;
    const [after] = reading(sample, [element]).items;
    for (const path of placesIn(element))
      for (const nothing of [undefined, "", null]) {
        const { items, lost, nulled } = reading(sample, [withValue(element, path, nothing), element]);
        const place = placeText(path);
        expect([place, lost.length]).toEqual([place, needs(name).includes(place) ? 1 : 0]);
        expect(nulled).toEqual([]);
        // The other fields keep their values.
        expect(items.at(-1)).toEqual(after);
      }
  });

  it.each(EACH)("costs at most its field when it cannot be read: %s", (name, sample) => {
    const [element] = sample.data;
    for (const path of placesIn(element)) {
      const place = placeText(path);
      if (!isLeaf(element, path) || needs(name).includes(place) || misleads(name, place)) continue;
      const { items, lost } = reading(sample, [withValue(element, path, { odd: ["1,1"] })]);
      expect([place, lost, items.length]).toEqual([place, [], 1]);
    }
  });

  it.each(EACH)("may have company, in its argument too: %s", (_, sample) => {
    const [element] = sample.data;
    for (const path of placesIn(element))
      expect(reading(sample, [withValue(element, [...path.slice(0, -1), "unheard"], { of: ["this"] })])).toMatchObject({
        lost: [],
        nulled: [],
      });
    const channel = channels.find((one) => one.name === sample.channel);
    if (channel === undefined) throw new Error("no such channel");
    expect(channelFor(channel, { ...sample.arg, unheard: "of this" })).toBe(channel);
  });
});
