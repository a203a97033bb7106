import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { RedisServer } from "../../../../test/simulation/redis/server.js";
import { turn } from "../../../../test/support/eventually.js";
import { seeded } from "../../../../test/support/randomOperations.js";
import { type Judged, SimulatedReplica } from "./simulatedReplica.js";

/** Histories of half a minute that are played. */
const HISTORIES = Number.parseInt(process.env.SLOT_HISTORIES ?? "2", 10);
const HISTORY_MS = 30_000;
const STEP_MS = 5;
const WINDOW_MS = 1_000;
const MOST_FROZEN_MS = 2_000;
const ONLY_AT_MS = 10_000;
/** Replicas have settled into it by then. */
const SETTLED_MS = 5_000;
/** A lease and a rest with the longest window, a loss, and the pause of the clients. */
const OCCUPIED_MS = 2_000 + 10_500 + 3_000 + 1_000;
/** Duration of each loss of an engine that is lost again and again. */
const LOST_MS = 300;

const judged = (endpoint: string, limit: number): Judged => ({ endpoint, limit, windowMs: WINDOW_MS, counted: [] });

interface History {
  readonly seed: number;
  /** What is done to the engine, after ten seconds; everything at random where it is left out. */
  /** Only one client of each replica, which pauses for so long after each call. Otherwise clients want more than there is. */
  readonly pauseMs?: number | undefined;
  readonly only?: (
    server: RedisServer,
    later: (ms: number, task: () => void) => unknown,
    replicas: readonly SimulatedReplica[],
  ) => unknown;
}

/** Three replicas that want more than there is, at one engine. Gives what the exchange has counted, and what was done to them. */
async function play({ seed, only, pauseMs }: History) {
  const hasFaults = only === undefined;
  const random = seeded(seed);
  const between = (least: number, most: number) => least + random() * (most - least);
  const time = new ManualClock(0);
  const [engineRate, engineOffset] = [between(0.97, 1.03), Math.floor(between(0, 1e12))];
  const server = new RedisServer(() => engineOffset + time.now() * engineRate);
  const latencyMs = () => between(0, 3);
  const limits = [judged("wide", 20), judged("narrow", 2), judged("(all)", hasFaults ? 15 : 60)] as const;
  const [wide, narrow, address] = limits;
  const rates = [0, 1, 2].map(() => (hasFaults ? between(0.9, 1.1) : 1));
  const shared = { time, server, latencyMs, random, address };
  const replicas = rates.map((rate, at) => new SimulatedReplica({ ...shared, name: `replica-${at}`, rate }));
  const travelMs = () => (random() < 0.02 ? between(0, 150) : between(0, 20));
  const clients = pauseMs === undefined ? [...Array.from({ length: 8 }, () => wide), narrow, narrow] : [wide];
  for (const replica of replicas) for (const one of clients) void replica.work(one, travelMs, pauseMs);

  const faults: string[] = [];
  const later = (ms: number, task: () => void) => time.after(ms, task);
  const fault = () => {
    const at = Math.floor(random() * replicas.length);
    const replica = replicas[at];
    const kind = Math.floor(random() * 8);
    const [forMs, wait] = [between(50, 6_000), between(200, 6_000)];
    faults.push(`${Math.round(time.now())}: ${kind} ${at} for ${Math.round(forMs)}`);
    if (replica === undefined) return;
    if (kind === 7) loseAgainAndAgain(server, later, () => between(300, 5_000), forMs * 2);
    else if (kind === 6) {
      // Longer than its lease it would be a replica that is cut off alone, which has its share beside the others.
      replica.freeze();
      later(Math.min(forMs, MOST_FROZEN_MS), () => replica.thaw());
    } else if (kind === 0) {
      replica.stop();
      later(forMs, () => replica.go());
    } else if (kind === 1) replica.cut();
    else if (kind === 2) replica.setClock(between(-1e7, 1e7));
    else if (kind === 3) server.empty();
    else if (kind === 4) {
      server.kill();
      later(forMs, () => server.start());
    } else {
      server.pause();
      later(forMs, () => server.resume());
    }
    later(wait, fault);
  };
  if (only === undefined) later(3_000 + between(0, 5_000), fault);
  else later(ONLY_AT_MS, () => only(server, later, replicas));
  while (time.now() < HISTORY_MS) {
    time.advance(STEP_MS);
    await turn();
  }
  return { limits, faults, fastest: Math.max(1, ...rates) };
}

/** Restarts the engine, empty, whenever it was up for `upMs`, during `forMs`. */
function loseAgainAndAgain(
  server: RedisServer,
  later: (ms: number, task: () => void) => unknown,
  upMs: () => number,
  forMs: number,
): void {
  if (forMs <= 0) return;
  server.kill();
  later(LOST_MS, () => {
    server.start();
    const up = upMs();
    later(up, () => loseAgainAndAgain(server, later, upMs, forMs - up - LOST_MS));
  });
}

/** The longest time without a call, from a moment on. */
function longestPause(counted: readonly number[], from: number): number {
  const moments = [from, ...sorted(counted).filter((at) => at > from), HISTORY_MS];
  return Math.max(...moments.map((at, index) => at - (moments[index - 1] ?? at)));
}

/** The most calls that any window has seen. */
function fullest(counted: readonly number[], windowMs: number): number {
  let [from, most] = [0, 0];
  for (const [at, moment] of counted.entries()) {
    while ((counted[from] ?? 0) <= moment - windowMs) from++;
    most = Math.max(most, at - from + 1);
  }
  return most;
}

const sorted = (counted: readonly number[]) => [...counted].sort((a, b) => a - b);

describe("three replicas whose clocks are a tenth fast or slow", () => {
  it("never exceed a limit in any window, with processes, clocks, connections and servers stopped, set, cut, paused, emptied or killed", {
    timeout: 60_000 + 10_000 * HISTORIES,
  }, async () => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const { limits, faults, fastest } = await play({ seed });
      // A slot rests a window by the replica's clock; of one that is fast a whole window is a little less.
      const over = limits.filter(({ limit, counted }) => fullest(sorted(counted), WINDOW_MS / fastest) > limit);
      expect({ seed, faults, over: over.map(({ endpoint }) => endpoint) }).toEqual({ seed, faults, over: [] });
      expect(Math.min(...limits.map(({ counted }) => counted.length))).toBeGreaterThan(0);
    }
  });

  it.each([
    ["nothing goes wrong", (): void => undefined],
    ["the engine is emptied", (engine: RedisServer) => engine.empty()],
    ["the engine has another begin", (engine: RedisServer) => [engine.kill(), engine.start()]],
    // Of 20 slots two of three replicas have 7 by themselves, and the third has 6; of 2 two have one each.
    ["the engine is gone", (engine: RedisServer) => engine.kill()],
    ["the engine is paused", (engine: RedisServer) => engine.pause()],
  ] as const)("use nine tenths of the limit while %s", { timeout: 60_000 }, async (_, only) => {
    const { limits } = await play({ seed: 1, only });
    const [wide, narrow] = limits;
    const [from, to] = [ONLY_AT_MS + SETTLED_MS, HISTORY_MS];
    for (const { counted, limit } of [wide, narrow]) {
      const used = counted.filter((at) => at > from && at <= to).length / ((limit * (to - from)) / WINDOW_MS);
      expect(used).toBeGreaterThanOrEqual(0.9);
    }
    for (const { limit, counted } of limits) expect(fullest(sorted(counted), WINDOW_MS)).toBeLessThanOrEqual(limit);
  });
});

describe("an engine that is lost again and again", () => {
  /** For each limit the longest time without a call, of clients that pause; the engine is up for `upMs` each time, during `forMs`. */
  const pauses = async (pauseMs: number, upMs: number, forMs: number, isFirstKilled = false) => {
    const only: History["only"] = (server, later, [first]) => {
      if (isFirstKilled) first?.stop();
      return loseAgainAndAgain(server, later, () => upMs, forMs);
    };
    const { limits } = await play({ seed: 1, pauseMs, only });
    for (const { limit, counted } of limits) expect(fullest(sorted(counted), WINDOW_MS)).toBeLessThanOrEqual(limit);
    return limits.map(({ counted }) => longestPause(counted, ONLY_AT_MS));
  };

  // A client that pauses for longer than a lease has no slots that it could keep.
  it.each([0, 1_000, 3_000])("stops calls for no longer than one loss does, of clients that pause for %i ms", async (pauseMs) => {
    const once = await pauses(pauseMs, HISTORY_MS, 1);
    for (const upMs of [500, 4_000])
      for (const [at, pause] of (await pauses(pauseMs, upMs, HISTORY_MS)).entries())
        expect(pause).toBeLessThanOrEqual((once[at] ?? 0) + WINDOW_MS);
  });

  it("stops calls of two replicas, after a third one was killed, until no slot of that one can be occupied", async () => {
    const losses = [[HISTORY_MS, 1], ...[2_000, 4_000].map((upMs) => [upMs, HISTORY_MS])] as const;
    for (const [upMs = 0, forMs = 0] of losses) {
      const [pause] = await pauses(3_000, upMs, forMs, true);
      expect(pause).toBeLessThanOrEqual(OCCUPIED_MS);
    }
  });
});
