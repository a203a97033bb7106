import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const { packages: locked } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The folder to which Node resolves a package from `folder`; `undefined` if it is not installed. */
function find(name, folder) {
  const place = join(folder, "node_modules", name);
  if (existsSync(place)) return place;
  return folder === resolve(".") || folder === dirname(folder) ? undefined : find(name, dirname(folder));
}

/** Folders of the packages with these names, resolved from `folder`, and of all their dependencies. */
export function closure(folder, names, found = new Set()) {
  for (const name of names) {
    const place = find(name, resolve(folder));
    if (place === undefined || found.has(place)) continue;
    found.add(place);
    closure(place, Object.keys(manifestOf(place).dependencies ?? {}), found);
  }
  return [...found];
}

const refOf = (folder) => {
  const { name, version } = manifestOf(folder);
  return `${name}@${version}`;
};

function component(folder) {
  const { name, version, license } = manifestOf(folder);
  const { integrity } = locked[relative(".", folder)] ?? {};
  if (integrity === undefined) throw new Error(`${folder} is not in the lock file`);
  const [algorithm, content] = integrity.split(" ")[0].split("-");
  return {
    "bom-ref": refOf(folder),
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    hashes: [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(content, "base64").toString("hex") }],
    ...(license === undefined ? {} : { licenses: [/ /.test(license) ? { expression: license } : { license: { id: license } }] }),
  };
}

function dependencies(folder, included) {
  const places = Object.keys(manifestOf(folder).dependencies ?? {}).map((name) => find(name, folder));
  return { ref: refOf(folder), dependsOn: places.filter((place) => included.has(place)).map(refOf) };
}

/**
 * A bill of materials in CycloneDX: packages as they are installed and locked, Node, and the system's libraries. It has no serial
 * number and no time, so that equal content gives an equal bill.
 *
 * @param {string} name of the image
 * @param {readonly string[]} folders of the packages in the image
 * @param {readonly string[]} libraries paths of shared libraries
 */
export function sbomOf(name, folders, libraries) {
  const node = process.versions.node;
  const included = new Set(folders);
  const { version } = manifestOf(".");
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { "bom-ref": name, type: "container", name, version } },
    components: [
      ...folders.map(component),
      { "bom-ref": `node@${node}`, type: "platform", name: "node", version: node, purl: `pkg:generic/node@${node}` },
      ...libraries.map((path) => ({
        "bom-ref": path,
        type: "file",
        name: path,
        hashes: [{ alg: "SHA-256", content: createHash("sha256").update(readFileSync(path)).digest("hex") }],
      })),
    ],
    dependencies: folders.map((folder) => dependencies(folder, included)),
  };
}
