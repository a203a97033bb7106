import type { FastifyPluginAsync } from "fastify";
import { watcherOf } from "../../access/admin.js";
import type { Clients } from "../../access/clients.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { refusedAs } from "../arrival/answer.js";

export interface MetricsText {
  /** `accept`: the formats that the scraper accepts. */
  show(accept: string | undefined): Promise<{ readonly type: string; readonly body: string }>;
}

/** `/metrics` in the text format of Prometheus or OpenMetrics, for clients with the scope `admin`. */
export const metricsRoute =
  (metrics: MetricsText, clients: Clients, { refusal }: Instrumentation): FastifyPluginAsync =>
  async (app) => {
    app.get("/metrics", async (request, reply) => {
      const { who, refused } = await watcherOf(clients, request.headers.authorization);
      if (refused === undefined) {
        const { type, body } = await metrics.show(request.headers.accept);
        return reply.type(type).header("vary", "accept").send(body);
      }
      const origin = { who, address: request.ip, over: "http", requestId: request.id } as const;
      const { status, headers, body, refusalCode } = refusedAs(refused);
      if (refusalCode !== undefined) refusal.publish({ origin, operation: undefined, codes: [refusalCode] });
      return reply.code(status).headers(headers).send(body);
    });
  };
