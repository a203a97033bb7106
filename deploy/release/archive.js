import { copyFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { addonOf, architecturesHere, platformOf } from "../image/platforms.js";
import { UNBUNDLED, writeGateway } from "../image/program.js";
import { licencesOf } from "../image/roots.js";
import { sbomOf } from "../image/sbom.js";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));

/** The scripts of package.json that run the built product. */
const SCRIPTS = ["start", "token", "healthcheck", "check-config", "journal", "audit"];
const FILES = ["README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", ".env.example", "schema.graphql"];

/** What an operator uses of `deploy`. */
export const DEPLOYMENT = ["compose.yaml", "compose.exchange.yaml", "kubernetes", "prometheus", "grafana", "proxy", "systemd"];

/** package.json of the archive: `npm ci` installs what is not bundled, and builds nothing. */
function manifest() {
  const { name, version, description, license, type, engines, scripts, dependencies, optionalDependencies } =
    read("package.json");
  const versions = { ...dependencies, ...optionalDependencies };
  return {
    ...{ name, version, description, license, private: true, type, engines },
    scripts: Object.fromEntries(SCRIPTS.map((script) => [script, scripts[script]])),
    dependencies: Object.fromEntries(UNBUNDLED.map((each) => [each, versions[each]])),
  };
}

/** The part of the lock file that belongs to `manifest`. */
function lock({ name, version, license, engines, dependencies }) {
  const { lockfileVersion, packages } = read("package-lock.json");
  const found = new Set();
  /** Adds a package as Node finds it from a folder, with what it needs. */
  const add = (wanted, from) => {
    const path = `${from === "" ? "" : `${from}/`}node_modules/${wanted}`;
    if (found.has(path)) return;
    const entry = packages[path];
    // One folder up; an optional package for another platform may not be there at all.
    if (entry === undefined)
      return from === "" ? undefined : add(wanted, from.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, ""));
    found.add(path);
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (peer) => entry.peerDependenciesMeta?.[peer]?.optional !== true,
    );
    for (const each of [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers]) add(each, path);
  };
  for (const each of Object.keys(dependencies)) add(each, "");
  const entries = [...found].sort().map((path) => [path, packages[path]]);
  return {
    ...{ name, version, lockfileVersion, requires: true },
    packages: { "": { name, version, license, engines, dependencies }, ...Object.fromEntries(entries) },
  };
}

/**
 * Writes what the gateway's archive contains: the bundled gateway with the sandbox exchange, its pages, the documentation and the
 * files for deployments. It runs as it is on Linux with glibc on the architectures that are staged, and elsewhere after `npm ci`.
 *
 * @param {string} folder
 */
export async function writeArchive(folder) {
  const packages = await writeGateway(folder, "bundle", { external: ["libsql"], sourcemap: true });
  const addons = architecturesHere().map((architecture) => [addonOf(architecture), platformOf(architecture).addon]);
  for (const [name, addon] of addons) cpSync(addon, join(folder, "node_modules", name), { recursive: true });
  for (const name of FILES) copyFileSync(name, join(folder, name));
  cpSync("docs", join(folder, "docs"), { recursive: true });
  for (const name of DEPLOYMENT) cpSync(join("deploy", name), join(folder, "deploy", name), { recursive: true });
  const own = manifest();
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(own, null, 2)}\n`);
  writeFileSync(join(folder, "package-lock.json"), `${JSON.stringify(lock(own), null, 2)}\n`);
  const all = [...packages, ...addons.map(([, addon]) => resolve(addon))].sort();
  writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(sbomOf("exchange-graph", all))}\n`);
  writeFileSync(join(folder, "LICENSES.txt"), licencesOf(all));
}
