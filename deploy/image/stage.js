import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundle, GATEWAY } from "../bundle.js";
import { copyPackages, copyPage, copySite, librariesOf, licencesOf, makeRoot } from "./roots.js";
import { closure, sbomOf } from "./sbom.js";

// `npm run image:stage [folder]`: writes the root file systems of both images, from the output of `npm run build`. They are the
// build context of deploy/Containerfile.
const folder = process.argv[2] ?? "build/image";
rmSync(folder, { recursive: true, force: true });

/** SQLite's native binaries, and the packages that load the matching one. */
const natives = readdirSync("node_modules/@libsql").filter((name) => !name.includes("musl"));
const unbundled = ["libsql", "@neon-rs/load", "detect-libc", ...natives.map((name) => `@libsql/${name}`)];
const addons = natives.map((name) => join("node_modules/@libsql", name, "index.node"));

/** The pages have their own builds; these are the packages that they bundle. */
const PAGES = {
  "apps/graphiql": ["graphiql", "@graphiql/toolkit", "react", "react-dom"],
  "apps/desk": ["react", "react-dom", "@tanstack/react-table", "@tanstack/react-virtual", "lightweight-charts", "uplot"],
};
const SITE = "apps/docs";

async function gateway() {
  const root = join(folder, "gateway");
  const app = join(root, "app");
  makeRoot(root, addons);
  const bundled = await bundle(GATEWAY, join(app, "dist"), {
    external: ["libsql", "@exchange-graph/sandbox"],
    sourcemap: false,
  });
  copyPackages(unbundled, app);
  for (const page of Object.keys(PAGES)) copyPage(`${page}/dist`, join(app, page, "dist"));
  copySite(`${SITE}/dist`, join(app, SITE, "dist"));
  const others = unbundled.map((name) => resolve("node_modules", name));
  const packages = new Set([
    ...bundled,
    ...others,
    ...closure(SITE, ["minisearch"]),
    ...Object.entries(PAGES).flatMap((page) => closure(...page)),
  ]);
  describe(app, "exchange-graph", [...packages].sort(), addons);
}

async function sandbox() {
  const root = join(folder, "sandbox");
  const app = join(root, "app");
  makeRoot(root, []);
  const programs = { main: "packages/sandbox/dist/main.js" };
  describe(app, "exchange-graph-sandbox", await bundle(programs, join(app, "dist"), { external: [], sourcemap: false }), []);
}

/** Writes the bill of materials and the licences of an image: its packages, by their folders, and its binaries besides Node. */
function describe(app, name, packages, binaries) {
  const bill = sbomOf(name, packages, librariesOf([process.execPath, ...binaries]));
  writeFileSync(join(app, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(app, "sbom.cdx.json"), `${JSON.stringify(bill)}\n`);
  writeFileSync(join(app, "LICENSES.txt"), `${licencesOf(packages)}\n`);
}

await gateway();
await sandbox();
mkdirSync(join(folder, "state"), { recursive: true });
