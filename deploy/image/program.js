import { join } from "node:path";
import { bundle, GATEWAY } from "../bundle.js";
import { copyPackages, copyPage, copySite } from "./roots.js";
import { closure } from "./sbom.js";

/** The pages have their own builds; these are the packages that they bundle. */
const PAGES = {
  "apps/graphiql": ["graphiql", "@graphiql/toolkit", "react", "react-dom"],
  "apps/desk": ["react", "react-dom", "@tanstack/react-table", "@tanstack/react-virtual", "lightweight-charts", "uplot"],
};
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
  for (const page of Object.keys(PAGES)) copyPage(`${page}/dist`, join(app, page, "dist"));
  copySite(`${SITE}/dist`, join(app, SITE, "dist"));
  const ofPages = [...closure(SITE, ["minisearch"]), ...Object.entries(PAGES).flatMap((page) => closure(...page))];
  return [...new Set([...bundled, ...unbundled, ...ofPages])].sort();
}
