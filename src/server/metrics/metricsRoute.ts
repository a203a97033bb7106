import type { FastifyPluginAsync } from "fastify";
import type { Registry } from "prom-client";
import { Fault } from "../../datasources/index.js";
import { demand } from "../../resolvers/index.js";
import type { Caller } from "../caller.js";
import { bearerOf } from "../callers/bearer.js";
import type { Callers } from "../callers/callers.js";
import { refusedAs } from "../callers/unauthenticated.js";
import type { Audit } from "../logs/audit.js";

/** `/metrics`, in the text format of Prometheus: for callers with the scope `admin`. */
export const metricsRoute =
  (registry: Registry, callers: Callers, audit: Audit): FastifyPluginAsync =>
  async (app) => {
    app.get("/metrics", async (request, reply) => {
      const caller = await callers.identify(bearerOf(request.headers.authorization));
      const refused = caller instanceof Fault ? caller : refusalOf(caller);
      if (refused === undefined) return reply.type(registry.contentType).send(await registry.metrics());
      const who = caller instanceof Fault ? null : caller.principal;
      audit.refused({ who, address: request.ip, over: "http", requestId: request.id }, undefined, [refused.code]);
      const { status, headers, body } = refusedAs(refused);
      return reply.code(status).headers(headers).send(body);
    });
  };

function refusalOf(caller: Caller): Fault | undefined {
  try {
    demand(caller, "admin");
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
