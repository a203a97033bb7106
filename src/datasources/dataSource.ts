import { randomBytes } from "node:crypto";
import { endpoints } from "@exchange-graph/contract";
import { type Clock, steadyClock, systemClock } from "@exchange-graph/contract/clock";
import { serverTime } from "@exchange-graph/contract/market";
import { INSTRUMENTATION, type Instrumentation } from "../instrumentation/instrumentation.js";
import {
  Accounts,
  type ExchangeAccount,
  ExchangeClient,
  ExchangeClock,
  type ExchangeTransport,
  KnownUsers,
  type RateBudgetStore,
  Scheduler,
  Transport,
} from "./calls/index.js";
import { Fault, inTime } from "./errors/index.js";
import {
  AccountModes,
  type CacheStore,
  type ExternalStore,
  KeyChecks,
  type MemoryBounds,
  MemoryCache,
  Reader,
  type ReadSources,
  ReferenceData,
  SharedCache,
  Users,
} from "./reads/index.js";
import {
  createWrites,
  fileStores,
  type LimitBook,
  MemoryOrderRates,
  NO_LIMITS,
  type OpenWriteStores,
  type OrderRateStore,
  type WithdrawalRule,
  type Writes,
} from "./writes/index.js";

interface ExchangeEnvironment {
  readonly name: string;
  readonly kind: "SANDBOX" | "DEMO" | "REAL";
}

/** What a data source needs to know. */
export interface ExchangeSettings {
  readonly baseUrl: URL;
  /** The first one is the default account. */
  readonly accounts: readonly ExchangeAccount[];
  /** Whether it is the exchange's demo environment. */
  readonly demo: boolean;
  /** The exchange as clients see it. Default: the host of `baseUrl`, and its demo environment or the real one. */
  readonly environment?: ExchangeEnvironment;
  /** Maximum time of one read in ms, including waits and retries. */
  readonly deadlineMs: number;
  /** Time in which one operation may read, in ms. Default: unlimited. */
  readonly operationMs?: number;
  readonly connections: number;
  readonly cacheEntries: number;
  /** Estimated bytes of cached answers. Default: 64 MiB. */
  readonly cacheBytes?: number;
  /** Stores of cache and rate limits, for several replicas. Default: this process's memory. */
  readonly stores?: OpenExchangeStores | undefined;
  /** Keeps reference data beyond this process. Default: none. */
  readonly externalStore?: ExternalStore | undefined;
  /** Channels on which events are published. Default: the process's own. */
  readonly instrumentation?: Instrumentation;
  /** File of the journal. Default: in memory, so that after a restart writes are unknown. */
  readonly journalPath?: string;
  /** Opens the stores of writes and halts. Default: the files of `journalPath`. */
  readonly writeStores?: OpenWriteStores | undefined;
  /** Identifies the world of user ids. Default: the exchange or its demo environment, at any address. */
  readonly realm?: string;
  /** Allowed destinations of withdrawals. Default: none. */
  readonly withdrawals?: WithdrawalRule;
  /** Limits of accounts and clients. Default: none. */
  readonly limits?: LimitBook;
  /** Whether writes that only reduce risk are sent when the journal cannot be written. Default: true. */
  readonly cancelWithoutJournal?: boolean;
  /** Manages the rate limits. Default: a new one. */
  readonly scheduler?: Scheduler;
  /** The line to the exchange. Default: HTTP connections to `baseUrl`. */
  readonly transport?: ExchangeTransport;
  readonly clock?: Clock;
  /** The monotonic clock beside `clock`. Default: `clock` itself; without one, that of the process. */
  readonly steady?: Clock;
  /** Between 0 and 1: jitter of retries, so that they are not simultaneous. */
  readonly random: () => number;
  /** Returns a unique text of at most 29 letters and digits, for the identifiers of orders. Default: 14 random bytes. */
  readonly newId?: () => string;
}

/** Opens the stores of cache and rate limits. `bounds`: of the answers in this process's memory. */
export type OpenExchangeStores = (bounds: MemoryBounds, accounts: Accounts) => ExchangeStores;

/** Stores that replicas of a gateway share. */
export interface ExchangeStores {
  readonly cache: CacheStore;
  readonly rateBudgets: RateBudgetStore;
  readonly orderRates: OrderRateStore;
}

/** One exchange with its accounts: all state that outlives a request. */
export interface DataSource extends ReadSources {
  readonly accounts: readonly ExchangeAccount[];
  /** The accounts, for code that replaces them or listens to changes. */
  readonly directory: Accounts;
  /** Accounts whose keys the exchange refuses. */
  readonly keys: Pick<KeyChecks, "refused">;
  readonly clock: ExchangeClock;
  /** Channels on which events are published. */
  readonly instrumentation: Instrumentation;
  readonly client: ExchangeClient;
  readonly cache: SharedCache;
  readonly scheduler: Scheduler;
  /** The exchange's users of the accounts, as far as they are known. */
  readonly knownUsers: KnownUsers;
  /** Reads the exchange's users of the accounts. */
  readonly users: Users;
  readonly writes: Writes;
  readonly environment: ExchangeEnvironment;
  /** The account with this name; the first one without a name. */
  account(name?: string | null): ExchangeAccount | undefined;
  /** Requests the exchange's time: resolves when it answers. Throws `Fault`. */
  probe(): Promise<void>;
  /**
   * Replaces the accounts as soon as the users of new keys are known, after this long (ms) in any case: a key of the same user
   * then takes the place of the former one without an interruption, and another user's data is never taken for this one's.
   */
  replaceAccounts(accounts: readonly ExchangeAccount[], withinMs: number): Promise<void>;
  /** Checks keys whose validity is unknown, and begins to read their users. Never rejects. */
  checkKeys(): Promise<void>;
  /**
   * Waits for the answers of running writes for this long (ms), then ends the rest. A write without an answer stays open in the
   * journal.
   */
  close(withinMs?: number): Promise<void>;
}

/** Endpoints whose state is dropped with an account's key. */
const PRIVATE_ENDPOINTS: readonly string[] = endpoints.filter(({ access }) => access === "private").map(({ name }) => name);

/** The world of user ids that these settings lead to. */
export const realmOf = ({ realm, demo }: Pick<ExchangeSettings, "realm" | "demo">): string => realm ?? (demo ? "demo" : "live");

const CACHE_BYTES = 64 * 1024 * 1024;

const randomId = (): string => randomBytes(14).toString("hex");

/** Composes the data source. Nothing is sent before the first read. */
export function createDataSource(settings: ExchangeSettings): DataSource {
  const { clock = systemClock, instrumentation = INSTRUMENTATION } = settings;
  const steady = settings.steady ?? settings.clock ?? steadyClock;
  const exchangeClock = new ExchangeClock(clock, { steady, report: (event) => instrumentation.clock.publish(event) });
  const transport = settings.transport ?? new Transport(settings.baseUrl, clock, settings.connections);
  const accounts = new Accounts(settings.accounts);
  const knownUsers = new KnownUsers(accounts);
  const keys = new KeyChecks(accounts, clock, instrumentation);
  const client = new ExchangeClient(transport, exchangeClock, {
    demo: settings.demo,
    onSigned: (...call) => keys.saw(...call),
    instrumentation,
  });
  const bounds = { maxEntries: settings.cacheEntries, maxBytes: settings.cacheBytes ?? CACHE_BYTES };
  const stores = settings.stores?.(bounds, accounts);
  const realm = realmOf(settings);
  const address = `${settings.baseUrl.href}${settings.demo ? " demo" : ""}`;
  const answers = stores?.cache ?? new MemoryCache(clock, bounds);
  const { externalStore } = settings;
  const memory = externalStore !== undefined && stores !== undefined ? new MemoryCache(clock, bounds) : answers;
  const cache = new SharedCache(
    clock,
    answers,
    externalStore && new ReferenceData({ memory, externalStore, exchange: address, clock }),
  );
  const scheduler =
    settings.scheduler ??
    new Scheduler(clock, {
      connections: settings.connections,
      instrumentation,
      steady,
      nameOf: (counter) => knownUsers.labelOf(counter),
      ...(stores && { store: stores.rateBudgets }),
    });
  knownUsers.onLearned((account, user) => scheduler.merge(knownUsers.standInOf(account), user));
  const reader = new Reader(client, cache, scheduler, clock, {
    deadlineMs: settings.deadlineMs,
    knownUsers,
    scarceDeadlineMs: Math.max(settings.deadlineMs, settings.operationMs ?? 0),
    random: settings.random,
    instrumentation,
  });
  // Until the user is known, its keys have rate budgets of their own.
  const modes = new AccountModes(reader, clock, (account) => void users.of(account, "refresh").catch(ifUnexpected));
  const { baseUrl, demo, deadlineMs, newId = randomId, journalPath = ":memory:" } = settings;
  const writeStores = (settings.writeStores ?? fileStores(journalPath))({
    clock,
    realm,
    instrumentation,
    newId,
  });
  const users = new Users({ reader, modes, knownUsers, register: writeStores.journal, clock });
  const writes = createWrites(
    {
      accounts,
      client,
      reader,
      scheduler,
      modes,
      knownUsers,
      clock,
      orderRates: stores?.orderRates ?? new MemoryOrderRates(() => steady.now()),
      users,
      stores: writeStores,
      newId,
    },
    {
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
    }
  });
  let replacements = 0;
  /** The next use of an account asks for its user again. */
  const ifUnexpected = (error: unknown): void => {
    if (!(error instanceof Fault)) instrumentation.failure.publish({ error, what: "the user of a key could not be read" });
  };
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
    knownUsers,
    users,
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
    async replaceAccounts(next, withinMs) {
      const turn = ++replacements;
      // Under another name: what is kept for a name belongs to its present account.
      const learning = [...accounts.all, ...next]
        .filter((account) => knownUsers.cachedUser(account) === undefined)
        .map(({ credentials, isCopyTrader }) => ({
          credentials,
          isCopyTrader,
          name: `key ${knownUsers.keyOf({ credentials })}`,
        }));
      const learned = learning.map((account) =>
        users
          .of(account)
          .catch(ifUnexpected)
          .finally(() => {
            reader.forget(account.name, PRIVATE_ENDPOINTS);
            modes.forget(account);
          }),
      );
      if (learning.length > 0) await inTime(clock, Promise.all(learned), withinMs);
      if (turn === replacements) accounts.replace(next);
    },
    async checkKeys() {
      await keys.check(modes);
      const refused = new Set(keys.refused.map(({ account }) => account));
      // So that later the journal can be read without the exchange.
      for (const account of accounts.all) if (!refused.has(account.name)) users.of(account, "refresh").catch(ifUnexpected);
    },
    close: async (withinMs = 0) => {
      reader.close();
      writes.switches.stop();
      writes.haltCancels.stop();
      await writes.writer.finish(withinMs);
      await transport.close();
      await writes.writer.close();
      await cache.close();
      await scheduler.close();
    },
  };
}
