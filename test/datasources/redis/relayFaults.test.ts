import { performance } from "node:perf_hooks";
import { tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { systemClock } from "@exchange-graph/contract/clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RedisRelay } from "../../../src/datasources/redis/redisRelay.js";
import { Relay } from "../../../src/datasources/streams/relay/relay.js";
import type { Topic } from "../../../src/datasources/streams/upstream/connections.js";
import { eventually } from "../../support/eventually.js";
import { describeUnless } from "../../support/missing.js";
import { noRedis, type RedisServer, redisServer } from "../../support/redisServer.js";
import { type TcpProxy, tcpProxy } from "../../support/tcpProxy.js";
import { HandFedExchange, HeardTopic } from "../streams/support/handFedTopics.js";
import { engineOf } from "./support.js";

const TICKER: Topic = {
  socket: tickerChannel,
  argument: tickerChannel.argument({ category: "USDT-FUTURES", symbol: "BTCUSDT" }),
  account: undefined,
};

/** What is done to the line between a follower and Redis. */
const FAULTS: Readonly<Record<string, (line: TcpProxy) => void>> = {
  "slow by a tenth of a second": (line) => line.delay(100),
  "cut, and whole again at once": (line) => line.cut(),
  "cut for a while": (line) => line.breakDown(),
  frozen: (line) => line.freeze(),
  "half open: what is sent arrives, and nothing comes back": (line) => line.deafen(),
};
/** For so long each fault lasts: longer than it takes to notice. */
const FAULT_MS = 1_700;

describeUnless(noRedis, "a follower whose line to Redis is at fault", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await redisServer();
  });
  afterAll(() => server.close());

  const replica = async (url: string) => {
    const exchange = new HandFedExchange();
    const relay = new Relay({
      connections: exchange,
      store: new RedisRelay(await engineOf(url)),
      clock: systemClock,
      random: () => 0.5,
      fingerprintOf: () => "key",
      accountNamed: () => undefined,
      report: (error) => {
        throw error;
      },
      changedElsewhere: () => undefined,
    });
    const heard = new HeardTopic();
    return { exchange, relay, heard, listen: () => relay.follow(TICKER, heard) };
  };

  it("misses nothing without being told, and is right again soon after it is whole", async () => {
    const leader = await replica(server.url);
    leader.listen();
    await eventually(() => leader.exchange.current !== undefined);
    leader.exchange.current?.sink.up();
    const followers = await Promise.all(
      Object.entries(FAULTS).map(async ([name, begin]) => {
        const line = await tcpProxy(server.url.replace("redis:", "tcp:"));
        return { name, line, begin, ...(await replica(`redis://${line.host}`)) };
      }),
    );
    let pushed = 0;
    const push = () => leader.exchange.push(String(++pushed));
    const pushFor = async (ms: number) => {
      const from = performance.now();
      for (let next = from; performance.now() - from < ms; next += 5) {
        push();
        await eventually(() => performance.now() >= next);
      }
    };
    for (const { listen } of followers) listen();
    await eventually(() => followers.every(({ heard }) => heard.lines.includes("up")));
    await pushFor(200);
    for (const { begin, line } of followers) begin(line);
    await pushFor(FAULT_MS);
    for (const { line } of followers) line.mend();
    await pushFor(300);
    const areThere = () => followers.every(({ heard }) => Number(heard.lines.at(-1)) > pushed - 50);
    for (const until = performance.now() + 10_000; !areThere() && performance.now() < until; ) await pushFor(100);
    expect(areThere()).toBe(true);
    for (const { name, heard } of followers) {
      const untold = heard.lines.filter((line, at) => {
        const before = Number(heard.lines[at - 1]);
        return Number(line) > 0 && before > 0 && Number(line) !== before + 1;
      });
      expect({ name, untold }).toEqual({ name, untold: [] });
      if (/^(?:cut for|frozen|half)/.test(name)) expect([name, heard.lines.includes("down")]).toEqual([name, true]);
    }
    for (const { relay, exchange, line } of followers) {
      expect(exchange.open).toEqual([]);
      await relay.close();
      await line.close();
    }
    await leader.relay.close();
  }, 30_000);
});
