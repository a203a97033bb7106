import type { Secret } from "../datasources/errors/index.js";
import { ConfigError } from "./configError.js";
import { type DatabaseAddress, readDatabaseAddress } from "./databaseAddress.js";
import { SECRETS, secretFile } from "./secrets.js";

/** The shared database, by its validated address. */
export function addressIn(url: Secret | undefined): DatabaseAddress | undefined {
  if (url === undefined) return undefined;
  const address = readDatabaseAddress(url.reveal());
  if ("mistake" in address) throw new Error(address.mistake);
  return address;
}

/** The shared database from these variables alone, for commands that need no other setting. Throws `ConfigError`. */
export function databaseOf(variables: Readonly<Record<string, string | undefined>>): DatabaseAddress | undefined {
  const { DATABASE_URL: text = "", DATABASE_URL_FILE: path = "" } = variables;
  if (text === "" && path === "") return undefined;
  const file = text === "" ? secretFile("DATABASE_URL", { DATABASE_URL_FILE: path })?.read() : undefined;
  if (file !== undefined && "mistakes" in file) throw new ConfigError(file.mistakes.map((one) => `DATABASE_URL_FILE: ${one}`));
  const read = SECRETS.DATABASE_URL.safeParse(file?.content.reveal() ?? text);
  if (!read.success) throw new ConfigError(read.error.issues.map(({ message }) => `DATABASE_URL: ${message}`));
  return addressIn(read.data);
}

export const databaseContradictions = (values: Readonly<Record<string, string>>): string[] =>
  Object.hasOwn(values, "JOURNAL_PATH") && (Object.hasOwn(values, "DATABASE_URL") || Object.hasOwn(values, "DATABASE_URL_FILE"))
    ? ["JOURNAL_PATH: cannot be combined with DATABASE_URL: set one of the two"]
    : [];
