import { performance } from "node:perf_hooks";
import { tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { systemClock } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import type { Topic } from "../../../../src/datasources/streams/upstream/upstreamConnections.js";
import { HandFedExchange, HeardTopic } from "../../../../test/datasources/streams/support/handFedTopics.js";
import { eventually } from "../../../../test/support/eventually.js";
import { describeUnless } from "../../../../test/support/missing.js";
import { noRedis } from "../../../../test/support/redisServer.js";
import { type TcpProxy, tcpProxy } from "../../../../test/support/tcpProxy.js";
import { RedisRelay } from "../../src/redis/redisRelay.js";
import { relayOf } from "../relay/support.js";
import { engineOf, fileRedis } from "./support.js";

const tickerOf = (symbol: string): Topic => ({
  socket: tickerChannel,
  argument: tickerChannel.argument({ category: "USDT-FUTURES", symbol }),
  account: undefined,
});
const TICKER = tickerOf("BTCUSDT");

/** What is done to the line between a replica and Redis. */
const FAULTS: Readonly<Record<string, (line: TcpProxy) => void>> = {
  "slow by a tenth of a second": (line) => line.delay(100),
  "cut, and whole again at once": (line) => line.cut(),
  "cut for a while": (line) => line.breakDown(),
  frozen: (line) => line.freeze(),
  "half open: what is sent arrives, and nothing comes back": (line) => line.deafen(),
};
/** Faults of this kind are noticed after a while, and interrupt what is followed. */
const INTERRUPTING = /^(?:cut for|frozen|half)/;
/** After so long a follower has taken the place of a leader that Redis does not hear of. */
const TAKEN_OVER_MS = 8_000;
/** Longer than anything else takes, on a busy machine too. */
const AT_MOST_MS = 10_000;

/** Numbers that follow others with something missing between, and without a word of it. */
const unreportedIn = (lines: readonly string[]): readonly string[] =>
  lines.filter((line, at) => {
    const before = Number(lines[at - 1]);
    return Number(line) > 0 && before > 0 && Number(line) !== before + 1;
  });

describeUnless(noRedis, "a replica whose line to Redis is at fault", () => {
  const server = fileRedis();

  const replica = async (url: string, topic = TICKER) => {
    const exchange = new HandFedExchange();
    const relay = relayOf({
      connections: exchange,
      store: new RedisRelay(await engineOf(url)),
      clock: systemClock,
    });
    const heard = new HeardTopic();
    return { exchange, relay, heard, listen: () => relay.follow(topic, heard) };
  };

  it("reports every gap as a follower, and is correct again soon after the fault ends", async () => {
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
    const areNoticed = () => followers.every(({ name, heard }) => !INTERRUPTING.test(name) || heard.lines.includes("down"));
    for (const until = performance.now() + AT_MOST_MS; !areNoticed() && performance.now() < until; ) await pushFor(100);
    expect(areNoticed()).toBe(true);
    for (const { line } of followers) line.mend();
    await pushFor(300);
    const areThere = () => followers.every(({ heard }) => Number(heard.lines.at(-1)) > pushed - 50);
    for (const until = performance.now() + AT_MOST_MS; !areThere() && performance.now() < until; ) await pushFor(100);
    expect(areThere()).toBe(true);
    for (const { name, heard } of followers)
      expect({ name, unreported: unreportedIn(heard.lines) }).toEqual({ name, unreported: [] });
    for (const { relay, exchange, line } of followers) {
      await eventually(() => exchange.current === undefined);
      await relay.close();
      await line.close();
    }
    await leader.relay.close();
  }, 45_000);

  it("is replaced as leader by another one if Redis cannot reach it, and every gap is reported", async () => {
    const pairs = await Promise.all(
      Object.entries(FAULTS).map(async ([name, begin], at) => {
        const line = await tcpProxy(server.url.replace("redis:", "tcp:"));
        const topic = tickerOf(["ETHUSDT", "SOLUSDT", "XRPUSDT", "BNBUSDT", "ADAUSDT"][at] ?? "");
        const [leader, follower] = [await replica(`redis://${line.host}`, topic), await replica(server.url, topic)];
        return { name, line, begin, leader, follower, both: [leader, follower] };
      }),
    );
    const up = new WeakSet<object>();
    let pushed = 0;
    /** What is followed comes up by itself, and hears the next number. */
    const push = () => {
      pushed++;
      for (const { exchange } of pairs.flatMap(({ both }) => both)) {
        const { current } = exchange;
        if (current === undefined) continue;
        if (!up.has(current)) current.sink.up();
        up.add(current);
        exchange.push(String(pushed));
      }
    };
    const pushUntil = async (holds: () => boolean, withinMs: number) => {
      const from = performance.now();
      for (let next = from; !holds(); next += 20) {
        if (next - from > withinMs) throw new Error(`it never came to hold: ${holds.toString()}`);
        push();
        await eventually(() => performance.now() >= next);
      }
    };
    const isThere = ({ heard }: (typeof pairs)[number]["leader"]) => Number(heard.lines.at(-1)) > pushed - 10;
    const areThere = () => pairs.every(({ both }) => both.every(isThere));
    for (const { leader } of pairs) leader.listen();
    await pushUntil(() => pairs.every(({ leader }) => isThere(leader)), AT_MOST_MS);
    for (const { follower } of pairs) follower.listen();
    await pushUntil(areThere, AT_MOST_MS);
    expect(pairs.map(({ follower }) => follower.exchange.open.length)).toEqual(pairs.map(() => 0));
    for (const { begin, line } of pairs) begin(line);
    const isReplaced = ({ name, follower }: (typeof pairs)[number]) =>
      !INTERRUPTING.test(name) || (follower.exchange.current !== undefined && isThere(follower));
    await pushUntil(() => pairs.every(isReplaced), TAKEN_OVER_MS);
    for (const { line } of pairs) line.mend();
    await pushUntil(
      () => areThere() && pairs.every(({ both }) => both.filter(({ exchange }) => exchange.current !== undefined).length === 1),
      AT_MOST_MS,
    );
    for (const { name, both } of pairs)
      for (const { heard } of both) expect({ name, unreported: unreportedIn(heard.lines) }).toEqual({ name, unreported: [] });
    for (const { both, line } of pairs) {
      await Promise.all(both.map(({ relay }) => relay.close()));
      await line.close();
    }
  }, 45_000);
});
