import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import type { Clock } from "@exchange-graph/contract/clock";
import type { KeyvStoreAdapter } from "keyv";
import type { Secret } from "../../errors/index.js";
import { type ExternalStore, STORE_NAMESPACES } from "./externalStore.js";

const require = createRequire(import.meta.url);

/** The class of a storage adapter, from a package that is loaded only if an address names its store. */
function adapterOf(name: "@keyv/redis" | "@keyv/postgres"): new (...settings: readonly unknown[]) => KeyvStoreAdapter {
  try {
    const { default: adapter } = require(name);
    return adapter;
  } catch (cause) {
    throw new Error(`CACHE_URL: this store needs the package ${name}: install it, or unset CACHE_URL`, { cause });
  }
}

const TABLE = "exchange_graph_cache";

/**
 * Opens the store at an address: `file:` for SQLite, `redis:` or `rediss:`, `postgresql:` or `postgres:`. Waits until it
 * is connected, for a second at most. Throws if the package of the store is not installed.
 */
export async function openExternalStore(address: Secret, clock: Clock): Promise<ExternalStore> {
  const text = address.reveal();
  const { KeyvStore } = await import("./keyvStore.js");
  const store = new KeyvStore(await adaptersAt(text, clock), clock, (error) => wordsOf(error, text));
  await store.connect(STORE_NAMESPACES);
  return store;
}

async function adaptersAt(text: string, clock: Clock): Promise<() => KeyvStoreAdapter> {
  const { protocol } = new URL(text);
  if (protocol === "file:") {
    const { SqliteAdapter } = await import("./sqliteAdapter.js");
    return () => new SqliteAdapter(new URL(text), () => clock.now());
  }
  if (protocol === "redis:" || protocol === "rediss:") {
    const Adapter = adapterOf("@keyv/redis");
    return () => new Adapter(text, { throwOnErrors: true, throwOnConnectError: true });
  }
  const Adapter = adapterOf("@keyv/postgres");
  return () => new Adapter({ uri: text, table: TABLE, max: 2, log: bearErrors });
}

/**
 * Listens for errors of idle connections: the adapter does not, so that a server that ends would end this process. The pool of the
 * library calls its `log` as a method of its own, first before it connects.
 */
function bearErrors(this: unknown): void {
  if (this instanceof EventEmitter && this.listenerCount("error") === 0) this.on("error", () => undefined);
}

/** An error without the address, which may contain a password. */
function wordsOf(error: unknown, address: string): string {
  const { password } = new URL(address);
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(address, "(address)");
  return [password, decodeURIComponent(password)].reduce(withoutWord, message).slice(0, 200);
}

/** Hides a password where it is a whole word: a short one is a part of many. */
const withoutWord = (text: string, password: string): string =>
  password === "" ? text : text.replaceAll(new RegExp(`(?<!\\w)${password.replaceAll(/\W/g, "\\$&")}(?!\\w)`, "g"), "(password)");
