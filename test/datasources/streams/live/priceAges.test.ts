import { ManualClock } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import { MarketTopics } from "../../../../src/datasources/streams/marketTopics.js";
import { TopicHub } from "../../../../src/datasources/streams/topicHub.js";
import type { TopicSink } from "../../../../src/datasources/streams/upstream/link.js";
import { ownInstrumentation } from "../../../support/searchedTelemetry.js";
import { START } from "../support/followed.js";

const BTC = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;

/** A connection that pushes a ticker, and other things besides. */
function rig() {
  const clock = new ManualClock(START);
  let sink: TopicSink | undefined;
  const line = { lastReceivedAt: START, pushTime: START };
  const topics = new MarketTopics(
    {
      clock,
      exchangeNow: () => clock.now(),
      random: () => 0.5,
      instrumentation: ownInstrumentation(),
      connections: {
        follow(_topic, followed) {
          sink = followed;
          return {
            renew: () => undefined,
            close: () => undefined,
            lastReceivedAt: () => line.lastReceivedAt,
            pushTime: () => line.pushTime,
          };
        },
      },
    },
    () => new TopicHub({ clock, lingerMs: 0, readyMs: 30_000, onListenerError: () => undefined }),
    "v3",
    () => {
      throw new Error("tickers have no history");
    },
  );
  topics.ticker(BTC, { next: () => undefined, failed: () => undefined });
  const heard = (time: number) => Object.assign(line, { lastReceivedAt: clock.now(), pushTime: START + time });
  return {
    knownUntil: () => (topics.tickerKnownUntil(BTC) ?? 0) - START,
    /** Something else is pushed. */
    other(time: number) {
      clock.advance(START + time - clock.now());
      heard(time);
    },
    ticker(time: number) {
      clock.advance(START + time - clock.now());
      sink?.up();
      sink?.push({ action: "snapshot", argument: {}, data: [{ lastPrice: "1" }], time: START + time }, clock);
      heard(time);
    },
    pass: (ms: number) => clock.advance(ms),
  };
}

it("a price that does not change is known until the last period that ended without a push of it", () => {
  const { knownUntil, other, ticker, pass } = rig();
  ticker(0);
  expect(knownUntil()).toBe(0);
  // It may have changed since: the exchange says so every 300 ms at most.
  other(250);
  pass(20);
  expect(knownUntil()).toBe(0);
  other(310);
  pass(20);
  expect(knownUntil()).toBe(300);
  other(1_000);
  pass(20);
  expect(knownUntil()).toBe(900);
  ticker(1_200);
  expect(knownUntil()).toBe(1_200);
});

it("what is pushed in the same moment may still be on its way", () => {
  const { knownUntil, other, ticker, pass } = rig();
  ticker(0);
  other(300);
  expect(knownUntil()).toBe(0);
  pass(19);
  expect(knownUntil()).toBe(0);
  pass(1);
  expect(knownUntil()).toBe(300);
});
