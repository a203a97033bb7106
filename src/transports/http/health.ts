import type { Clock } from "@exchange-graph/contract/clock";
import type { FastifyPluginAsync } from "fastify";
import { watcherOf } from "../../access/admin.js";
import type { Clients } from "../../access/clients.js";
import { type Exchange, Fault } from "../../datasources/index.js";
import type { WriteJournal } from "../../datasources/writes/journal/writeJournal.js";
import type { WatchedFiles } from "../../files/watchedFiles.js";
import type { KeyRefusal } from "../../instrumentation/events.js";

/** What is wrong without keeping operations from being answered. */
interface Troubles {
  /** Accounts whose key the exchange refuses, and why. */
  readonly refusedKeys: readonly KeyRefusal[];
  /** Settings whose files have changed and cannot be used: what they said before still holds. */
  readonly unusableFiles: readonly string[];
  /** What replicas share and cannot be reached: this one goes on alone. */
  readonly unreachable?: readonly string[];
}

/** Can operations be answered? If not, a reason fit for whoever watches the port. */
export type Readiness = ({ readonly ready: true } | { readonly ready: false; readonly reason: string }) & {
  readonly troubles?: Troubles;
};

/** Who asks wants an answer now: a check that takes longer than this counts as "no". */
const CHECK_TIMEOUT_MS = 2_000;
/** Keys that could not be checked by then are taken for good ones. */
const KEYS_TIMEOUT_MS = 1_000;

const TOO_SLOW: Readiness = { ready: false, reason: `the readiness check took longer than ${CHECK_TIMEOUT_MS} ms` };

/**
 * `/healthz`: the process runs. `/readyz`: it can do its work, and is not about to stop. Who may watch the gateway is shown
 * there whose key is refused; everybody else how many are.
 */
export const healthRoutes =
  (readiness: () => Promise<Readiness>, clients: Clients, clock: Clock): FastifyPluginAsync =>
  async (app) => {
    app.get("/healthz", async () => ({ status: "ok" }));
    app.get("/readyz", async (request, reply) => {
      const state = await withinTime(readiness(), clock, CHECK_TIMEOUT_MS, TOO_SLOW);
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

async function withinTime<T>(task: Promise<T>, clock: Clock, ms: number, late: T): Promise<T> {
  let cancel = (): void => undefined;
  const timeout = new Promise<T>((resolve) => {
    cancel = clock.after(ms, () => resolve(late));
  });
  try {
    return await Promise.race([task, timeout]);
  } finally {
    cancel();
  }
}

/**
 * Ready as soon as, and as long as, the exchange answers a question for its time and takes the key of one account at least,
 * and the journal takes writes: one wrong key among several must not take the others out of service.
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
    const checked = withinTime(exchange.checkKeys(), clock, KEYS_TIMEOUT_MS, undefined);
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
