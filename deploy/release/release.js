import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { setModes } from "../image/roots.js";
import { writeArchive } from "./archive.js";
import { ImageBuilder, stagedIn, writeBundleContext, writeManifests } from "./images.js";
import { commit, has, run, sha256, tar } from "./tools.js";

// `npm run release`: writes the files of a release from the build and the staged images. It downloads and publishes nothing.
const { values } = parseArgs({
  options: {
    stage: { type: "string", default: "build/image" },
    out: { type: "string", default: "build/release" },
    images: { type: "boolean", default: true },
    // The file with minisign's secret key; without it nothing is signed.
    key: { type: "string" },
  },
  allowNegative: true,
});
const { stage, out, images, key } = values;
const { version, repository } = JSON.parse(readFileSync("package.json", "utf8"));
const { name: revision, time } = commit();
const tell = (line) => process.stdout.write(`${line}\n`);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const scratch = join(out, "scratch");
const nameOf = (name, ending) => join(out, `${name}-${version}.${ending}`);

// The archives: the gateway with everything around it, and the sandbox exchange as a program.
const NAMES = { gateway: "exchange-graph", sandbox: "exchange-graph-sandbox" };
await writeArchive(join(scratch, "archive"));
setModes(join(scratch, "archive"));
tar(nameOf(NAMES.gateway, "tar.gz"), join(scratch, "archive"), { time, prefix: `${NAMES.gateway}-${version}` });
copyFileSync(join(scratch, "archive/sbom.cdx.json"), nameOf(NAMES.gateway, "sbom.cdx.json"));
const [architecture] = stagedIn(stage);
tar(nameOf(NAMES.sandbox, "tar.gz"), join(stage, architecture, "sandbox/app"), { time, prefix: `${NAMES.sandbox}-${version}` });

// The packages for programs: the client, and the exchange's interface as data. npm keeps the modes of files.
for (const name of ["client", "contract"]) {
  const folder = join(scratch, name);
  const isOfIt = (path) => !/\/(?:node_modules|test)(?:\/|$)/.test(path);
  cpSync(join("packages", name), folder, { recursive: true, filter: isOfIt });
  setModes(folder);
  run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", out, resolve(folder));
}

copyFileSync("schema.graphql", nameOf(NAMES.gateway, "schema.graphql"));
copyFileSync("deploy/release/vex.openvex.json", nameOf(NAMES.gateway, "openvex.json"));

if (!images) tell("no images: left out by --no-images");
else if (!has("buildah")) tell("no images: buildah is not installed (apt-get install buildah)");
else {
  const source = repository?.url ?? repository;
  const labels = { version, revision, ...(source === undefined ? {} : { source }) };
  const builder = new ImageBuilder({ out: scratch, version, time, labels });
  const architectures = stagedIn(stage);
  const digests = {};
  for (const [target, name] of Object.entries(NAMES)) {
    digests[name] = builder.build(
      name,
      architectures,
      "--file",
      "deploy/Containerfile",
      "--build-arg",
      `VERSION=${version}`,
      "--target",
      target,
      stage,
    );
    for (const each of architectures)
      copyFileSync(join(stage, each, target, "app/sbom.cdx.json"), nameOf(name, `image.${each}.sbom.cdx.json`));
  }
  const context = join(scratch, "bundle");
  writeBundleContext(context);
  writeManifests(join(context, "kubernetes"), version, digests);
  setModes(context);
  builder.build("exchange-graph-kubernetes", ["amd64"], "--file", join(context, "Containerfile"), context);
  builder.close();
  for (const name of [...Object.values(NAMES), "exchange-graph-kubernetes"])
    copyFileSync(join(scratch, `${name}-${version}.oci.tar`), nameOf(name, "oci.tar"));
  writeFileSync(
    nameOf(NAMES.gateway, "digests.txt"),
    Object.entries(digests)
      .map(([name, digest]) => `${name}@${digest}\n`)
      .join(""),
  );
  tell(`images for ${architectures.join(" and ")}`);
}
rmSync(scratch, { recursive: true });

const files = readdirSync(out).sort();
writeFileSync(join(out, "SHA256SUMS"), files.map((file) => `${sha256(join(out, file))}  ${file}\n`).join(""));
files.push("SHA256SUMS");
if (key === undefined) tell("not signed: --key names a file with a secret key of minisign");
else {
  const comment = `exchange-graph ${version} ${revision}`;
  run("minisign", "-S", "-s", key, "-m", join(out, "SHA256SUMS"), "-c", comment, "-t", comment);
  files.push("SHA256SUMS.minisig");
}
tell(files.map((file) => join(out, file)).join("\n"));
