import type { Clock, ManualClock } from "@exchange-graph/contract/clock";
import { Scheduler } from "../../../../src/datasources/calls/scheduler/scheduler.js";
import { Secret } from "../../../../src/datasources/errors/secret.js";
import { createInstrumentation } from "../../../../src/instrumentation/instrumentation.js";
import { type Pipe, pipe } from "../../../../test/simulation/pipe.js";
import { simulatedConnect } from "../../../../test/simulation/redis/connect.js";
import type { RedisServer } from "../../../../test/simulation/redis/server.js";
import type { Connect, Connection } from "../../src/redis/redisConnection.js";
import { RedisEngine } from "../../src/redis/redisEngine.js";
import { RedisRateBudgets } from "../../src/redis/redisRateBudgets.js";

/** A limit, and when the exchange has counted calls of it, in true time. */
export interface Judged {
  readonly endpoint: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly counted: number[];
}

interface ReplicaParts {
  readonly name: string;
  readonly time: ManualClock;
  readonly server: RedisServer;
  /** Milliseconds that a message to the server, or back, takes. */
  readonly latencyMs: () => number;
  /** How fast its clock goes. */
  readonly rate: number;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly address: Judged;
}

/** A process that asks all the time. Its own clock is too fast or too slow, and is set from time to time. */
export class SimulatedReplica {
  readonly #queue: (() => void)[] = [];
  readonly #cuts = new Set<() => void>();
  /** What waits for the server while nothing is carried there. */
  #frozen: (() => void)[] | undefined;
  readonly #engine: RedisEngine;
  readonly #scheduler: Scheduler;
  readonly #start: number;
  #isStopped = false;
  #setBy = 0;

  constructor(private readonly parts: ReplicaParts) {
    const { name, time, random, address } = parts;
    this.#start = time.now();
    let names = 0;
    const steady: Clock = {
      now: () => Math.floor(1_000_000 + this.#elapsed()),
      after: (ms, task) => time.after(ms / parts.rate, () => this.#deliver(task)),
    };
    this.#engine = new RedisEngine(
      { url: new Secret("redis://simulated"), replica: name, egressGroup: "default", realm: "test" },
      {
        clock: steady,
        monotonic: () => this.#elapsed(),
        random,
        newName: () => `${name}-${names++}`,
        instrumentation: createInstrumentation(`simulated-${name}-${time.now()}`),
        connect: this.#connect,
      },
    );
    this.#scheduler = new Scheduler(
      { now: () => steady.now() + this.#setBy, after: steady.after },
      { steady, store: new RedisRateBudgets(this.#engine), overall: address },
    );
    void this.#engine.start();
  }

  /** What comes for the process, or is due in it: waits while it is stopped. */
  #deliver(task: () => void): void {
    if (this.#isStopped) this.#queue.push(task);
    else task();
  }

  stop(): void {
    this.#isStopped = true;
  }

  go(): void {
    this.#isStopped = false;
    for (const task of this.#queue.splice(0)) task();
  }

  cut(): void {
    for (const cut of this.#cuts) this.#deliver(cut);
  }

  /** Carries nothing to the server. */
  freeze(): void {
    this.#frozen ??= [];
  }

  thaw(): void {
    const tasks = this.#frozen ?? [];
    this.#frozen = undefined;
    for (const task of tasks) task();
  }

  /** Its machine's clock is set. */
  setClock(byMs: number): void {
    this.#setBy += byMs;
  }

  /** Keeps one call under way, or waiting, all the time, but for `pauseMs` after each. */
  async work({ endpoint, limit, windowMs, counted }: Judged, travelMs: () => number, pauseMs = 0): Promise<never> {
    const { time, address } = this.parts;
    const rate = { limit, windowMs, per: "UID" } as const;
    for (;;) {
      try {
        const deadline = 1_000_000 + this.#elapsed() + this.#setBy + 5_000;
        const permit = await this.#scheduler.acquire(endpoint, "main", rate, "read", deadline);
        const [there, back] = [travelMs(), travelMs()];
        time.after(there, () => {
          for (const one of [counted, address.counted]) one.push(time.now());
        });
        await new Promise<void>((resolve) => time.after(there + back, () => this.#deliver(resolve)));
        permit.settle();
        if (pauseMs > 0) await new Promise<void>((resolve) => time.after(pauseMs, () => this.#deliver(resolve)));
      } catch {
        // No slot in time.
        await new Promise<void>((resolve) => time.after(200, () => this.#deliver(resolve)));
      }
    }
  }

  readonly #connect: Connect = async (options) => {
    const { server } = this.parts;
    let isOpen = true;
    const ended = (why: string): void => {
      isOpen = false;
      this.#cuts.delete(cut);
      options.ended(why);
    };
    const cut = (): void => {
      connection?.destroy();
      ended("the connection was reset");
    };
    let connection: Connection | undefined;
    const connected = simulatedConnect({ server, pipe: () => this.#line(), whenKilled: () => undefined });
    connection = await connected({ ...options, ended });
    // It may have ended before it was used.
    if (isOpen) this.#cuts.add(cut);
    return connection;
  };

  #line(): Pipe {
    const { time, latencyMs } = this.parts;
    const process: Clock = { now: () => time.now(), after: (ms, task) => time.after(ms, () => this.#deliver(task)) };
    const line = pipe(time, process, latencyMs);
    return {
      out: (task) =>
        line.out(() => {
          if (this.#frozen === undefined) task();
          else this.#frozen.push(task);
        }),
      back: line.back,
    };
  }

  #elapsed(): number {
    return (this.parts.time.now() - this.#start) * this.parts.rate;
  }
}
