import type { Clock } from "@exchange-graph/contract/clock";
import type { FastifyPluginAsync } from "fastify";
import { watcherOf } from "../../access/admin.js";
import type { Clients } from "../../access/clients.js";
import { type Exchange, Fault } from "../../datasources/index.js";
import { inTime } from "../../datasources/inTime.js";
import type { WriteJournal } from "../../datasources/writes/journal/writeJournal.js";
import type { WatchedFiles } from "../../files/watchedFiles.js";
import type { KeyRefusal } from "../../instrumentation/events.js";

/** Problems that do not make the gateway unready. */
interface Troubles {
  /** Accounts whose key the exchange refuses, with the reason. */
  readonly refusedKeys: readonly KeyRefusal[];
  /** Settings whose changed files are invalid: their former content stays in effect. */
  readonly unusableFiles: readonly string[];
  /** Unreachable services that replicas share, without which this replica continues alone. */
  readonly unreachable?: readonly string[];
}

/** Whether operations can be answered; if not, with a reason that can be shown to monitoring. */
export type Readiness = ({ readonly ready: true } | { readonly ready: false; readonly reason: string }) & {
  readonly troubles?: Troubles;
};

/** Timeout of a readiness check; a slower one counts as not ready. */
const CHECK_TIMEOUT_MS = 2_000;
/** Timeout of the check of keys; keys that are not checked by then count as accepted. */
const KEYS_TIMEOUT_MS = 1_000;

const TOO_SLOW: Readiness = { ready: false, reason: `the readiness check took longer than ${CHECK_TIMEOUT_MS} ms` };

/**
 * `/healthz`: the process runs. `/readyz`: it can answer operations and is not stopping. Clients with the scope `admin` see which
 * keys are refused, all others only how many.
 */
export const healthRoutes =
  (readiness: () => Promise<Readiness>, clients: Clients, clock: Clock): FastifyPluginAsync =>
  async (app) => {
    app.get("/healthz", async () => ({ status: "ok" }));
    app.get("/readyz", async (request, reply) => {
      const state = (await inTime(clock, readiness(), CHECK_TIMEOUT_MS)) ?? TOO_SLOW;
      const { refused } = await watcherOf(clients, request.headers.authorization);
      const more = state.troubles && shownTroubles(state.troubles, refused === undefined);
      if (state.ready) return { status: "ready", ...more };
      return reply.code(503).send({ status: "not ready", reason: state.reason, ...more });
    });
  };

const shownTroubles = ({ refusedKeys, unusableFiles, unreachable = [] }: Troubles, isWatcher: boolean) => ({
  ...(refusedKeys.length === 0 ? {} : { refusedKeys: isWatcher ? refusedKeys : refusedKeys.length }),
  ...(unusableFiles.length === 0 ? {} : { unusableFiles }),
  ...(unreachable.length === 0 ? {} : { unreachable }),
});

/**
 * Ready while the exchange answers a request for its time and accepts the key of at least one account, and the journal can be
 * written: one invalid key must not take the other accounts out of service.
 */
export const readinessOf =
  (
    exchange: Pick<Exchange, "probe" | "checkKeys" | "keys" | "accounts"> & {
      readonly writes: { readonly journal: Pick<WriteJournal, "probe"> };
    },
    files: WatchedFiles,
    clock: Clock,
    engine?: { readonly isUp: boolean },
  ) =>
  async (): Promise<Readiness> => {
    const troublesOf = (refusedKeys: readonly KeyRefusal[]): Troubles => ({
      refusedKeys,
      unusableFiles: [...files.failing.keys()],
      ...(engine?.isUp === false ? { unreachable: ["redis"] } : {}),
    });
    const checked = inTime(clock, exchange.checkKeys(), KEYS_TIMEOUT_MS);
    try {
      await exchange.writes.journal.probe();
      await exchange.probe();
    } catch (error) {
      if (error instanceof Fault) return { ready: false, reason: error.message, troubles: troublesOf([]) };
      throw error;
    }
    await checked;
    const { refused } = exchange.keys;
    const troubles = troublesOf(refused);
    return refused.length > 0 && refused.length === exchange.accounts.length
      ? { ready: false, reason: "the exchange refuses the key of every account", troubles }
      : { ready: true, troubles };
  };
