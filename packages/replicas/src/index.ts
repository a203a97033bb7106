import type { Clock } from "@exchange-graph/contract/clock";
import type { Config } from "../../../src/config/config.js";
import type { DatabaseAddress } from "../../../src/config/databaseAddress.js";
import type { SharedPorts } from "../../../src/sharedPorts.js";
import type { OpenDriver } from "./database/driver.js";
import type { EngineParts, EngineSettings } from "./redis/engineSettings.js";

/**
 * With Redis, replicas share cache, rate limits, quotas, tokens, streams and their events; with a database the journal, halts, the
 * use of limits, and the history of accounts.
 */
interface ReplicaSettings extends Partial<Pick<Config, "redis" | "database">>, Pick<Config, "replicaName"> {
  /** Identifies the exchange, or its demo environment. */
  readonly realm: string;
}

interface ReplicaParts extends EngineParts {
  /** Connects to PostgreSQL. Default: the client library. */
  readonly driver?: OpenDriver;
}

/**
 * Opens what replicas share; a client library is loaded only if its server is set. Throws an `Error` with a message for the
 * operator if a server refuses this replica.
 */
export async function openReplicas(
  { redis, database, replicaName, realm }: ReplicaSettings,
  parts: ReplicaParts,
): Promise<SharedPorts> {
  const journal = database && (await openDatabase(database, replicaName, parts));
  const stores = redis && (await openRedis({ ...redis, replica: replicaName, realm }, parts));
  return {
    ...journal,
    ...stores,
    async close() {
      await stores?.close();
      await journal?.close();
    },
  };
}

/** The journal in a database, for the command that checks, backs up and restores it. */
export async function openJournalDatabase(address: DatabaseAddress, clock: Clock) {
  const [{ Database }, { backUpDatabase, checkDatabase, restoreDatabase }] = await Promise.all([
    import("./database/database.js"),
    import("./journal/maintenance.js"),
  ]);
  const database = await Database.open({ address, name: "journal", clock });
  return {
    check: () => checkDatabase(database),
    backUp: (file: string) => backUpDatabase(database, file, clock.now()),
    /** Resolves to the number of entries that were put back. */
    restore: (file: string) => restoreDatabase(database, file, clock.now()),
    close: () => database.close(),
  };
}

async function openDatabase(address: DatabaseAddress, name: string, parts: ReplicaParts) {
  const [{ Database }, { databaseStores }, { databaseHistory }] = await Promise.all([
    import("./database/database.js"),
    import("./journal/databaseStores.js"),
    import("./history/databaseHistory.js"),
  ]);
  const database = await Database.open({ ...parts, address, name });
  return { writeStores: databaseStores(database, name), history: databaseHistory(database), close: () => database.close() };
}

async function openRedis(settings: EngineSettings, parts: ReplicaParts) {
  const { openReplicaStores } = await import("./redis/replicaStores.js");
  return openReplicaStores(settings, parts);
}
