import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
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
  readonly policy: readonly string[];
  /** Media types of the files that are served by fixed addresses; each is in the folder by the last part of its address. */
  readonly files?: Readonly<Record<`/${string}`, string>>;
}

export const YEAR_MS = 365 * DAY_MS;

/** Directives for every page: no `<base>`, no forms, no framing. */
export const COMMON_POLICY = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/**
 * Serves a built page. Browsers cache its assets permanently and revalidate the page. Assets are served compressed if there is a
 * compressed file beside or instead of them (`apps/precompress.js`).
 */
export const builtPage =
  ({ name, folder, path, assetsPath, policy, files = {} }: BuiltPage): FastifyPluginAsync =>
  async (app) => {
    const serve = async (address: string, file: string, type: string) => {
      const text = await read(name, join(folder, file));
      const headers = {
        "content-security-policy": [...policy, ...COMMON_POLICY].join("; "),
        "cache-control": "no-cache",
        etag: `"${createHash("sha256").update(text).digest("base64url")}"`,
      };
      app.get(address, async (request, reply) => {
        reply.headers(headers);
        if (request.headers["if-none-match"] === headers.etag) return reply.code(304).send();
        return reply.type(type).send(text);
      });
    };
    await serve(path, "index.html", "text/html; charset=utf-8");
    for (const [address, type] of Object.entries(files)) await serve(address, basename(address), type);
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
