import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { Fault, StoreUnreachable } from "../../../../src/datasources/errors/index.js";
import type { Feed, FeedSink } from "../../../../src/datasources/streams/feeds/feed.js";
import type { StreamEvent } from "../../../../src/datasources/streams/listening.js";
import type { EventLog } from "../../../../src/datasources/streams/resumption/eventLog.js";
import { MemoryEventLog } from "../../../../src/datasources/streams/resumption/memoryEventLog.js";
import type { ResumableTopic } from "../../../../src/datasources/streams/resumption/resumableTopics.js";
import { TopicHistory } from "../../../../src/datasources/streams/resumption/topicHistory.js";
import { TopicHub } from "../../../../src/datasources/streams/topicHub.js";
import { quietTurn } from "../../../support/eventually.js";
import { seeded } from "../../../support/seeded.js";

type Items = readonly number[];

/** `HISTORY_SEEDS=3000` takes half a minute. */
const SEEDS = Number.parseInt(process.env.HISTORY_SEEDS ?? "700", 10);

/** How many of the latest things a stream begins with. */
const SHOWN = 5;

/** What happens at the exchange: the numbers 1, 2, 3 and so on. */
class World {
  readonly clock = new ManualClock(1_000_000);
  readonly #shared = new MemoryEventLog(this.clock);
  readonly replicas: Replica[] = [];
  readonly failures: unknown[] = [];
  happened: number[] = [];
  readonly times: number[] = [];
  isLogUp = true;
  /** Entries that were sent to the log, those that were there already included. */
  appended = 0;
  #names = 0;
  #lease: { readonly owner: object; readonly until: number } | undefined;

  /** The log as a replica sees it: it answers later, or not at all. */
  log(owner: object, isAlive: () => boolean): EventLog {
    const asked = <R>(task: () => R): R => {
      if (!this.isLogUp || !isAlive()) throw new StoreUnreachable("gone");
      return task();
    };
    return {
      isShared: true,
      lookEveryMs: 2_000,
      read: async (topic) => asked(() => this.#shared.read(topic)),
      append: async (topic, after, entries, as) =>
        asked(async () => {
          const now = this.clock.now();
          this.appended += entries.length;
          const isWriter = this.#lease === undefined || this.#lease.owner === owner || this.#lease.until <= now;
          if (isWriter) this.#lease = { owner, until: now + 5_000 };
          else if (as === "writer") return { isAdded: false, isWriter };
          return { ...(await this.#shared.append(topic, after, entries)), isWriter };
        }),
      release: async () =>
        asked(() => {
          if (this.#lease?.owner === owner) this.#lease = undefined;
        }),
    };
  }

  constructor(readonly continues: ResumableTopic<number>["continues"]) {
    for (let count = 0; count < 3; count++) this.replicas.push(new Replica(this));
  }

  happen(): void {
    this.clock.advance(1_000);
    this.happened = [...this.happened, this.happened.length + 1];
    this.times.push(this.clock.now());
    for (const { feed } of this.replicas) feed?.pushed();
  }

  newName(): string {
    this.#names++;
    return `name-${this.#names}`;
  }
}

/** A stream that begins with the latest things, or with nothing, and that can be interrupted. */
class ScriptedFeed implements Feed<Items> {
  #sink: FeedSink<Items> | undefined;
  #emitted = 0;
  /** What was pushed before the reading that closes a gap. */
  readonly #early = new Set<number>();
  isLive = false;
  #hasBegun = false;

  constructor(private readonly world: World) {}

  start(sink: FeedSink<Items>): void {
    this.#sink = sink;
    this.#emitted = this.world.happened.length;
  }

  stop(): void {
    this.#sink = undefined;
    this.isLive = false;
  }

  current(): StreamEvent<Items> | undefined {
    return undefined;
  }

  pushed(): void {
    if (!this.isLive) return;
    const news = this.world.happened.slice(this.#emitted);
    this.#emitted = this.world.happened.length;
    this.#emit("update", news);
  }

  /** The latest thing is pushed while those before it are still being read. */
  overtaken(): void {
    const latest = this.world.happened.at(-1);
    const isRead = this.world.continues === "reading" && !this.isLive && this.#hasBegun;
    if (!isRead || latest === undefined || latest <= this.#emitted || this.#early.has(latest)) return;
    this.#early.add(latest);
    this.#emit("update", [latest]);
  }

  down(): void {
    if (!this.isLive) return;
    this.isLive = false;
    this.#emit("update", []);
  }

  up(): void {
    if (this.isLive || this.#sink === undefined) return;
    const { happened, continues } = this.world;
    const missed = happened.slice(this.#emitted).filter((item) => !this.#early.has(item));
    const isFirst = !this.#hasBegun;
    this.isLive = true;
    this.#hasBegun = true;
    this.#emitted = happened.length;
    if (continues === "overlap") {
      const isClosed = !isFirst && missed.length < SHOWN;
      this.#emit(isClosed ? "update" : "snapshot", isClosed ? missed : happened.slice(-SHOWN));
    } else if (!isFirst) this.#emit("update", continues === "reading" ? missed : []);
    this.#sink?.ready();
  }

  #emit(kind: "snapshot" | "update", items: Items): void {
    this.#sink?.emit({ kind, time: this.world.clock.now(), stale: !this.isLive, value: [...items].reverse() });
  }
}

class Replica {
  #hub: TopicHub<Items, ScriptedFeed> | undefined;

  #log: EventLog;
  #life = {};

  constructor(private readonly world: World) {
    this.#log = this.#newLog();
  }

  #newLog(): EventLog {
    const life = {};
    this.#life = life;
    return this.world.log(life, () => this.#life === life);
  }

  get feed(): ScriptedFeed | undefined {
    return this.#hub?.feed("t");
  }

  get hub(): TopicHub<Items, ScriptedFeed> {
    const { clock, failures } = this.world;
    const onListenerError = (error: unknown) => failures.push(error);
    this.#hub ??= new TopicHub({ clock, lingerMs: 5_000, readyMs: 1e9, onListenerError });
    return this.#hub;
  }

  /** It says nothing any more, and another process takes its place. */
  kill(): void {
    this.#log = this.#newLog();
    this.#hub?.close();
    this.#hub = undefined;
  }

  history(): TopicHistory<number> {
    const { world } = this;
    const timeOf = (item: number) => world.times[item - 1] ?? 0;
    const recording: ResumableTopic<number> = {
      identify: String,
      timeOf,
      isItem: (value) => typeof value === "number",
      continues: world.continues,
      past: async (since) => world.happened.filter((item) => timeOf(item) >= since),
    };
    return new TopicHistory(
      {
        log: this.#log,
        clock: world.clock,
        exchangeNow: () => world.clock.now(),
        setBackFrom: () => 0,
        newName: () => world.newName(),
        report: (error) => world.failures.push(error),
      },
      "t",
      recording,
    );
  }
}

/** A client: it goes on where it was, at whatever replica. */
class Client {
  readonly heard: number[] = [];
  /** Everything up to here may be missing, and that was reported. */
  excused = 0;
  position: string | null = null;
  #leave: (() => void) | undefined;
  #wasStale = false;

  constructor(private readonly world: World) {}

  get isThere(): boolean {
    return this.#leave !== undefined;
  }

  come(replica: Replica): void {
    const open = () => new ScriptedFeed(this.world);
    this.#leave = replica.hub.listen(
      "t",
      open,
      {
        next: ({ kind, value, stale, position, resumed }) => {
          const isToldOfGap =
            resumed?.isWhole === false ||
            (this.position === null && this.heard.length === 0) ||
            (kind === "snapshot" && resumed === undefined) ||
            (this.#wasStale && this.world.continues === "nothing");
          if (isToldOfGap) this.excused = this.world.happened.length;
          this.#wasStale = stale;
          for (const item of [...value].reverse()) this.heard.push(item);
          this.position = position ?? this.position;
        },
        failed: () => this.go(),
        after: this.position,
      },
      { history: () => replica.history() },
    );
  }

  go(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  /** What it has not got, without a report that it has not. */
  get lost(): Items {
    return this.world.happened.filter((item) => item > this.excused && !this.heard.includes(item));
  }
}

/** Things happen in any order: at the exchange, to lines, replicas, clients and the log. */
async function play(world: World, seed: number): Promise<readonly Client[]> {
  const roll = seeded(seed);
  const clients = [new Client(world), new Client(world), new Client(world)];
  const at = <T>(list: readonly T[]): T => list[roll(list.length)] as T;
  for (let step = 0; step < 120; step++) {
    const act = roll(24);
    const client = at(clients);
    if (act < 9) world.happen();
    else if (act < 13) client.isThere ? client.go() : client.come(at(world.replicas));
    else if (act < 16) at(world.replicas).feed?.down();
    else if (act < 21) at(world.replicas).feed?.up();
    else if (act === 21 && roll(3) === 0) at(world.replicas).kill();
    else if (act === 22 && roll(3) === 0) world.isLogUp = !world.isLogUp;
    else if (act === 23 && world.continues === "reading") at(world.replicas).feed?.overtaken();
    else world.clock.advance(roll(4_000));
    for (let turns = roll(3); turns > 0; turns--) await quietTurn();
  }
  world.isLogUp = true;
  for (const client of clients) if (!client.isThere) client.come(at(world.replicas));
  for (let round = 0; round < 3; round++) {
    await quietTurn();
    for (const { feed } of world.replicas) feed?.up();
    await quietTurn();
    world.clock.advance(3_000);
  }
  world.happen();
  await quietTurn();
  return clients;
}

describe.each(["overlap", "reading", "nothing"] as const)("events of a topic that is made whole by %s", (continues) => {
  it("reach every client that moves among replicas, or the gap is reported", async () => {
    let recovered = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const world = new World(continues);
      const clients = await play(world, seed);
      expect({ seed, lost: clients.map(({ lost }) => lost), failures: world.failures }).toEqual({
        seed,
        lost: [[], [], []],
        failures: [],
      });
      recovered += clients.reduce((sum, { excused }) => sum + (world.happened.length - excused), 0);
      for (const client of clients) client.go();
    }
    expect(recovered).toBeGreaterThan(3 * SEEDS);
  }, 120_000);
});

describe("a log that three replicas share", () => {
  const listening = async () => {
    const world = new World("nothing");
    const clients = world.replicas.map(() => new Client(world));
    for (const [at, client] of clients.entries()) {
      const replica = world.replicas[at];
      if (replica === undefined) throw new Error("there are three");
      client.come(replica);
      await quietTurn();
      replica.feed?.up();
      await quietTurn();
    }
    return { world, clients };
  };
  const pass = async (world: World, ms: number) => {
    for (let left = ms; left > 0; left -= 500) {
      world.clock.advance(500);
      await quietTurn();
    }
  };

  it("has each event from one of them", async () => {
    const { world } = await listening();
    const before = world.appended;
    for (let count = 0; count < 20; count++) {
      world.happen();
      await quietTurn();
    }
    expect(world.appended - before).toBe(20);
  });

  it("is gone on with by another one when that is killed, so that nothing is lost at a fourth", async () => {
    const { world, clients } = await listening();
    const [writer, other, last] = world.replicas;
    const [, client, another] = clients;
    world.happen();
    await quietTurn();
    writer?.kill();
    world.happen();
    await quietTurn();
    client?.go();
    world.happen();
    await quietTurn();
    // It knows nothing but what is in the log.
    if (writer === undefined) throw new Error("there are three");
    client?.come(writer);
    await quietTurn();
    writer.feed?.up();
    await pass(world, 7_000);
    expect(client?.heard).toEqual([1, 2, 3]);
    expect(client?.lost).toEqual([]);
    for (const replica of [other, last]) replica?.kill();
    another?.come(writer);
    await quietTurn();
    expect(another?.heard).toEqual([1, 2, 3]);
    expect(world.failures).toEqual([]);
  });
});

/** The history of a topic of numbers, over a log of its own process. */
function historyOver(
  log: EventLog,
  clock: ManualClock,
  { name = "break", past = async () => [], timeOf = (item) => item, report = () => undefined }: Partial<Recorded> = {},
): TopicHistory<number> {
  return new TopicHistory<number>(
    { log, clock, exchangeNow: () => clock.now(), setBackFrom: () => 0, newName: () => name, report },
    "t",
    {
      identify: String,
      timeOf,
      isItem: (value) => typeof value === "number",
      continues: "reading",
      past,
    },
  );
}
interface Recorded extends Pick<ResumableTopic<number>, "past" | "timeOf"> {
  readonly name: string;
  readonly report: (error: unknown) => void;
}

describe("executions that a replica before has recorded", () => {
  const opened = async () => {
    const clock = new ManualClock(1_000_000);
    const log = new MemoryEventLog(clock);
    await log.append("t", undefined, [{ id: "start", kind: "start", time: 0 }]);
    const begun = async (name: string) => {
      const history = historyOver(log, clock, { name });
      await history.begin();
      history.take({ kind: "update", value: [], stale: false, time: clock.now() });
      await quietTurn();
      return history;
    };
    return { begun, update: (...value: number[]) => ({ kind: "update", value, stale: false, time: clock.now() }) as const };
  };

  it("are not emitted again, though a reading shows them", async () => {
    const { begun, update } = await opened();
    (await begun("one")).take(update(800_000));
    await quietTurn();
    const other = await begun("other");
    expect(other.take(update(900_000, 800_000)).value).toEqual([900_000]);
  });

  it("are not emitted again after a position that came later than they did, though its execution is earlier", async () => {
    const { begun, update } = await opened();
    const history = await begun("one");
    history.take(update(900_000));
    history.take(update(850_000));
    const { position = null } = history;
    history.take(update(950_000));
    const answers: StreamEvent<readonly number[]>[] = [];
    history.resume(position, (missed) => answers.push(missed));
    expect(answers).toMatchObject([{ value: [950_000], resumed: { isWhole: true } }]);
  });

  it("may be missing from before a position, since one may come after later ones", async () => {
    const { begun } = await opened();
    const history = await begun("one");
    const answers: StreamEvent<readonly number[]>[] = [];
    history.resume(`${(900_000).toString(36)}.unknown`, (missed) => answers.push(missed));
    await quietTurn();
    expect(answers.map(({ resumed }) => resumed)).toEqual([{ isWhole: false, from: 890_000, to: 1_001_000 }]);
  });
});

it("items that are read between those after a break are new, though they are older than the break", async () => {
  const clock = new ManualClock(1_000_000);
  const log = new MemoryEventLog(clock);
  await log.append("t", undefined, [
    { id: "break", kind: "break", time: 990_000 },
    { id: "first", kind: "event", time: 960_000, event: 960_000 },
  ]);
  const history = historyOver(log, clock, { past: async () => [950_000, 970_000] });
  await history.begin();
  history.live();
  await quietTurn();
  const answers: StreamEvent<readonly number[]>[] = [];
  history.resume(`${(960_000).toString(36)}.first`, (missed) => answers.push(missed));
  expect(answers).toMatchObject([{ value: [970_000], resumed: { isWhole: true } }]);
});

describe("items that cannot be read after an interruption", () => {
  it("may be missing up to a second after the time from which items are pushed, as that is known to a second", async () => {
    const clock = new ManualClock(1_000_000);
    const log = new MemoryEventLog(clock);
    await log.append("t", undefined, [{ id: "earlier", kind: "event", time: 990_000, event: 990_000 }]);
    const history = historyOver(log, clock, { past: async () => undefined });
    await history.begin();
    const answers: StreamEvent<readonly number[]>[] = [];
    history.resume(`${(990_000).toString(36)}.earlier`, (missed) => answers.push(missed));
    history.take({ kind: "update", value: [], stale: false, time: clock.now() });
    clock.advance(2_000);
    await quietTurn();
    expect(answers.map(({ resumed }) => resumed)).toEqual([{ isWhole: false, from: 980_000, to: 1_001_000 }]);
    history.close();
  });

  const afterA = async (error: unknown) => {
    const clock = new ManualClock(1_000_000);
    const failures: unknown[] = [];
    const log = new MemoryEventLog(clock);
    await log.append("t", undefined, [{ id: "earlier", kind: "event", time: clock.now(), event: 1 }]);
    const report = (reported: unknown) => failures.push(reported);
    const history = historyOver(log, clock, { past: () => Promise.reject(error), timeOf: () => clock.now(), report });
    await history.begin();
    history.take({ kind: "snapshot", value: [], stale: false, time: clock.now() });
    await quietTurn();
    const kinds = history.entries.map(({ kind }) => kind);
    history.close();
    return { kinds, failures };
  };

  it("are a gap, and no failure of the gateway if the exchange cannot be asked", async () => {
    const fault = new Fault("EXCHANGE_UNAVAILABLE", "the last listener has left");
    expect(await afterA(fault)).toEqual({ kinds: ["event", "break"], failures: [] });
  });

  it("are a gap, and any other error is reported", async () => {
    const error = new TypeError("unexpected");
    expect(await afterA(error)).toEqual({ kinds: ["event", "break"], failures: [error] });
  });
});
