import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const words = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"];
const whole = JSON.parse(
  execFileSync("npm", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 25 }),
);
const edges = new Map(whole.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));

/** Packages of these names, in the versions that one of ours uses, and all that they depend on. */
export function closure(owner, names) {
  const found = new Set();
  const visit = (ref) => {
    if (found.has(ref)) return;
    found.add(ref);
    for (const next of edges.get(ref) ?? []) visit(next);
  };
  for (const ref of edges.get(owner) ?? []) if (names.some((name) => ref.startsWith(`${name}@`))) visit(ref);
  return [...found];
}

/**
 * A bill of materials in CycloneDX: packages as the lock file has them, Node, and the system's libraries. The same for the
 * same content: without serial number and time.
 *
 * @param {string} name of the image
 * @param {readonly string[]} refs the packages that are in it
 * @param {readonly string[]} libraries paths of shared libraries
 */
export function sbomOf(name, refs, libraries) {
  const found = new Set(refs);
  const unknown = refs.filter((ref) => !edges.has(ref));
  if (unknown.length > 0) throw new Error(`not in the lock file: ${unknown.join(", ")}`);
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const node = process.versions.node;
  return {
    ...whole,
    serialNumber: undefined,
    metadata: { ...whole.metadata, timestamp: undefined, component: { "bom-ref": name, type: "container", name, version } },
    components: [
      ...whole.components.filter((component) => found.has(component["bom-ref"])),
      { "bom-ref": `node@${node}`, type: "platform", name: "node", version: node, purl: `pkg:generic/node@${node}` },
      ...libraries.map((path) => ({
        "bom-ref": path,
        type: "file",
        name: path,
        hashes: [{ alg: "SHA-256", content: createHash("sha256").update(readFileSync(path)).digest("hex") }],
      })),
    ],
    dependencies: whole.dependencies
      .filter(({ ref }) => found.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => found.has(one)) })),
  };
}
