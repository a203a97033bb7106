import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const { packages: locked } = JSON.parse(readFileSync("package-lock.json", "utf8"));
export const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

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

/** The licences of packages that may be published with the program. */
const LICENCES = new Set(["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0", "PSF-2.0"]);

/** The licence of a package; throws unless it is one of `LICENCES`, or an expression of these. */
function licenceOf({ name, version, license }) {
  const parts = (license ?? "none").split(/[()\s]+|\b(?:AND|OR)\b/).filter((part) => part !== "");
  if (!parts.every((part) => LICENCES.has(part)))
    throw new Error(`${name}@${version} has the licence ${license}, which deploy/image/sbom.js does not list: look at it first`);
  return parts.length > 1 ? { expression: license } : { license: { id: license } };
}

const refOf = (folder) => {
  const { name, version } = manifestOf(folder);
  return `${name}@${version}`;
};

function component(folder) {
  const manifest = manifestOf(folder);
  const { name, version } = manifest;
  // The binary for another platform is not installed; its place in the lock file is that of its name.
  const { integrity } = locked[relative(".", folder)] ?? locked[`node_modules/${name}`] ?? {};
  if (integrity === undefined) throw new Error(`${folder} is not in the lock file`);
  const [algorithm, content] = integrity.split(" ")[0].split("-");
  return {
    "bom-ref": refOf(folder),
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    hashes: [{ alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(content, "base64").toString("hex") }],
    licenses: [licenceOf(manifest)],
  };
}

function dependencies(folder, included) {
  const places = Object.keys(manifestOf(folder).dependencies ?? {}).map((name) => find(name, folder));
  return { ref: refOf(folder), dependsOn: places.filter((place) => included.has(place)).map(refOf) };
}

const SHA_256 = (path) => ({ alg: "SHA-256", content: createHash("sha256").update(readFileSync(path)).digest("hex") });

/** Node, and OpenSSL, which is in the same file. Their licence texts are in one file too. */
function nodeComponents(architecture) {
  const { node, openssl } = process.versions;
  return [
    {
      "bom-ref": `node@${node}`,
      type: "platform",
      name: "node",
      version: node,
      purl: `pkg:generic/node@${node}?arch=${architecture}`,
      licenses: [{ license: { id: "MIT" } }],
    },
    {
      "bom-ref": `openssl@${openssl}`,
      type: "library",
      name: "openssl",
      version: openssl,
      purl: `pkg:generic/openssl@${openssl}`,
      licenses: [{ license: { id: "Apache-2.0" } }],
    },
  ];
}

/** The packages of the distribution, such as glibc's libc6, each with the files that the image has of it. */
function systemComponents({ architecture, libraries }) {
  const packages = new Map(libraries.map((library) => [library.package.name, library.package]));
  return [...packages.values()].map(({ name, version, distribution: { id, version: release } }) => ({
    "bom-ref": `${name}@${version}`,
    type: "library",
    name,
    version,
    purl: `pkg:deb/${id}/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=${id}-${release}`,
    components: libraries
      .filter((library) => library.package.name === name)
      .map(({ path, file }) => ({ "bom-ref": path, type: "file", name: path, hashes: [SHA_256(file)] })),
  }));
}

/**
 * A bill of materials in CycloneDX: packages as they are installed and locked; in an image also Node with OpenSSL, and the
 * distribution's packages. It has no serial number and no time, so that equal content gives an equal bill.
 *
 * @param {string} name of the image or archive
 * @param {readonly string[]} folders of the packages in it
 * @param {ReturnType<typeof import("./platforms.js").platformOf>} [platform] of an image
 */
export function sbomOf(name, folders, platform) {
  const included = new Set(folders);
  const { version } = manifestOf(".");
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: { "bom-ref": name, type: platform === undefined ? "application" : "container", name, version },
    },
    components: [
      ...folders.map(component),
      ...(platform === undefined ? [] : [...nodeComponents(platform.architecture), ...systemComponents(platform)]),
    ],
    dependencies: folders.map((folder) => dependencies(folder, included)),
  };
}
