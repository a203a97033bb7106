import type { Clock } from "@exchange-graph/contract/clock";
import { openReplicas } from "../../packages/replicas/src/index.js";
import type { DatabaseAddress } from "../../src/config/databaseAddress.js";
import { Secret } from "../../src/datasources/index.js";
import type { Instrumentation } from "../../src/instrumentation/instrumentation.js";
import type { SharedPorts } from "../../src/sharedPorts.js";
import { pipe } from "./pipe.js";
import { simulatedDriver } from "./postgres/driver.js";
import { PostgresServer } from "./postgres/server.js";
import type { Profile } from "./profile.js";
import { streamOf } from "./random.js";
import { openStorage, Storage } from "./storage.js";
import type { VirtualTime } from "./time.js";

// Modules that a process loads when it needs them: loading them would take real time.
import "../../packages/replicas/src/database/database.js";
import "../../packages/replicas/src/history/databaseHistory.js";
import "../../packages/replicas/src/journal/databaseStores.js";

/** A process that opens what it stores and shares. */
interface Process {
  /** Its name among the replicas. */
  readonly name: string;
  /** Unique, also among processes of the same name. */
  readonly owner: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newName: () => string;
  readonly instrumentation: Instrumentation;
}

/** Time until a server knows that a process was killed, and that of one message, ms. */
const NOTICED_MS = 5;
const LATENCY_MS = { least: 1, most: 3 };

/** What outlives the processes: a journal's file, or the servers that replicas share. */
export class Engines {
  /** Undefined for a single process with a file. */
  readonly database: PostgresServer | undefined;
  readonly #clock: Clock;
  readonly #storage = new Storage();
  readonly #whenKilled = new Map<string, (() => void)[]>();

  constructor(
    time: VirtualTime,
    private readonly seed: number,
    { replicas }: Profile,
  ) {
    this.#clock = { now: () => time.now, after: (ms, task) => time.at("engines", time.now + ms, task) };
    this.database = replicas === 1 ? undefined : new PostgresServer(this.#clock);
  }

  /** Opens what a process shares, as the product does. */
  async open(process: Process): Promise<SharedPorts> {
    const { name, owner, clock, random, newName, instrumentation } = process;
    const { database } = this;
    if (database === undefined) {
      const latency = streamOf(this.seed, `file ${owner}`);
      return { writeStores: () => openStorage(this.#storage, clock, () => latency.between(1, 5)), close: async () => undefined };
    }
    return openReplicas(
      { database: ADDRESS, replicaName: name, realm: "simulation" },
      {
        ...{ clock, random, newName, instrumentation, monotonic: () => clock.now() },
        driver: simulatedDriver({ server: database, clock, pipe: this.#lines(owner, clock), whenKilled: this.#killing(owner) }),
      },
    );
  }

  /** A process has ended: the servers notice it soon. */
  killed(owner: string): void {
    for (const ended of this.#whenKilled.get(owner) ?? []) this.#clock.after(NOTICED_MS, ended);
    this.#whenKilled.delete(owner);
  }

  #lines(owner: string, clock: Clock) {
    const latency = streamOf(this.seed, `engines ${owner}`);
    return () => pipe(this.#clock, clock, () => latency.between(LATENCY_MS.least, LATENCY_MS.most));
  }

  readonly #killing = (owner: string) => (ended: () => void) => {
    this.#whenKilled.set(owner, [...(this.#whenKilled.get(owner) ?? []), ended]);
  };
}

const ADDRESS: DatabaseAddress = {
  ...{ host: "database.invalid", port: 5432, user: "gateway", database: "journal", password: new Secret("simulated") },
  tls: "off",
  rootCertificates: undefined,
};
