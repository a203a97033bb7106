import { type Accounts, type Credentials, keyDigest } from "../../../../src/datasources/calls/index.js";
import type { ExchangeStores } from "../../../../src/datasources/dataSource.js";
import { AnswerMemory, type MemoryBounds } from "../../../../src/datasources/reads/index.js";
import { sharingOver } from "../relay/relay.js";
import { EngineRefused } from "./engineErrors.js";
import type { EngineParts, EngineSettings } from "./engineSettings.js";
import { RedisCache } from "./redisCache.js";
import { RedisEngine } from "./redisEngine.js";
import { RedisEventLog } from "./redisEventLog.js";
import { RedisOpenConnections } from "./redisOpenConnections.js";
import { RedisOrderRates } from "./redisOrderRates.js";
import { RedisQuotas } from "./redisQuotas.js";
import { RedisRateBudgets } from "./redisRateBudgets.js";
import { RedisRelay } from "./redisRelay.js";
import { RedisTokens } from "./redisTokens.js";

/**
 * Opens the stores; resolves when the first attempt to reach Redis has ended. Throws an `Error` with a message for the operator if
 * Redis refuses this replica. A unique suffix is added to the name of a replica, so that two with the same name do not use each
 * other's slots.
 */
export async function openReplicaStores(settings: EngineSettings, parts: EngineParts) {
  const { clock } = parts;
  const engine = new RedisEngine({ ...settings, replica: `${settings.replica}-${parts.newName()}` }, parts);
  const ports = {
    engine,
    quotas: new RedisQuotas(engine),
    openConnections: new RedisOpenConnections(engine),
    tokens: new RedisTokens(engine),
    share: sharingOver(new RedisRelay(engine)),
    eventLog: new RedisEventLog(engine),
    stores: (bounds: MemoryBounds, accounts: Accounts): ExchangeStores => ({
      cache: new RedisCache({
        engine,
        memory: new AnswerMemory(clock, bounds),
        userOf: fingerprints(accounts),
        now: () => clock.now(),
      }),
      rateBudgets: new RedisRateBudgets(engine),
      orderRates: new RedisOrderRates(engine),
    }),
    close: () => engine.close(),
  };
  try {
    await engine.start();
  } catch (error) {
    throw error instanceof EngineRefused
      ? new Error(`REDIS_URL: Redis cannot be used: ${error.message}`, { cause: error })
      : error;
  }
  return ports;
}

/** Accounts with the same name are the same for replicas if they have the same key. */
function fingerprints(accounts: Accounts): (owner: string) => string {
  const cached = new WeakMap<Credentials, string>();
  return (owner) => {
    const credentials = accounts.find(owner)?.credentials;
    if (credentials === undefined) return "nobody";
    const before = cached.get(credentials);
    if (before !== undefined) return before;
    const fingerprint = keyDigest(credentials);
    cached.set(credentials, fingerprint);
    return fingerprint;
  };
}
