import { type DatabaseAddress, readDatabaseAddress } from "../datasources/database/address.js";
import type { Secret } from "../datasources/secret.js";

/** The database that replicas share, by its address, which is right. */
export function addressIn(url: Secret | undefined): DatabaseAddress | undefined {
  if (url === undefined) return undefined;
  const address = readDatabaseAddress(url.reveal());
  if ("mistake" in address) throw new Error(address.mistake);
  return address;
}

/** Settings of the database that are right one by one and wrong together. */
export const databaseContradictions = (given: Readonly<Record<string, string>>): string[] =>
  Object.hasOwn(given, "JOURNAL_PATH") && (Object.hasOwn(given, "DATABASE_URL") || Object.hasOwn(given, "DATABASE_URL_FILE"))
    ? ["JOURNAL_PATH: cannot stand beside DATABASE_URL: writes are journaled in one of the two"]
    : [];
