import type { FastifyPluginAsync } from "fastify";
import { builtPage } from "./builtPage.js";

/** The page may load from and call this server only. The editor inserts style rules, hence `unsafe-inline` for styles. */
const GRAPHIQL_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
];

/** `/graphiql`: the GraphiQL page, built into `folder`. */
export const graphiql = (folder: string): FastifyPluginAsync =>
  builtPage({ name: "GraphiQL", folder, path: "/graphiql", assetsPath: "/graphiql/assets/", policy: GRAPHIQL_POLICY });

/** `/` without a desk: redirects to GraphiQL. */
export const toGraphiql: FastifyPluginAsync = async (app) => {
  app.get("/", async (_request, reply) => reply.redirect("/graphiql"));
};

/** The desk may load from and call this server only; scripts and styles have to be files. */
const DESK_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
];

/** Files of the desk that have fixed addresses: a service worker controls the pages below its own path. */
const DESK_FILES = {
  "/sw.js": "text/javascript; charset=utf-8",
  "/desk/manifest.webmanifest": "application/manifest+json; charset=utf-8",
  "/desk/icon.svg": "image/svg+xml",
};

/** `/`: the desk, built into `folder`. */
export const desk = (folder: string): FastifyPluginAsync =>
  builtPage({ name: "the desk", folder, path: "/", assetsPath: "/desk/assets/", policy: DESK_POLICY, files: DESK_FILES });
