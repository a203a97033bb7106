import type { Clock } from "@exchange-graph/contract/clock";
import type { Clients } from "../../access/clients.js";
import type { KeyStatus } from "../../access/jwt/jwtKeys.js";
import type { ExchangeClock } from "../../datasources/calls/index.js";
import { inTime } from "../../datasources/errors/index.js";
import type { DataSource } from "../../datasources/index.js";
import type { ExternalStore } from "../../datasources/reads/index.js";
import type { LimitsInForce, WriteJournal } from "../../datasources/writes/index.js";
import type { WatchedFiles } from "../../files/watchedFiles.js";
import { type Dependency, type DependencyState, UP } from "./readiness.js";

/** Maximum wait for the check of keys. Keys that are not checked by then count as accepted. */
const KEYS_TIMEOUT_MS = 1_000;

/** State of a store outside of this process. */
export interface StoreStatus {
  /** Why it cannot be reached, in words that may be shown to everybody; undefined if it can. */
  readonly trouble: string | undefined;
}

/** What a gateway depends on, in the order in which `/readyz?verbose` lists it. */
export function dependenciesOf(
  exchange: Pick<DataSource, "probe" | "checkKeys" | "keys" | "accounts"> & {
    readonly clock: StatedTime;
    readonly writes: {
      readonly journal: Pick<WriteJournal, "probe" | "state">;
      readonly limits: { readonly inForce: Pick<LimitsInForce, "unlimited"> };
    };
  },
  files: Pick<WatchedFiles, "failing">,
  clock: Clock,
  {
    redis,
    cache,
    jwtKeys,
  }: {
    readonly redis?: StoreStatus | undefined;
    readonly cache?: ExternalStore | undefined;
    readonly jwtKeys?: Clients["keyStatus"];
  } = {},
): readonly Dependency[] {
  return [
    { name: "exchange", isNeeded: true, check: () => upOnce(exchange.probe()) },
    { name: "keys", isNeeded: true, check: () => keysOf(exchange, clock) },
    { name: "journal", isNeeded: true, check: () => journalOf(exchange.writes.journal) },
    ...(jwtKeys === undefined ? [] : [{ name: "jwtKeys", isNeeded: true, check: async () => jwtKeysOf(await jwtKeys()) }]),
    ...(redis === undefined ? [] : [{ name: "redis", isNeeded: true, check: () => storeOf(redis) }]),
    ...(cache === undefined ? [] : [{ name: "cache", isNeeded: false, check: () => cacheOf(cache) }]),
    { name: "clock", isNeeded: false, check: () => clockOf(exchange.clock) },
    { name: "limits", isNeeded: false, check: () => limitsOf(exchange.writes.limits.inForce) },
    { name: "files", isNeeded: false, check: () => filesOf(files) },
  ];
}

const storeOf = ({ trouble }: StoreStatus): DependencyState => (trouble === undefined ? UP : { state: "down", reason: trouble });

function jwtKeysOf({ areThere, hasFailed }: KeyStatus): DependencyState {
  if (!areThere) return { state: "down", reason: "the keys of JWTs cannot be fetched: every JWT is refused" };
  return hasFailed ? { state: "degraded", reason: "the keys of JWTs cannot be fetched: the former ones are used" } : UP;
}

/** Calls the store, so that a recovery is noticed without a request. */
async function cacheOf(cache: ExternalStore): Promise<DependencyState> {
  await cache.get("reference", "ready");
  return storeOf(cache);
}

/** Up if this resolves. */
async function upOnce(answered: Promise<void>): Promise<DependencyState> {
  await answered;
  return UP;
}

/** A journal that has lost entries takes no new ones; the process serves everything else. */
async function journalOf(journal: Pick<WriteJournal, "probe" | "state">): Promise<DependencyState> {
  try {
    await journal.probe();
    return UP;
  } catch (error) {
    const { hasLost, unavailable } = journal.state;
    if (hasLost && unavailable !== undefined) return { state: "degraded", reason: unavailable };
    throw error;
  }
}

/** One invalid key must not take the other accounts out of service. */
async function keysOf(exchange: Pick<DataSource, "checkKeys" | "keys" | "accounts">, clock: Clock): Promise<DependencyState> {
  await inTime(clock, exchange.checkKeys(), KEYS_TIMEOUT_MS);
  const { refused: details } = exchange.keys;
  const { length } = exchange.accounts;
  if (details.length === 0) return UP;
  if (details.length === length) return { state: "down", reason: "the exchange refuses the key of every account", details };
  return { state: "degraded", reason: `the exchange refuses the keys of ${details.length} of ${length} accounts`, details };
}

type StatedTime = Pick<ExchangeClock, "contradictionMs" | "aheadMs">;

function clockOf({ contradictionMs, aheadMs }: StatedTime): DependencyState {
  if (contradictionMs !== undefined)
    return { state: "degraded", reason: `the exchange's answers contradict its time by ${contradictionMs} ms` };
  if (aheadMs === 0) return UP;
  return {
    state: "degraded",
    reason: `the exchange's clock has jumped ahead by ${aheadMs} ms, or the system clock is behind by as much`,
  };
}

function limitsOf({ unlimited: details }: Pick<LimitsInForce, "unlimited">): DependencyState {
  if (details.length === 0) return UP;
  return { state: "degraded", reason: `${details.length} accounts that had limits have none any more`, details };
}

const filesOf = ({ failing }: Pick<WatchedFiles, "failing">): DependencyState =>
  failing.size === 0
    ? UP
    : {
        state: "degraded",
        reason: `changed, and cannot be used: ${[...failing.keys()].join(", ")}`,
        details: Object.fromEntries(failing),
      };
