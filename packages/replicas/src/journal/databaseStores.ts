import { type OpenWriteStores, policyOf } from "../../../../src/datasources/writes/index.js";
import type { Database } from "../database/database.js";
import { SharedHalts } from "../halts/sharedHalts.js";
import { PostgresJournal } from "./postgresJournal.js";

/** Stores of writes and halts in a database that replicas share. `replicaName`: this process's name in it. */
export const databaseStores =
  (database: Database, replicaName: string): OpenWriteStores =>
  ({ realm, clock, instrumentation, newId }) => {
    const halts = new SharedHalts(database);
    const journal = new PostgresJournal({
      ...{ database, realm, clock, instrumentation },
      // Unique, even for processes with the same name.
      owner: `${replicaName} ${newId()}`,
      writesTo: (endpoint) => policyOf(endpoint) !== undefined,
      onHalts: (version) => halts.catchUp(version),
    });
    return { journal, halts, figures: journal };
  };
