import { join } from "node:path";
import { bundle, GATEWAY } from "../bundle.js";
import { copyPackages, copyPage, copySite } from "./roots.js";
import { closure, manifestOf } from "./sbom.js";

/** The pages have their own builds. */
const PAGES = ["apps/graphiql", "apps/desk"];

/** What a page bundles: its dependencies without this repository's own, types, and the builder. */
const bundledBy = (page) =>
  Object.keys(manifestOf(page).devDependencies).filter((name) => name !== "vite" && !/^@(?:exchange-graph|types)\//.test(name));

const SITE = "apps/docs";

/** SQLite is a native binary; the stores of `CACHE_URL` are loaded by their names. */
export const UNBUNDLED = ["libsql", "keyv", "@keyv/redis", "@keyv/postgres"];

/**
 * Writes the gateway with its pages: what is the same on every platform. SQLite's binary for a platform is added by the caller.
 *
 * @param {string} app the folder
 * @param {string} programs the folder in it for the bundled commands
 * @param {Parameters<typeof bundle>[2]} options of the bundle
 * @returns {Promise<readonly string[]>} the folders of the packages in it
 */
export async function writeGateway(app, programs, options) {
  const bundled = await bundle(GATEWAY, join(app, programs), options);
  const unbundled = closure(".", UNBUNDLED);
  copyPackages(unbundled, app);
  for (const page of PAGES) copyPage(`${page}/dist`, join(app, page, "dist"));
  copySite(`${SITE}/dist`, join(app, SITE, "dist"));
  const ofPages = [...closure(SITE, ["minisearch"]), ...PAGES.flatMap((page) => closure(page, bundledBy(page)))];
  return [...new Set([...bundled, ...unbundled, ...ofPages])].sort();
}
