import type { FastifyPluginAsync } from "fastify";
import type { Registry } from "prom-client";
import { Fault } from "../../datasources/index.js";
import { demand } from "../../resolvers/index.js";
import { bearerOf } from "../callers/bearer.js";
import type { Callers } from "../callers/callers.js";
import { refusedAs } from "../callers/unauthenticated.js";

/** `/metrics`, in the text format of Prometheus: for callers with the scope `admin`. */
export const metricsRoute =
  (registry: Registry, callers: Callers): FastifyPluginAsync =>
  async (app) => {
    app.get("/metrics", async (request, reply) => {
      const refused = await refusalOf(callers, request.headers.authorization);
      if (refused === undefined) return reply.type(registry.contentType).send(await registry.metrics());
      const { status, headers, body } = refusedAs(refused);
      return reply.code(status).headers(headers).send(body);
    });
  };

async function refusalOf(callers: Callers, authorization: string | undefined): Promise<Fault | undefined> {
  const caller = await callers.identify(bearerOf(authorization));
  if (caller instanceof Fault) return caller;
  try {
    demand(caller, "admin");
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
