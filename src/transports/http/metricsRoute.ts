import type { FastifyPluginAsync } from "fastify";
import type { Registry } from "prom-client";
import { watcherOf } from "../../access/admin.js";
import type { Clients } from "../../access/clients.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { refusedAs } from "./unauthenticatedAnswer.js";

/** `/metrics`, in the text format of Prometheus: for clients with the scope `admin`. */
export const metricsRoute =
  (registry: Registry, clients: Clients, { refusal }: Instrumentation): FastifyPluginAsync =>
  async (app) => {
    app.get("/metrics", async (request, reply) => {
      const { who, refused } = await watcherOf(clients, request.headers.authorization);
      if (refused === undefined) return reply.type(registry.contentType).send(await registry.metrics());
      const origin = { who, address: request.ip, over: "http", requestId: request.id } as const;
      refusal.publish({ origin, operation: undefined, codes: [refused.code] });
      const { status, headers, body } = refusedAs(refused);
      return reply.code(status).headers(headers).send(body);
    });
  };
