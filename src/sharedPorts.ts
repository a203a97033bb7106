import type { OpenConnectionStore } from "./access/quotas/connectionQuota.js";
import type { QuotaStore } from "./access/quotas/quotaStore.js";
import type { TokenStore } from "./access/tokens/tokenStore.js";
import type { OpenExchangeStores } from "./datasources/dataSource.js";
import type { OpenHistoryStore } from "./datasources/history/index.js";
import type { EventLog, ShareTopics } from "./datasources/streams/index.js";
import type { OpenWriteStores } from "./datasources/writes/index.js";
import type { RedisState } from "./telemetry/metrics/gatewayState.js";
import type { StoreStatus } from "./transports/http/dependencies.js";

/** What replicas share. Each process has its own of what is absent. */
export interface SharedPorts {
  /** Cached answers and rate limits. */
  readonly stores?: OpenExchangeStores;
  /** Journal, halts, and the use of limits. */
  readonly writeStores?: OpenWriteStores;
  /** What accounts were worth. */
  readonly history?: OpenHistoryStore;
  /** The exchange's streams. */
  readonly share?: ShareTopics;
  /** The latest events of streams, for listeners that resume. */
  readonly eventLog?: EventLog;
  readonly quotas?: QuotaStore;
  readonly openConnections?: OpenConnectionStore;
  readonly tokens?: TokenStore;
  /** State of the server with the shared stores, for operators. */
  readonly engine?: RedisState & StoreStatus;
  close(): Promise<void>;
}

/** The ports of a single process, which shares nothing. */
export const ALONE: SharedPorts = { close: async () => undefined };
