import type { ManualClock } from "@exchange-graph/contract/clock";
import { RIGHTS } from "../../../src/redis/handshake.js";
import type { Connect, Connection } from "../../../src/redis/redisConnection.js";
import { type Scripts, scriptOf } from "./scripts.js";

/** Delivery to a replica: messages wait while it is stopped. */
export interface Delivery {
  deliver(task: () => void): void;
}

/** An engine in the test's own time, which can be paused, emptied and replaced. */
export class SimulatedServer {
  #isPaused = false;
  #isDown = false;
  #run = 1;
  #busy = 0;
  #waiting: { readonly replica: Delivery; readonly task: () => void }[] = [];
  readonly #frozen = new Set<Delivery>();
  readonly #connections = new Set<(why: string) => void>();

  constructor(
    private readonly time: ManualClock,
    private readonly scripts: Scripts,
    /** Milliseconds that a message takes. */
    private readonly latency: () => number,
    /** The engine's own clock. */
    private readonly now: () => number,
  ) {}

  /** Does something run that takes none of the test's time? */
  get isBusy(): boolean {
    return this.#busy > 0;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#goOn();
  }

  /** Carries nothing to and from one replica. */
  freeze(replica: Delivery): void {
    this.#frozen.add(replica);
  }

  thaw(replica: Delivery): void {
    this.#frozen.delete(replica);
    this.#goOn();
  }

  async empty(): Promise<void> {
    await this.scripts.empty();
  }

  /** Breaks all connections, and those that come; what it knew is lost. */
  async kill(): Promise<void> {
    this.#isDown = true;
    this.#waiting = [];
    this.#isPaused = false;
    for (const end of [...this.#connections]) end("the server ended");
    await this.scripts.empty();
  }

  start(): void {
    this.#isDown = false;
    this.#run++;
  }

  /** How a replica connects. */
  connectFor(replica: Delivery, cuts: Set<() => void>): Connect {
    return ({ ended }) =>
      new Promise((resolve, reject) => {
        this.#after(() => {
          if (this.#isDown) this.#after(() => replica.deliver(() => reject(new Error("connect ECONNREFUSED"))));
          else this.#served(replica, () => this.#after(() => replica.deliver(() => resolve(this.#open(replica, cuts, ended)))));
        });
      });
  }

  #open(replica: Delivery, cuts: Set<() => void>, ended: (why: string) => void): Connection {
    let isOpen = !this.#isDown;
    const rejects = new Set<(why: Error) => void>();
    const end = (why: string) => {
      if (!isOpen) return;
      isOpen = false;
      this.#connections.delete(end);
      cuts.delete(cut);
      for (const reject of rejects) reject(new Error(why));
    };
    const lose = (why: string) => {
      if (!isOpen) return;
      replica.deliver(() => {
        end(why);
        ended(why);
      });
    };
    const cut = () => lose("the connection was reset");
    this.#connections.add(lose);
    cuts.add(cut);
    if (!isOpen) replica.deliver(() => ended("the server ended"));
    return {
      send: (command) =>
        new Promise((resolve, reject) => {
          if (!isOpen) return reject(new Error("the connection is closed"));
          rejects.add(reject);
          const answer = (task: () => void) =>
            this.#after(() =>
              replica.deliver(() => {
                rejects.delete(reject);
                if (isOpen) task();
              }),
            );
          this.#after(() =>
            this.#served(replica, () => {
              if (this.#isDown) return;
              this.#busy++;
              this.#answer(command)
                .then(
                  (reply) => answer(() => resolve(reply)),
                  (error: unknown) => answer(() => reject(error)),
                )
                .finally(() => {
                  this.#busy--;
                });
            }),
          );
        }),
      subscribe: async () => undefined,
      unsubscribe: async () => undefined,
      destroy: () => end("the connection was closed"),
    };
  }

  async #answer([name, ...words]: readonly string[]): Promise<unknown> {
    if (name === "INFO") return `redis_version:7.0.15\nrun_id:run-${this.#run}\nmaxmemory:0\n`;
    if (words[0] === RIGHTS.source) return [];
    if (name === "EVALSHA" || name === "EVAL")
      return await this.scripts.run(scriptOf(words[0] ?? ""), words.slice(1), this.now());
    return "OK";
  }

  #served(replica: Delivery, task: () => void): void {
    if (this.#isPaused || this.#frozen.has(replica)) this.#waiting.push({ replica, task });
    else task();
  }

  #goOn(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { replica, task } of waiting) this.#served(replica, task);
  }

  #after(task: () => void): void {
    this.time.after(this.latency(), task);
  }
}
