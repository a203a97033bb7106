import type { Clock, ManualClock } from "@exchange-graph/contract/clock";
import { Scheduler } from "../../../../../src/datasources/calls/scheduler/scheduler.js";
import { Secret } from "../../../../../src/datasources/errors/secret.js";
import { createInstrumentation } from "../../../../../src/instrumentation/instrumentation.js";
import { RedisEngine } from "../../../src/redis/redisEngine.js";
import { RedisRateBudgets } from "../../../src/redis/redisRateBudgets.js";
import type { SimulatedServer } from "./server.js";

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
  readonly server: SimulatedServer;
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
  readonly #engine: RedisEngine;
  readonly #scheduler: Scheduler;
  readonly #start: number;
  #isStopped = false;
  #setBy = 0;

  constructor(private readonly parts: ReplicaParts) {
    const { name, time, server, random, address } = parts;
    this.#start = time.now();
    let names = 0;
    const steady: Clock = {
      now: () => Math.floor(1_000_000 + this.#elapsed()),
      after: (ms, task) => time.after(ms / parts.rate, () => this.deliver(task)),
    };
    this.#engine = new RedisEngine(
      { url: new Secret("redis://simulated"), replica: name, egressGroup: "default", realm: "test" },
      {
        clock: steady,
        monotonic: () => this.#elapsed(),
        random,
        newName: () => `${name}-${names++}`,
        instrumentation: createInstrumentation(`simulated-${name}-${time.now()}`),
        connect: server.connectFor(this, this.#cuts),
      },
    );
    this.#scheduler = new Scheduler(
      { now: () => steady.now() + this.#setBy, after: steady.after },
      { steady, store: new RedisRateBudgets(this.#engine), overall: address },
    );
    void this.#engine.start();
  }

  /** What comes for the process, or is due in it: waits while it is stopped. */
  deliver(task: () => void): void {
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
    for (const cut of [...this.#cuts]) cut();
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
        await new Promise<void>((resolve) => time.after(there + back, () => this.deliver(resolve)));
        permit.settle();
        if (pauseMs > 0) await new Promise<void>((resolve) => time.after(pauseMs, () => this.deliver(resolve)));
      } catch {
        // No slot in time.
        await new Promise<void>((resolve) => time.after(200, () => this.deliver(resolve)));
      }
    }
  }

  #elapsed(): number {
    return (this.parts.time.now() - this.#start) * this.parts.rate;
  }
}
