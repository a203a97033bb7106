import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

// `npm run release`: writes the files of a release from the build and the staged images. It downloads and publishes nothing.
const { values } = parseArgs({
  options: {
    stage: { type: "string", default: "build/image" },
    out: { type: "string", default: "build/release" },
    images: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const { stage, out, images } = values;
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const run = (command, ...words) =>
  execFileSync(command, words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

/** Reproducible archives: fixed owners, order and times, so that equal trees give equal archives. */
const REPRODUCIBLE = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];

function archive(name, folder, ...paths) {
  const file = join(out, `${name}-${version}.tar`);
  run("tar", ...REPRODUCIBLE, `--transform=s,^,${name}-${version}/,`, "-cf", file, "-C", folder, ...paths);
  run("gzip", "-9", "--no-name", file);
}

for (const [name, image] of [
  ["exchange-graph", "gateway"],
  ["exchange-graph-sandbox", "sandbox"],
]) {
  const app = join(stage, image, "app");
  archive(name, app, ...readdirSync(app).sort());
  copyFileSync(join(app, "sbom.cdx.json"), join(out, `${name}-${version}.sbom.cdx.json`));
}
archive(
  "exchange-graph-deploy",
  ".",
  ...["compose.yaml", "kubernetes", "prometheus", "grafana", "proxy", "systemd"].map((path) => `deploy/${path}`),
  ".env.example",
);
copyFileSync("schema.graphql", join(out, `exchange-graph-${version}.schema.graphql`));

function has(command) {
  try {
    run(command, "--version");
    return true;
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

if (!images) process.stdout.write("no images: left out by --no-images\n");
else if (!has("buildah")) process.stdout.write("no images: buildah is not installed (apt-get install buildah)\n");
else {
  const store = join(out, "store");
  const buildah = (...words) =>
    run("buildah", "--root", join(store, "root"), "--runroot", join(store, "run"), "--storage-driver", "vfs", ...words);
  for (const [target, name] of [
    ["gateway", "exchange-graph"],
    ["sandbox", "exchange-graph-sandbox"],
  ]) {
    const options = [
      "--isolation",
      "chroot",
      "--format",
      "docker",
      "--quiet",
      "--file",
      "deploy/Containerfile",
      "--timestamp",
      "0",
    ];
    buildah("build", ...options, "--build-arg", `VERSION=${version}`, "--target", target, "--tag", `${name}:${version}`, stage);
    buildah(
      "push",
      "--quiet",
      `${name}:${version}`,
      `docker-archive:${join(out, `${name}-${version}.image.tar`)}:${name}:${version}`,
    );
  }
  buildah("rmi", "--all", "--force");
  rmSync(store, { recursive: true, force: true });
}

const files = readdirSync(out).sort();
const sum = (file) =>
  createHash("sha256")
    .update(readFileSync(join(out, file)))
    .digest("hex");
writeFileSync(join(out, "SHA256SUMS"), files.map((file) => `${sum(file)}  ${file}\n`).join(""));
process.stdout.write(`${[...files, "SHA256SUMS"].map((file) => join(out, file)).join("\n")}\n`);
