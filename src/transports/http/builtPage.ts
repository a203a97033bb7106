import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "@exchange-graph/contract/clock";
import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync } from "fastify";

/** A page built into a folder: `index.html`, and `assets` with a hash of their content in their names. */
interface BuiltPage {
  /** Name in error messages. */
  readonly name: string;
  readonly folder: string;
  /** Path of the page, for example `/graphiql`. */
  readonly path: string;
  /** Path prefix of its assets, for example `/graphiql/assets/`. */
  readonly assetsPath: string;
  /** Directives of its content security policy. */
  readonly policy: readonly string[];
}

export const YEAR_MS = 365 * DAY_MS;

/** Directives for every page: no `<base>`, no forms, no framing. */
export const COMMON_POLICY = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/**
 * Serves a built page. Browsers cache its assets permanently and revalidate the page. Assets are served compressed if there is a
 * compressed file beside or instead of them (`apps/precompress.js`).
 */
export const builtPage =
  ({ name, folder, path, assetsPath, policy }: BuiltPage): FastifyPluginAsync =>
  async (app) => {
    const html = await read(name, join(folder, "index.html"));
    const headers = {
      "content-security-policy": [...policy, ...COMMON_POLICY].join("; "),
      "cache-control": "no-cache",
      etag: `"${createHash("sha256").update(html).digest("base64url")}"`,
    };
    app.get(path, async (request, reply) => {
      reply.headers(headers);
      if (request.headers["if-none-match"] === headers.etag) return reply.code(304).send();
      return reply.type("text/html; charset=utf-8").send(html);
    });
    await app.register(fastifyStatic, {
      root: join(folder, "assets"),
      prefix: assetsPath,
      decorateReply: false,
      immutable: true,
      maxAge: YEAR_MS,
      index: false,
      preCompressed: true,
      setHeaders: (response) => response.setHeader("vary", "accept-encoding"),
    });
  };

async function read(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new Error(`the page of ${name} is not built: there is no ${path}. Run npm run build`, { cause: error });
  }
}
