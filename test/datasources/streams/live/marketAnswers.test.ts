import { candles } from "@exchange-graph/contract/candle";
import { afterEach, describe, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readCandles } from "../../../../src/datasources/reads/queries/candles.js";
import { readOrderBook } from "../../../../src/datasources/reads/queries/market.js";
import { startedOnce } from "../../../support/started.js";
import { START } from "../support/followed.js";
import { streamedSandbox } from "../support/streamedSandbox.js";

const world = startedOnce(() => streamedSandbox("v3", {}, START, undefined, false, "auto"));

const newReads = () => new RequestReads(world.exchange, { live: world.streams.live });
type Read = (reads: RequestReads) => Promise<unknown>;

const BTC = { category: "USDT-FUTURES", symbol: "btcusdt" } as const;
const ticker: Read = ({ loaders }) => loaders.ticker(BTC.category, BTC.symbol);
const price: Read = ({ loaders }) => loaders.usdtPrice("BTC");
const book: Read = (reads) => readOrderBook(reads, { ...BTC, depth: 15 });
const minutes: Read = (reads) => readCandles(reads, { ...BTC, interval: "1m", first: 30 });

/** What a read gives, and where it came from. */
async function asked(read: Read, reads = newReads()) {
  // Time does not advance meanwhile: the answers of a stream and of a call are from the same moment.
  const answer = await read(reads);
  return { answer, sources: reads.trace.reads.map(({ source }) => source), calls: reads.trace.upstreamCalls };
}

/** Asks once a second, as a page does. */
async function poll(read: Read, times: number): Promise<Awaited<ReturnType<typeof asked>>> {
  let last = await asked(read);
  for (let count = 1; count < times; count++) {
    await world.pass(1_000);
    last = await asked(read);
  }
  return last;
}

describe("market data that is read often", () => {
  afterEach(() => world.pass(130_000, 5_000));

  it.each([
    ["a ticker", ticker, "ticker"],
    ["what a coin is worth", price, "ticker"],
    ["an order book", book, "orderBook"],
    ["candles", minutes, "candles"],
  ] as const)(
    "%s comes from its stream after three reads, without a call, and is closed without reads",
    async (_, read, kind) => {
      expect(await asked(read)).toMatchObject({ sources: ["REST"] });
      const { sources, calls } = await poll(read, 6);
      expect(sources).toEqual(["STREAM"]);
      expect(calls).toBe(0);
      const { symbols, counts } = world.streams.gauges().live;
      expect(symbols.filter((one) => one.kind === kind)).toHaveLength(1);
      expect(counts.find((one) => one.kind === kind)?.answered).toBeGreaterThan(0);
      await world.pass(130_000, 5_000);
      expect(world.streams.gauges().live.symbols).toEqual([]);
      expect(await asked(read)).toMatchObject({ sources: ["REST"] });
    },
  );

  it.each([
    ["an order book", book, (answer: unknown) => answer],
    // The running one is pushed once a second.
    ["candles", minutes, (answer: unknown) => Array.isArray(answer) && answer.slice(0, -1)],
  ] as const)("%s: the same as the exchange lists at that moment", async (_, read, of) => {
    await poll(read, 6);
    for (let round = 0; round < 5; round++) {
      await world.pass(3_300);
      const live = await asked(read);
      const listed = await asked(read, new RequestReads(world.exchange));
      expect(live.sources).toEqual(["STREAM"]);
      expect(listed.sources).not.toContain("STREAM");
      expect(shown(of(live.answer))).toEqual(shown(of(listed.answer)));
    }
  });

  it("a ticker has every figure that the exchange's list has", async () => {
    await poll(ticker, 6);
    const live = await asked(ticker);
    const listed = await asked(ticker, new RequestReads(world.exchange));
    expect(live.sources).toEqual(["STREAM"]);
    for (const [field, value] of Object.entries(listed.answer ?? {}))
      if (value !== null) expect(Reflect.get(new Object(live.answer), field), field).not.toBeNull();
  });

  it("is requested if a stream does not have it: other prices, a past, more than is stored", async () => {
    await poll(minutes, 6);
    const of =
      (values: object): Read =>
      (reads) =>
        reads.read(candles, { ...BTC, symbol: "BTCUSDT", interval: "1m", limit: 30, ...values });
    expect((await asked(of({}))).sources).toEqual(["STREAM"]);
    expect((await asked(of({ type: "mark" }))).sources).toEqual(["REST"]);
    expect((await asked(of({ endTime: world.clock.now() - 60_000 }))).sources).toEqual(["REST"]);
    expect((await asked(of({ limit: 900 }))).sources).toEqual(["REST"]);
  });

  it("is asked for while the line is interrupted", async () => {
    await poll(minutes, 6);
    world.sandbox.sockets.drop();
    await world.until(() => world.streams.gauges().topics.every(({ isLive }) => !isLive));
    expect((await asked(minutes)).sources).toEqual(["REST"]);
  });
});

/** What a client is shown: times of writing differ from times of asking, and a book without RPI orders has none. */
const shown = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value: unknown) => (key === "time" || key === "rpiQty" ? undefined : value)));
