import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "@exchange-graph/contract/clock";
import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync } from "fastify";

/** The page may load and call nothing but this server. Its editor writes style rules, hence `unsafe-inline` for those. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const YEAR_MS = 365 * DAY_MS;

/**
 * `/graphiql`: the GraphiQL page built into `folder`, and `/`, which leads a browser there. Asset names carry a hash of
 * their content, so browsers keep them; the page itself is asked for anew each time.
 */
export const graphiql =
  (folder: string): FastifyPluginAsync =>
  async (app) => {
    const page = await builtPage(folder);
    app.get("/graphiql", async (_request, reply) =>
      reply
        .header("content-security-policy", CONTENT_SECURITY_POLICY)
        .header("cache-control", "no-cache")
        .type("text/html; charset=utf-8")
        .send(page),
    );
    await app.register(fastifyStatic, {
      root: join(folder, "assets"),
      prefix: "/graphiql/assets/",
      immutable: true,
      maxAge: YEAR_MS,
      index: false,
      // Beside an asset, or in place of it, may lie a compressed one.
      preCompressed: true,
    });
    app.get("/", async (request, reply) =>
      request.headers.accept?.includes("text/html") === true ? reply.redirect("/graphiql") : reply.callNotFound(),
    );
  };

async function builtPage(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, "index.html"), "utf8");
  } catch (error) {
    throw new Error(`the GraphiQL page is not built into ${folder}: run npm run build`, { cause: error });
  }
}
