import { BOOK_CHANNELS } from "@exchange-graph/contract/channels/book";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OrderBook } from "../../../../src/datasources/streams/book/orderBook.js";
import { BookFeed } from "../../../../src/datasources/streams/feeds/bookFeed.js";
import type { StreamEvent } from "../../../../src/datasources/streams/listening.js";
import { TIMINGS } from "../../../../src/datasources/streams/upstream/timings.js";
import { UpstreamConnections } from "../../../../src/datasources/streams/upstream/upstreamConnections.js";
import { openWebSocket } from "../../../../src/datasources/streams/upstream/wire.js";
import { fastClock } from "../../../../test/datasources/writes/support/fastClock.js";
import { eventually } from "../../../../test/support/eventually.js";
import { describeUnless } from "../../../../test/support/missing.js";
import { noRedis, type RedisServer, redisServer } from "../../../../test/support/redisServer.js";
import { ownInstrumentation } from "../../../../test/support/searchedTelemetry.js";
import { type TcpProxy, tcpProxy } from "../../../../test/support/tcpProxy.js";
import { RedisRelay } from "../../src/redis/redisRelay.js";
import { relayOf } from "../relay/support.js";
import { engineOf } from "./support.js";

const [fullBook] = BOOK_CHANNELS;
if (fullBook === undefined) throw new Error("there is no book");
const channel = fullBook;

/** Seconds pass ten times as fast, at the exchange too; Redis keeps its own time. */
const clock = fastClock({ from: Date.UTC(2026, 0, 5, 12), since: Date.now(), factor: 10 });

interface LineFault {
  readonly begin: (line: TcpProxy) => void;
  /** Does another replica lead before it is over? */
  readonly movesTheLead: boolean;
  /** Whether only silence reveals it. Otherwise another replica may lead before any listener has missed an event. */
  readonly isSilent: boolean;
}

/** What is done to the line between the replica that leads and the exchange, each to another symbol's. */
const FAULTS: Readonly<Record<string, LineFault>> = {
  "slow by 30 ms": { begin: (line) => line.delay(30), movesTheLead: false, isSilent: false },
  "cut, and whole again at once": { begin: (line) => line.cut(), movesTheLead: false, isSilent: false },
  "cut for a while": { begin: (line) => line.breakDown(), movesTheLead: true, isSilent: false },
  frozen: { begin: (line) => line.freeze(), movesTheLead: true, isSilent: true },
  "half open: what is sent arrives, and nothing comes back": {
    begin: (line) => line.deafen(),
    movesTheLead: true,
    isSilent: true,
  },
};
/**
 * Silence that has to be reported to a listener, ms of the fast clock: a dead connection is noticed within 12.5 s, and each tenth of a second
 * that a busy machine is late counts as one second more.
 */
const UNTOLD_MS = 30_000;

describeUnless(noRedis, "three replicas, one of which has a fault in its line to the exchange", () => {
  let server: RedisServer;
  let sandbox: Sandbox;
  beforeAll(async () => {
    [server, sandbox] = await Promise.all([redisServer(), startSandbox({ clock, hasPast: false })]);
  });
  afterAll(async () => {
    await sandbox.close();
    await server.close();
  });

  const replica = async (host: string, symbol: string) => {
    const engine = await engineOf(server.url);
    const instrumentation = ownInstrumentation();
    const random = () => 0.5;
    const upstream = { clock, random, exchangeNow: () => clock.now(), instrumentation };
    const connections = new UpstreamConnections({
      ...upstream,
      openWire: openWebSocket,
      wsUrl: new URL(`ws://${host}`),
      timings: TIMINGS,
    });
    const relay = relayOf({
      connections,
      store: new RedisRelay(engine),
      clock,
      random,
    });
    const feed = new BookFeed({ ...upstream, connections: relay }, channel, { category: "USDT-FUTURES", symbol });
    const heard: { readonly at: number; readonly stale: boolean }[] = [];
    return {
      feed,
      heard,
      start: () =>
        feed.start({
          emit: ({ stale }: StreamEvent<OrderBook>) => void heard.push({ at: clock.now(), stale }),
          ready: () => undefined,
          failed: (fault) => {
            throw fault;
          },
        }),
      leads: () => relay.roles().get("LEADING") === 1,
      close: async () => {
        feed.stop();
        await relay.close();
        connections.close();
      },
    };
  };

  it("report every gap, and are live again although the fault lasts", async () => {
    const symbols = sandbox.world.state.markets.all
      .map(({ listing: { instrument } }) => instrument)
      .filter(({ category }) => category === "USDT-FUTURES");
    const trios = await Promise.all(
      Object.entries(FAULTS).map(async ([name, fault], at) => {
        const line = await tcpProxy(sandbox.url);
        const { host } = new URL(sandbox.url);
        const symbol = symbols[at]?.symbol ?? "";
        const replicas = await Promise.all([line.host, host, host].map((way) => replica(way, symbol)));
        return { name, line, replicas, ...fault };
      }),
    );
    for (const { replicas } of trios) replicas[0]?.start();
    await eventually(() => trios.every(({ replicas }) => replicas[0]?.feed.isLive && replicas[0].leads()));
    for (const { replicas } of trios) for (const follower of replicas.slice(1)) follower.start();
    await eventually(() => trios.every(({ replicas }) => replicas.every(({ feed }) => feed.isLive)));
    const from = clock.now();
    for (const { begin, line } of trios) begin(line);
    const isOver = ({ replicas, movesTheLead }: (typeof trios)[number]): boolean =>
      replicas.every(({ feed, heard }) => feed.isLive && (heard.at(-1)?.at ?? 0) > from + 2_000) &&
      replicas.findIndex(({ leads }) => leads()) > 0 === movesTheLead;
    await eventually(() => trios.every(isOver), 15_000);
    for (const { name, replicas, isSilent } of trios)
      for (const { heard } of replicas) {
        const unreported = heard.filter(({ at }, place) => {
          const before = heard[place - 1];
          return before !== undefined && !before.stale && at - before.at > UNTOLD_MS;
        });
        expect({ name, unreported }).toEqual({ name, unreported: [] });
        if (isSilent) expect([name, heard.some(({ at, stale }) => at > from && stale)]).toEqual([name, true]);
      }
    for (const { line, replicas } of trios) {
      line.mend();
      await Promise.all(replicas.map(({ close }) => close()));
      await line.close();
    }
  }, 30_000);
});
