import type { FastifyPluginAsync } from "fastify";
import type { Registry } from "prom-client";

/** `/metrics`, in the text format of Prometheus. */
export const metricsRoute =
  (registry: Registry): FastifyPluginAsync =>
  async (app) => {
    app.get("/metrics", async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  };
