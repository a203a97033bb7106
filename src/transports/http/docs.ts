import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { SECOND_MS } from "@exchange-graph/contract/clock";
import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync } from "fastify";
import { COMMON_POLICY, YEAR_MS } from "./builtPage.js";
import { encodingFor } from "./writeAnswer.js";

/** The pages load their own styles, scripts, index and images only. */
const CONTENT_SECURITY_POLICY = ["default-src 'self'", "img-src 'self' data:", ...COMMON_POLICY].join("; ");

/**
 * `/docs`: the documentation built into `folder`. Page addresses have no extension. Asset names contain a hash of their content,
 * so browsers cache them; pages are revalidated each time.
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
      const isUnpacked = files.get(file) === "packed" && encodingFor(request.headers["accept-encoding"], ["gzip"]) === undefined;
      const isPage = file.endsWith(".html");
      if (isPage) reply.header("content-security-policy", CONTENT_SECURITY_POLICY);
      const isLasting = file.startsWith("assets/");
      reply
        .header("vary", "accept-encoding")
        .header("cache-control", isLasting ? `public, max-age=${YEAR_MS / SECOND_MS}, immutable` : "no-cache");
      return isUnpacked ? reply.type(typeOf(file)).send(unpacked(join(folder, `${file}.gz`))) : reply.sendFile(file);
    });
  };

/** Decompresses for clients that accept no compression, if only compressed files are installed. */
const unpacked = (path: string): Readable => pipeline(createReadStream(path), createGunzip(), () => undefined);

const TYPES: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".json", "application/json; charset=utf-8"],
  [".svg", "image/svg+xml"],
]);
const typeOf = (file: string): string => TYPES.get(extname(file)) ?? "application/octet-stream";

/** The files of the site by path in the folder: `plain`, or `packed` if only a `.gz` file exists. */
async function filesIn(folder: string): Promise<ReadonlyMap<string, "plain" | "packed">> {
  const notBuilt = (cause?: unknown) => new Error(`the documentation is not built into ${folder}: run npm run build`, { cause });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw notBuilt(error);
  });
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).replaceAll("\\", "/").replace(/^\//, ""));
  const packed = names.filter((name) => name.endsWith(".gz")).map((name) => name.slice(0, -3));
  const files = new Map<string, "plain" | "packed">(packed.map((name) => [name, "packed"]));
  for (const name of names) files.set(name, "plain");
  if (!files.has("index.html")) throw notBuilt();
  return files;
}
