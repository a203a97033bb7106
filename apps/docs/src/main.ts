import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { type Assets, documentOf } from "./layout.js";
import { pagesOf, searchIndexOf } from "./site.js";

/** `npm run docs`: writes the site into `apps/docs/dist`, where the gateway serves it at `/docs`. */

const here = fileURLToPath(new URL("../..", import.meta.url));
const root = resolve(here, "../..");
const out = join(here, "dist");

rmSync(out, { recursive: true, force: true });
const pages = pagesOf(root);
const indexName = asset("search", "json", JSON.stringify(searchIndexOf(pages)));
const bundle = await build({
  input: join(here, "build/site/main.js"),
  output: { format: "esm", minify: true },
  transform: { define: { SEARCH_INDEX: JSON.stringify(indexName) } },
  write: false,
});
const assets: Assets = {
  style: asset("style", "css", readFileSync(join(here, "site/style.css"), "utf8")),
  script: asset("main", "js", bundle.output[0].code),
  icon: asset("icon", "svg", readFileSync(join(root, "apps/graphiql/icon.svg"), "utf8")),
};
for (const page of pages) put(page.path === "" ? "index.html" : `${page.path}.html`, documentOf(page, pages, assets));
cpSync(join(root, "docs/images"), join(out, "images"), { recursive: true });

/** Writes an asset, with a hash of its content in the name, and returns its address. */
function asset(name: string, ending: string, content: string): string {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
  put(`assets/${name}-${hash}.${ending}`, content);
  return `/docs/assets/${name}-${hash}.${ending}`;
}

function put(path: string, content: string): void {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
