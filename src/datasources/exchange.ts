import { endpoints } from "@exchange-graph/contract";
import { type Clock, steadyClock, systemClock } from "@exchange-graph/contract/clock";
import { serverTime } from "@exchange-graph/contract/market";
import { INSTRUMENTATION, type Instrumentation } from "../instrumentation/instrumentation.js";
import { Accounts } from "./accounts/accounts.js";
import type { ExchangeAccount } from "./accounts/exchangeAccount.js";
import type { MemoryBounds } from "./cache/answerMemory.js";
import { MemoryCache } from "./cache/memoryCache.js";
import { SharedCache } from "./cache/sharedCache.js";
import type { Database } from "./database/database.js";
import { ExchangeClient } from "./exchange/client.js";
import { ExchangeClock } from "./exchange/exchangeClock.js";
import { Transport } from "./exchange/transport.js";
import { AccountModes } from "./identity/accountModes.js";
import { KeyChecks } from "./identity/keyChecks.js";
import type { CacheStore } from "./ports/cacheStore.js";
import { MemoryOrderRates } from "./ports/memoryOrderRates.js";
import type { OrderRateStore } from "./ports/orderRateStore.js";
import type { RateBudgetStore } from "./ports/rateBudgetStore.js";
import { Reader } from "./reads/reader.js";
import { Scheduler } from "./scheduler/scheduler.js";
import { type LimitBook, NO_LIMITS } from "./writes/limits/tradingLimits.js";
import type { WithdrawalRule } from "./writes/rules/withdrawalAddresses.js";
import { createWrites, type Writes } from "./writes/writes.js";

/** What a data source needs to know. */
/** Which exchange it is, for people to see. */
interface ExchangeEnvironment {
  readonly name: string;
  /** Is there real money behind it? */
  readonly kind: "SANDBOX" | "DEMO" | "REAL";
}

export interface ExchangeSettings {
  readonly baseUrl: URL;
  /** The first one answers where no account is named. */
  readonly accounts: readonly ExchangeAccount[];
  /** The exchange's demo environment. */
  readonly demo: boolean;
  /** What clients see of it. Left out: the host of `baseUrl`, and its demo environment or the real one. */
  readonly environment?: ExchangeEnvironment;
  /** How long one read may take in all, waits and repeated tries included. */
  readonly deadlineMs: number;
  /** How long one operation may go on reading. Default: without end. */
  readonly operationMs?: number;
  readonly connections: number;
  readonly cacheEntries: number;
  /** Estimated bytes of the answers that are kept in memory. Default: 64 MiB. */
  readonly cacheBytes?: number;
  /** Where answers are kept, and rate limits divided, for several replicas. Default: this process's memory. */
  readonly stores?: (bounds: MemoryBounds, accounts: Accounts) => ExchangeStores;
  /** Channels on which events are published. Default: the process's own. */
  readonly instrumentation?: Instrumentation;
  /** Where writes are journaled. Default: in memory alone, so that nothing is known of them after a restart. */
  readonly journalPath?: string;
  /** The database that replicas share: writes are journaled there, and not in a file. Whoever has opened it closes it. */
  readonly database?: Database;
  /** This process's name among replicas. Default: none. */
  readonly replicaName?: string;
  /** Which world the users are of. Left out: the exchange's own, or its demo environment; whatever address that has. */
  readonly realm?: string;
  /** Where money may be withdrawn to. Default: nowhere. */
  readonly withdrawals?: WithdrawalRule;
  /** Limits of accounts and clients. Default: none. */
  readonly limits?: LimitBook;
  /** May a write that only reduces risk be sent when the journal cannot be used? Default: yes. */
  readonly cancelWithoutJournal?: boolean;
  /** Spends the rate limits; one of its own if none is given. */
  readonly scheduler?: Scheduler;
  readonly clock?: Clock;
  /** Between 0 and 1: spreads repeated tries, so that they do not all come at once. */
  readonly random: () => number;
}

/** What replicas of a gateway share. */
export interface ExchangeStores {
  readonly cache: CacheStore;
  readonly rateBudgets: RateBudgetStore;
  readonly orderRates: OrderRateStore;
}

/** One exchange with its accounts: everything that lives longer than a request. */
export interface Exchange {
  /** Those that there are at this moment. */
  readonly accounts: readonly ExchangeAccount[];
  /** The same, for those who replace them or hear of it. */
  readonly directory: Accounts;
  /** Whose keys the exchange refuses. */
  readonly keys: Pick<KeyChecks, "refused">;
  readonly clock: ExchangeClock;
  /** Where it is published what happens. */
  readonly instrumentation: Instrumentation;
  readonly client: ExchangeClient;
  readonly cache: SharedCache;
  readonly scheduler: Scheduler;
  readonly reader: Reader;
  readonly modes: AccountModes;
  readonly writes: Writes;
  readonly environment: ExchangeEnvironment;
  /** How long one operation may go on asking for reads, ms. */
  readonly operationMs: number;
  /** Signs calls that are about no account, and that the exchange answers only when somebody signs. */
  readonly signer: ExchangeAccount | undefined;
  /** The account of this name; without a name, the first. */
  account(name?: string | null): ExchangeAccount | undefined;
  /** Asks the exchange for its time: resolves when it answers. Throws `Fault`. */
  probe(): Promise<void>;
  /** Finds out about keys of which it is not known whether the exchange takes them. Never rejects. */
  checkKeys(): Promise<void>;
  /**
   * Waits for answers to writes under way for so long (ms), and breaks off what is left then. A write without an answer
   * stays open in the journal.
   */
  close(withinMs?: number): Promise<void>;
}

/** Everything that is remembered of an account goes with its key. */
const PRIVATE_ENDPOINTS: readonly string[] = endpoints.filter(({ access }) => access === "private").map(({ name }) => name);

const CACHE_BYTES = 64 * 1024 * 1024;

/** Composes the data source. Nothing is sent before the first read. */
export function createExchange(settings: ExchangeSettings): Exchange {
  const { clock = systemClock, instrumentation = INSTRUMENTATION } = settings;
  const exchangeClock = new ExchangeClock(clock);
  const transport = new Transport(settings.baseUrl, clock, settings.connections);
  const accounts = new Accounts(settings.accounts);
  const keys = new KeyChecks(accounts, clock, instrumentation);
  const client = new ExchangeClient(transport, clock, exchangeClock, {
    demo: settings.demo,
    onSigned: (...call) => keys.saw(...call),
    instrumentation,
  });
  const bounds = { maxEntries: settings.cacheEntries, maxBytes: settings.cacheBytes ?? CACHE_BYTES };
  const stores = settings.stores?.(bounds, accounts);
  const cache = new SharedCache(clock, stores?.cache ?? new MemoryCache(clock, bounds));
  const steady = settings.clock ?? steadyClock;
  const scheduler =
    settings.scheduler ??
    new Scheduler(clock, {
      connections: settings.connections,
      instrumentation,
      steady,
      ...(stores && { store: stores.rateBudgets }),
    });
  const reader = new Reader(client, cache, scheduler, clock, {
    deadlineMs: settings.deadlineMs,
    scarceDeadlineMs: Math.max(settings.deadlineMs, settings.operationMs ?? 0),
    random: settings.random,
    instrumentation,
  });
  const modes = new AccountModes(reader, clock);
  const { baseUrl, demo, deadlineMs } = settings;
  const writes = createWrites(
    {
      accounts,
      client,
      reader,
      scheduler,
      modes,
      clock,
      orderRates: stores?.orderRates ?? new MemoryOrderRates(() => steady.now()),
    },
    {
      journalPath: settings.journalPath ?? ":memory:",
      database: settings.database,
      replicaName: settings.replicaName ?? "replica",
      realm: settings.realm ?? (demo ? "demo" : "live"),
      formerRealm: `${baseUrl.href}${demo ? " demo" : ""}`,
      deadlineMs,
      withdrawals: settings.withdrawals ?? [],
      limits: settings.limits ?? NO_LIMITS,
      cancelWithoutJournal: settings.cancelWithoutJournal ?? true,
      instrumentation,
    },
  );
  accounts.onChange(({ changed, removed }) => {
    for (const account of [...changed, ...removed]) {
      reader.forget(account.name, PRIVATE_ENDPOINTS);
      modes.forget(account);
      writes.positionModes.forget(account);
    }
  });
  return {
    directory: accounts,
    keys,
    get accounts() {
      return accounts.all;
    },
    clock: exchangeClock,
    instrumentation,
    client,
    cache,
    scheduler,
    reader,
    modes,
    writes,
    environment: settings.environment ?? { name: baseUrl.host, kind: demo ? "DEMO" : "REAL" },
    operationMs: settings.operationMs ?? Number.POSITIVE_INFINITY,
    get signer() {
      return accounts.find();
    },
    account: (name) => accounts.find(name),
    probe: async () => {
      await reader.read(reader.prepare(serverTime, {}));
    },
    checkKeys: () => keys.check(modes),
    close: async (withinMs = 0) => {
      reader.close();
      await writes.writer.finish(withinMs);
      await transport.close();
      await writes.writer.close();
      await cache.close();
      await scheduler.close();
    },
  };
}
