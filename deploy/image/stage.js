import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundle } from "../bundle.js";
import { addonOf, architecturesHere, platformOf } from "./platforms.js";
import { writeGateway } from "./program.js";
import { licencesOf, makeRoot, setModes } from "./roots.js";
import { sbomOf } from "./sbom.js";

// `npm run image:stage [folder]`: writes the root file systems of both images, from the output of `npm run build`: for the
// architecture of this machine, and for each one that `npm run image:fetch` has downloaded. They are the build context of
// deploy/Containerfile.
const folder = process.argv[2] ?? "build/image";
rmSync(folder, { recursive: true, force: true });

/** The programs, which are the same on every architecture. */
const programs = join(folder, "programs");
const gateway = await writeGateway(join(programs, "gateway"), "dist", {
  external: ["libsql", "@exchange-graph/sandbox"],
  sourcemap: false,
});
const sandbox = await bundle({ main: "packages/sandbox/dist/main.js" }, join(programs, "sandbox/dist"), {
  external: [],
  sourcemap: false,
});

function stage(image, name, packages, platform) {
  const root = join(folder, platform.architecture, image);
  const app = join(root, "app");
  makeRoot(root, platform);
  cpSync(join(programs, image), app, { recursive: true });
  const { node, libraries } = platform;
  const system = new Map(libraries.map((library) => [library.package.name, library.package]));
  const others = [{ name: "node", version: process.versions.node, licence: node.licence }, ...system.values()];
  writeFileSync(join(app, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(app, "sbom.cdx.json"), `${JSON.stringify(sbomOf(name, packages, platform))}\n`);
  writeFileSync(join(app, "LICENSES.txt"), licencesOf(packages, others));
  return app;
}

for (const architecture of architecturesHere()) {
  const platform = platformOf(architecture);
  const addon = addonOf(architecture);
  const app = stage("gateway", "exchange-graph", [...gateway, resolve(platform.addon)].sort(), platform);
  cpSync(platform.addon, join(app, "node_modules", addon), { recursive: true });
  stage("sandbox", "exchange-graph-sandbox", sandbox, platformOf(architecture, false));
}
rmSync(programs, { recursive: true });
mkdirSync(join(folder, "state"), { recursive: true });
setModes(folder);
