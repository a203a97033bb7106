import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { SECOND_MS } from "@exchange-graph/contract/clock";
import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync } from "fastify";
import { COMMON_POLICY, YEAR_MS } from "./builtPage.js";

/** The pages load nothing but their own style, script, index and images. */
const CONTENT_SECURITY_POLICY = ["default-src 'self'", "img-src 'self' data:", ...COMMON_POLICY].join("; ");

/**
 * `/docs`: the documentation built into `folder`. A page's address has no ending. Asset names carry a hash of their content, so
 * browsers keep them; pages are asked for anew each time.
 */
export const docs =
  (folder: string): FastifyPluginAsync =>
  async (app) => {
    const files = await filesIn(folder);
    await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false });
    app.get("/docs", async (_request, reply) => reply.redirect("/docs/"));
    app.get<{ Params: { "*": string } }>("/docs/*", async (request, reply) => {
      const path = request.params["*"];
      const file = [path === "" ? "index.html" : `${path}.html`, path].find((name) => files.has(name));
      if (file === undefined) return reply.callNotFound();
      const isPage = file.endsWith(".html");
      if (isPage) reply.header("content-security-policy", CONTENT_SECURITY_POLICY);
      const isLasting = file.startsWith("assets/");
      return reply
        .header("vary", "accept-encoding")
        .header("cache-control", isLasting ? `public, max-age=${YEAR_MS / SECOND_MS}, immutable` : "no-cache")
        .sendFile(file);
    });
  };

/** The files of the site, by their paths in the folder; their compressed forms lie beside them. */
async function filesIn(folder: string): Promise<ReadonlySet<string>> {
  const notBuilt = (cause?: unknown) => new Error(`the documentation is not built into ${folder}: run npm run build`, { cause });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw notBuilt(error);
  });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length));
  const names = new Set(files.map((file) => file.replaceAll("\\", "/").replace(/^\//, "")));
  if (!names.has("index.html")) throw notBuilt();
  return names;
}
