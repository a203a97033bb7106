import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { ARCHITECTURES, addonOf, FETCHED, NATIVE, platformOf } from "./platforms.js";

// `npm run image:fetch -- arm64`: downloads what the images of another architecture are made of: Node of the running version and
// SQLite's binary from npm, the libraries that Node needs from Debian. The release after it needs no network.
const [architecture] = process.argv.slice(2);
const others = Object.keys(ARCHITECTURES).filter((name) => name !== NATIVE);
if (!others.includes(architecture)) throw new Error(`name one of the architectures ${others.join(", ")}`);

const target = join(FETCHED, architecture);
const scratch = mkdtempSync(join(tmpdir(), "platform-"));
rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, "root"), { recursive: true });
const run = (command, words, cwd = ".") =>
  execFileSync(command, words, { encoding: "utf8", cwd, stdio: ["ignore", "pipe", "inherit"] });

/** Unpacks a package of npm; its content must be the one in the lock file, if that has it. */
function unpack(name, version, folder) {
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", scratch, `${name}@${version}`]));
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const locked = packages[`node_modules/${name}`]?.integrity;
  if (locked !== undefined && locked !== packed.integrity)
    throw new Error(`${name}@${version} is not the package in the lock file`);
  mkdirSync(folder, { recursive: true });
  run("tar", ["-xzf", join(scratch, packed.filename), "--strip-components=1", "-C", folder]);
}

/** apt with lists of its own, which checks Debian's signatures and leaves the system as it is. */
const apt = (words) =>
  run(
    "apt-get",
    [
      ...[`APT::Architecture=${architecture}`, `APT::Architectures=${architecture}`, "Dir::State::status=/dev/null"],
      ...[`Dir::State=${scratch}/state`, `Dir::Cache=${scratch}/cache`, "APT::Sandbox::User=root"],
    ]
      .flatMap((option) => ["-o", option])
      .concat("-qq", words),
    scratch,
  );

const packages = {};
function unpackDebian(name) {
  apt(["download", name]);
  const file = readdirSync(scratch).find((each) => each.startsWith(`${name}_`));
  const path = resolve(scratch, file);
  const lines = run("dpkg-deb", ["--contents", path]).trim().split("\n");
  packages[name] = {
    version: run("dpkg-deb", ["--field", path, "Version"]).trim(),
    files: lines.map((line) => basename(line.split(/\s+/)[5])),
  };
  run("dpkg-deb", ["--extract", path, resolve(target, "root")]);
}

try {
  for (const folder of ["state/lists/partial", "cache/archives/partial"]) mkdirSync(join(scratch, folder), { recursive: true });
  unpack(`node-linux-${ARCHITECTURES[architecture].node}`, process.versions.node, join(target, "node"));
  const { version } = JSON.parse(readFileSync("node_modules/libsql/package.json", "utf8"));
  unpack(addonOf(architecture), version, join(target, "addon"));
  apt(["update"]);
  for (const name of new Set(platformOf(NATIVE).libraries.map((library) => library.package.name))) {
    unpackDebian(name);
    // The documentation of some packages, with their licence, is a link to that of another one.
    const documentation = join(target, "root/usr/share/doc", name);
    if (existsSync(documentation)) continue;
    const other = basename(readlinkSync(documentation));
    if (packages[other] === undefined) unpackDebian(other);
  }
  writeFileSync(join(target, "packages.json"), JSON.stringify({ node: process.versions.node, packages }));
} finally {
  rmSync(scratch, { recursive: true });
}
process.stdout.write(`${target}: Node ${process.versions.node}, ${Object.keys(packages).join(", ")}\n`);
