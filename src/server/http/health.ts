import type { FastifyPluginAsync } from "fastify";
import type { Clock } from "../../clock.js";
import { type Exchange, Fault } from "../../datasources/index.js";
import type { WriteJournal } from "../../datasources/writes/journal/writeJournal.js";

/** Can operations be answered? If not, a reason fit for whoever watches the port. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

/** Who asks wants an answer now: a check that takes longer than this counts as "no". */
const CHECK_TIMEOUT_MS = 2_000;

const TOO_SLOW: Readiness = { ready: false, reason: `the readiness check took longer than ${CHECK_TIMEOUT_MS} ms` };

/** `/healthz`: the process runs. `/readyz`: it can do its work, and is not about to stop. */
export const healthRoutes =
  (readiness: () => Promise<Readiness>, clock: Clock): FastifyPluginAsync =>
  async (app) => {
    app.get("/healthz", async () => ({ status: "ok" }));
    app.get("/readyz", async (_request, reply) => {
      const state = await withinTime(readiness, clock);
      return state.ready ? { status: "ready" } : reply.code(503).send({ status: "not ready", reason: state.reason });
    });
  };

async function withinTime(readiness: () => Promise<Readiness>, clock: Clock): Promise<Readiness> {
  let cancel = (): void => undefined;
  const late = new Promise<Readiness>((resolve) => {
    cancel = clock.after(CHECK_TIMEOUT_MS, () => resolve(TOO_SLOW));
  });
  try {
    return await Promise.race([readiness(), late]);
  } finally {
    cancel();
  }
}

/** Ready as soon as, and as long as, the exchange answers a question for its time and the journal takes writes. */
export const readinessOf =
  ({
    probe,
    writes,
  }: Pick<Exchange, "probe"> & {
    readonly writes: { readonly journal: Pick<WriteJournal, "probe"> };
  }): (() => Promise<Readiness>) =>
  async () => {
    try {
      await writes.journal.probe();
      await probe();
      return { ready: true };
    } catch (error) {
      if (error instanceof Fault) return { ready: false, reason: error.message };
      throw error;
    }
  };
