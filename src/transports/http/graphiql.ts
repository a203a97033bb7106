import type { FastifyPluginAsync } from "fastify";
import { builtPage } from "./builtPage.js";

/** The page may load from and call this server only. The editor inserts style rules, hence `unsafe-inline` for styles. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
];

/** `/graphiql`: the GraphiQL page, built into `folder`. */
export const graphiql = (folder: string): FastifyPluginAsync =>
  builtPage({ name: "GraphiQL", folder, path: "/graphiql", assetsPath: "/graphiql/assets/", policy: POLICY });

/** `/` without a desk: redirects to GraphiQL. */
export const toGraphiql: FastifyPluginAsync = async (app) => {
  app.get("/", async (_request, reply) => reply.redirect("/graphiql"));
};
