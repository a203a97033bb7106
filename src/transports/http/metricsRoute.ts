import type { FastifyPluginAsync } from "fastify";
import type { Registry } from "prom-client";
import { watcherOf } from "../../access/admin.js";
import type { Clients } from "../../access/callers.js";
import type { AuditTrail } from "../../access/principal/auditTrail.js";
import { refusedAs } from "./unauthenticatedAnswer.js";

/** `/metrics`, in the text format of Prometheus: for clients with the scope `admin`. */
export const metricsRoute =
  (registry: Registry, clients: Clients, audit: AuditTrail): FastifyPluginAsync =>
  async (app) => {
    app.get("/metrics", async (request, reply) => {
      const { who, refused } = await watcherOf(clients, request.headers.authorization);
      if (refused === undefined) return reply.type(registry.contentType).send(await registry.metrics());
      audit.refused({ who, address: request.ip, over: "http", requestId: request.id }, undefined, [refused.code]);
      const { status, headers, body } = refusedAs(refused);
      return reply.code(status).headers(headers).send(body);
    });
  };
