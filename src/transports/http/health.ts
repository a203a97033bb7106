import type { FastifyPluginAsync } from "fastify";
import { watcherOf } from "../../access/admin.js";
import type { Clients } from "../../access/clients.js";
import type { DependencyCondition, Readiness } from "./readiness.js";

export interface Health {
  readonly readiness: Pick<Readiness, "whyNotReady" | "conditions">;
  /** Whether the process stops: it is not ready any more. */
  readonly isStopping: () => boolean;
  /** Clients with the scope `admin` see details, such as which keys are refused. */
  readonly clients: Clients;
}

const STOPPING = "the gateway is stopping";

/**
 * `/healthz` and `/livez`: the process runs. `/readyz`: it can serve, also while something that it depends on is down. With
 * `?verbose`, the state of each dependency as well; the status stays the same.
 */
export const healthRoutes =
  ({ readiness, isStopping, clients }: Health): FastifyPluginAsync =>
  async (app) => {
    for (const path of ["/healthz", "/livez"]) app.get(path, async () => ({ status: "ok" }));
    app.get<{ Querystring: { readonly verbose?: string } }>("/readyz", async (request, reply) => {
      const reason = isStopping() ? STOPPING : await readiness.whyNotReady();
      const answer = reason === undefined ? { status: "ready" } : { status: "not ready", reason };
      if (reason !== undefined) reply.code(503);
      if (request.query.verbose === undefined) return answer;
      const { refused } = await watcherOf(clients, request.headers.authorization);
      const dependencies = (await readiness.conditions()).map((condition) => shown(condition, refused === undefined));
      return { ...answer, dependencies };
    });
  };

function shown({ name, state, since, ...more }: DependencyCondition, mayWatch: boolean) {
  const { reason, details } = { reason: undefined, details: undefined, ...more };
  return { name, state, reason, since: new Date(since).toISOString(), details: mayWatch ? details : undefined };
}
