import { tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { ManualClock } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import type { TopicHandle, TopicSink } from "../../../../src/datasources/streams/upstream/link.js";
import type { Topic } from "../../../../src/datasources/streams/upstream/upstreamConnections.js";
import { START } from "../../../../test/datasources/streams/support/followed.js";
import { HeardTopic } from "../../../../test/datasources/streams/support/handFedTopics.js";
import { quietTurn } from "../../../../test/support/eventually.js";
import { RelayEngine } from "../../../../test/support/relayStores.js";
import { seeded } from "../../../../test/support/seeded.js";
import { relayOf } from "./support.js";

/** Random orders in which replicas come, stop, are killed and lose their lines. */
const SEEDS = Number.parseInt(process.env.RELAY_SEEDS ?? "5", 10);
const STEPS = 120;
const STEP_MS = 250;
const TOPIC: Topic = {
  socket: tickerChannel,
  argument: tickerChannel.argument({ category: "USDT-FUTURES", symbol: "BTCUSDT" }),
  account: undefined,
};

/** The exchange as one replica reaches it: it counts, and pushes the next number to all subscribers. */
class Counting {
  readonly #open = new Set<{ readonly sink: TopicSink; upAt: number; isUp: boolean }>();
  isDark = false;

  constructor(
    private readonly clock: ManualClock,
    private readonly drawn: (below: number) => number,
  ) {}

  follow = (_topic: Topic, sink: TopicSink): TopicHandle => {
    const one = { sink, upAt: this.clock.now() + this.drawn(800), isUp: false };
    this.#open.add(one);
    return { renew: () => undefined, close: () => this.#open.delete(one) };
  };

  get isFollowed(): boolean {
    return this.#open.size > 0;
  }

  says(number: number): void {
    for (const one of [...this.#open]) {
      const isUp = !this.isDark && this.clock.now() >= one.upAt;
      if (isUp !== one.isUp) {
        one.isUp = isUp;
        if (isUp) one.sink.up();
        else one.sink.down();
      }
      if (isUp) one.sink.push({ action: "snapshot", argument: TOPIC.argument, data: [String(number)], time: START }, this);
    }
  }
}

/** Numbers that are missing among those that were heard without a word of an interruption. What two sources bring may overlap. */
function unreported(lines: readonly string[]): readonly number[] {
  const missing: number[] = [];
  let heard = new Set<number>();
  for (const line of [...lines, "down"]) {
    if (line !== "down") {
      if (line !== "up") heard.add(Number(line));
      continue;
    }
    for (let number = Math.min(...heard); number < Math.max(...heard); number++) if (!heard.has(number)) missing.push(number);
    heard = new Set();
  }
  return missing;
}

it.each(Array.from({ length: SEEDS }, (_, at) => at + 1))(
  "replicas that share a stream report each gap, and hold one subscription as soon as all faults are over (%i)",
  async (seed) => {
    const clock = new ManualClock(START);
    const drawn = seeded(seed);
    const engine = new RelayEngine(clock, 20);
    const all: HeardTopic[] = [];
    let number = 0;
    const start = () => {
      const exchange = new Counting(clock, drawn);
      const name = `r${all.length}`;
      const store = engine.store(name);
      const relay = relayOf({
        connections: exchange,
        store,
        clock,
        random: () => drawn(1_000) / 1_000,
      });
      const heard = new HeardTopic();
      all.push(heard);
      relay.follow(TOPIC, heard);
      return { name, exchange, store, relay, heard };
    };
    const living = new Set([start(), start(), start()]);
    const anyone = () => [...living][drawn(living.size)] ?? start();
    const stopping: Promise<unknown>[] = [];
    const happenings: readonly (() => void)[] = [
      () => {
        const one = anyone();
        living.delete(one);
        living.add(start());
        stopping.push(one.relay.handOver().then(() => one.relay.close()));
        leaving.add(one);
      },
      () => {
        const one = anyone();
        one.store.kill();
        living.delete(one);
        living.add(start());
      },
      () => {
        anyone().exchange.isDark = true;
      },
      () => {
        for (const { exchange } of living) exchange.isDark = false;
      },
      () => {
        engine.loses = () => drawn(10) === 0;
      },
      () => {
        engine.loses = () => false;
      },
      () => {
        const { name } = anyone();
        engine.losesLook = (replica) => replica === name;
      },
      () => {
        engine.losesLook = () => false;
      },
      () => engine.setUp(false),
      () => engine.setUp(true, drawn(2) === 0),
    ];
    const leaving = new Set<ReturnType<typeof start>>();
    const pass = async (steps: number) => {
      for (let step = 0; step < steps; step++) {
        clock.advance(STEP_MS);
        await quietTurn();
        number++;
        for (const { exchange } of [...living, ...leaving]) exchange.says(number);
        await quietTurn();
      }
    };
    await pass(8);
    for (let step = 0; step < STEPS; step++) {
      if (drawn(4) === 0) happenings[drawn(happenings.length)]?.();
      await pass(1 + drawn(6));
    }
    for (const { exchange } of living) exchange.isDark = false;
    engine.loses = () => false;
    engine.losesLook = () => false;
    engine.setUp(true);
    await pass(120);
    await Promise.all(stopping);
    expect(all.flatMap(({ lines }, at) => unreported(lines).map((number) => `r${at}: ${number}`))).toEqual([]);
    for (const { heard } of living) expect(Number(heard.lines.at(-1))).toBeGreaterThanOrEqual(number - 1);
    expect([...living].filter(({ exchange }) => exchange.isFollowed)).toHaveLength(1);
  },
);
