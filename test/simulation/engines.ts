import { type Clock, DAY_MS } from "@exchange-graph/contract/clock";
import { openReplicas } from "../../packages/replicas/src/index.js";
import type { DatabaseAddress } from "../../src/config/databaseAddress.js";
import { Fault, Secret } from "../../src/datasources/index.js";
import type { Instrumentation } from "../../src/instrumentation/instrumentation.js";
import type { SharedPorts } from "../../src/sharedPorts.js";
import type { EngineFault } from "./actions.js";
import { pipe } from "./pipe.js";
import { simulatedDriver } from "./postgres/driver.js";
import { PostgresServer } from "./postgres/server.js";
import type { History } from "./profile.js";
import { streamOf } from "./random.js";
import { simulatedConnect } from "./redis/connect.js";
import { RedisServer } from "./redis/server.js";
import { openStorage, Storage } from "./storage.js";
import type { VirtualTime } from "./time.js";

// Modules that a process loads when it needs them: loading them would take real time.
import "../../packages/replicas/src/database/database.js";
import "../../packages/replicas/src/history/databaseHistory.js";
import "../../packages/replicas/src/journal/databaseStores.js";
import "../../packages/replicas/src/redis/replicaStores.js";
import "../../packages/replicas/src/relay/relay.js";

/** A process that opens what it stores and shares. */
interface Process {
  /** Its name among the replicas. */
  readonly name: string;
  /** Unique, also among processes of the same name. */
  readonly owner: string;
  readonly clock: Clock;
  readonly steady: Clock;
  readonly random: () => number;
  readonly newName: () => string;
  readonly instrumentation: Instrumentation;
}

/** Time until a server knows that a process was killed, and that of one message, ms. */
const NOTICED_MS = 5;
/** Keys that stay: the one by which replicas notice that Redis has lost its data, and which tokens are revoked, at most 10,000. */
const LASTING = /:epoch$|:tokens:(version|added|revoked)$/;
/** Keys of Redis that are kept longer are kept for good. */
const LASTING_MS = 2 * DAY_MS;
const LATENCY_MS = { least: 1, most: 3 };

/** What outlives the processes: a journal's file, or the servers that replicas share. */
export class Engines {
  /** Undefined for a single process with a file. */
  readonly database: PostgresServer | undefined;
  readonly redis: RedisServer | undefined;
  readonly #clock: Clock;
  readonly storage: Storage;
  readonly #whenKilled = new Map<string, (() => void)[]>();
  /** Processes that have ended: what they begin in the turn of their end is ended, too. */
  readonly #ended = new Set<string>();

  constructor(
    time: VirtualTime,
    private readonly seed: number,
    { profile: { replicas }, hasRedis }: Pick<History, "profile" | "hasRedis">,
  ) {
    this.storage = new Storage(() => time.now, streamOf(seed, "file"));
    this.#clock = { now: () => time.now, after: (ms, task) => time.at("engines", time.now + ms, task) };
    this.database = replicas === 1 ? undefined : new PostgresServer(this.#clock);
    this.redis = hasRedis ? new RedisServer(() => time.now) : undefined;
  }

  /** Opens what a process shares, as the product does. */
  async open(process: Process): Promise<SharedPorts> {
    const { name, owner, clock, steady, random, newName, instrumentation } = process;
    const { database } = this;
    if (database === undefined) {
      const latency = streamOf(this.seed, `file ${owner}`);
      return { writeStores: () => openStorage(this.storage, clock, () => latency.between(1, 5)), close: async () => undefined };
    }
    const { redis } = this;
    const line = { pipe: this.#lines(owner, clock), whenKilled: this.#killing(owner) };
    return openReplicas(
      {
        ...{ database: DATABASE, replicaName: name, realm: "simulation" },
        redis: redis && { url: new Secret("redis://redis.invalid"), egressGroup: "default" },
      },
      {
        ...{ clock, random, newName, instrumentation, monotonic: () => steady.now() },
        driver: simulatedDriver({ ...line, server: database, clock }),
        ...(redis && { connect: simulatedConnect({ ...line, server: redis }) }),
      },
    );
  }

  /** The address from which a process reaches the exchange: one for all that share its limits. */
  addressOf(name: string): string {
    return this.redis === undefined ? `10.0.0.${1 + name.charCodeAt(0)}` : "10.0.0.1";
  }

  /** Nothing happens to a server that is suffering already. */
  suffer(fault: EngineFault, forMs: number): void {
    const { redis, database } = this;
    const later = (task: () => void) => this.#clock.after(forMs, task);
    switch (fault) {
      case "redis empties":
        redis?.empty();
        return;
      case "redis cuts its connections":
        redis?.cut();
        return;
      case "redis pauses":
        redis?.pause();
        later(() => redis?.resume());
        return;
      case "redis is killed":
      case "redis is replaced":
        if (redis === undefined || redis.isDown) return;
        redis.kill();
        later(() => redis.start());
        return;
      case "database is killed":
      case "database fails over":
        if (database === undefined || database.isDown) return;
        database.kill();
        later(() => {
          database.start(fault === "database fails over");
          later(() => database.promote());
        });
        return;
      case "database pauses":
        database?.pause();
        later(() => database?.resume());
        return;
      case "database cuts its connections":
        for (const session of [...(database?.sessions ?? [])]) session.cut();
        return;
      case "database has no free connection":
        if (database === undefined) return;
        database.connections = 0;
        for (const session of [...database.sessions].slice(2)) session.cut();
        later(() => {
          database.connections = Number.POSITIVE_INFINITY;
        });
        return;
      case "database's disk is full":
        if (database === undefined) return;
        database.isDiskFull = true;
        later(() => {
          database.isDiskFull = false;
        });
    }
  }

  /** A process has ended: the servers notice it soon. */
  killed(owner: string): void {
    for (const ended of this.#whenKilled.get(owner) ?? []) this.#clock.after(NOTICED_MS, ended);
    this.#whenKilled.delete(owner);
    this.#ended.add(owner);
  }

  /** Connections that are open. */
  get connections(): readonly string[] {
    const { database, redis } = this;
    return [
      ...(database?.sessions.size ? [`${database.sessions.size} sessions of the database`] : []),
      ...(redis?.clients.size ? [`${redis.clients.size} connections to Redis`] : []),
    ];
  }

  /** What processes have left there after they have stopped. */
  left(mayBeExecuted: (clientOid: string) => boolean): readonly string[] {
    const lasting = (this.redis?.lasting(LASTING_MS) ?? []).filter((key) => !LASTING.test(key));
    return [
      ...this.connections,
      ...(this.database?.held(mayBeExecuted) ?? []),
      ...lasting.map((key) => `the key ${key} of Redis, which does not expire`),
    ];
  }

  #lines(owner: string, clock: Clock) {
    const latency = streamOf(this.seed, `engines ${owner}`);
    return () => pipe(this.#clock, clock, () => latency.between(LATENCY_MS.least, LATENCY_MS.most));
  }

  readonly #killing = (owner: string) => (ended: () => void) => {
    if (this.#ended.has(owner)) this.#clock.after(NOTICED_MS, ended);
    this.#whenKilled.set(owner, [...(this.#whenKilled.get(owner) ?? []), ended]);
  };
}

const DATABASE: DatabaseAddress = {
  ...{ host: "database.invalid", port: 5432, user: "gateway", database: "journal", password: new Secret("simulated") },
  tls: "off",
  rootCertificates: undefined,
};

/** Whether a server that is shared, or the journal's file, cannot be used: a process reports it, or does not start. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "DatabaseUnavailable" ||
    (error instanceof Fault && error.code === "JOURNAL_UNAVAILABLE") ||
    isUnavailable(error.cause));
