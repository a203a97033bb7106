import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ARCHITECTURES } from "../image/platforms.js";
import { run, tar } from "./tools.js";

/**
 * Builds images into OCI layouts, each packed into one file, `<name>-<version>.oci.tar`. Equal input gives equal files.
 *
 * @param {{ readonly out: string, readonly version: string, readonly time: string, readonly labels: Readonly<Record<string, string>> }}
 *   options `time` is that of all files in the images
 */
export class ImageBuilder {
  #store;

  constructor({ out, version, time, labels }) {
    Object.assign(this, { out, version, time, labels });
    this.#store = join(out, "store");
  }

  #buildah(command, ...words) {
    const { root, runRoot } = { root: join(this.#store, "root"), runRoot: join(this.#store, "run") };
    return run("buildah", "--root", root, "--runroot", runRoot, "--storage-driver", "vfs", command, ...words);
  }

  /**
   * Builds one image for some architectures, and returns the digest of what a registry has under its tag.
   *
   * @param {string} name
   * @param {readonly string[]} architectures in the order in which the index has them
   * @param {readonly string[]} words of `buildah build`
   */
  build(name, architectures, ...words) {
    const image = `${name}:${this.version}`;
    const labels = Object.entries(this.labels).flatMap(([label, value]) => [
      "--label",
      `org.opencontainers.image.${label}=${value}`,
    ]);
    const options = ["--isolation", "chroot", "--format", "oci", "--timestamp", this.time, "--quiet", "--manifest", image];
    for (const architecture of architectures)
      this.#buildah("build", ...options, ...labels, "--platform", `linux/${architecture}`, ...words);
    const layout = join(this.#store, name);
    this.#buildah("manifest", "push", "--all", "--quiet", image, `oci:${layout}:${this.version}`);
    tar(join(this.out, `${name}-${this.version}.oci.tar`), layout, { time: this.time });
    return JSON.parse(readFileSync(join(layout, "index.json"), "utf8")).manifests[0].digest;
  }

  /** Removes what was built besides the files. */
  close() {
    this.#buildah("rmi", "--all", "--force");
    rmSync(this.#store, { recursive: true, force: true });
  }
}

/** The architectures whose root file systems are staged in a folder. */
export const stagedIn = (stage) => readdirSync(stage).filter((name) => name in ARCHITECTURES);

/** Writes the manifests for Kubernetes with the digests of the images in place of their tags. */
export function writeManifests(folder, version, digests) {
  cpSync("deploy/kubernetes", folder, { recursive: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.name !== "kustomization.yaml") continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, "utf8");
    const pinned = text.replace(/^( *)- name: (exchange-graph(?:-sandbox)?)\n *newTag: (\S+)$/gm, (_, indent, name, tag) => {
      if (tag !== version) throw new Error(`${path} has the tag ${tag} instead of ${version}`);
      return `${indent}- name: ${name}\n${indent}  digest: ${digests[name]}`;
    });
    writeFileSync(path, pinned);
  }
}

/** The Containerfile of a bundle with manifests: one layer, which Flux and Argo CD read from a registry. */
export function writeBundleContext(folder) {
  mkdirSync(folder, { recursive: true });
  const text = `FROM scratch
LABEL org.opencontainers.image.title="exchange-graph-kubernetes" org.opencontainers.image.licenses="MIT"
COPY kubernetes/ /
`;
  writeFileSync(join(folder, "Containerfile"), text);
}
