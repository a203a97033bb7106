import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Copies a file to the same path below another root, following symbolic links. */
function copyTo(root, path, target = path) {
  mkdirSync(dirname(join(root, target)), { recursive: true });
  copyFileSync(path, join(root, target));
}

/**
 * Creates the root file system of an image: Node without its symbols, the libraries that it and SQLite's binary need, a user, and
 * the mount points of container runtimes. No shell and no package manager.
 */
export function makeRoot(root, { node, libraries }) {
  for (const folder of ["proc", "sys", "dev", "etc", "app", "var/lib", "tmp"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "etc/passwd"), "nonroot:x:65532:65532::/var/lib/exchange-graph:/sbin/nologin\n");
  writeFileSync(join(root, "etc/group"), "nonroot:x:65532:\n");
  writeFileSync(join(root, "etc/nsswitch.conf"), "hosts: files dns\n");
  const target = "/usr/local/bin/node";
  mkdirSync(dirname(join(root, target)), { recursive: true });
  // Without binutils for the architecture the symbols are kept, and the image is larger.
  if (spawnSync("strip", ["-o", join(root, target), node.file], { stdio: "ignore" }).status !== 0)
    copyTo(root, node.file, target);
  for (const { file, path } of libraries) copyTo(root, file, path);
}

/** Sets the modes of all files and folders: those of a checkout depend on the umask of who made it. */
export function setModes(root) {
  chmodSync(root, 0o755);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isExecutable = entry.isDirectory() || (statSync(path).mode & 0o100) !== 0;
    chmodSync(path, isExecutable ? 0o755 : 0o644);
  }
}

/** Copies a built page. An asset that exists in compressed form is copied in that form only: every browser accepts it. */
export function copyPage(from, to) {
  mkdirSync(join(to, "assets"), { recursive: true });
  // The page, and files that have fixed addresses.
  for (const entry of readdirSync(from, { withFileTypes: true }))
    if (entry.isFile()) copyFileSync(join(from, entry.name), join(to, entry.name));
  const names = new Set(readdirSync(join(from, "assets")));
  // One compressed form is enough: gzip, which every browser accepts.
  const isLeftOut = (name) => names.has(`${name}.gz`) || name.endsWith(".br");
  for (const name of names) if (!isLeftOut(name)) copyTo(to, join(from, "assets", name), join("assets", name));
}

/**
 * Copies a built site: of each file only the compressed form if it has one; no screenshots, which would be two thirds of its
 * size.
 */
export function copySite(from, to) {
  const files = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(from, join(parentPath, name)));
  const names = new Set(files);
  const isLeftOut = (name) => names.has(`${name}.gz`) || name.endsWith(".br") || /^images\/.*(?<!\.svg)$/.test(name);
  for (const name of files) if (!isLeftOut(name)) copyTo(to, join(from, name), name);
}

/** Files of packages that Node does not load: types, source maps, documentation. */
const NOT_LOADED = /\.(?:map|d\.[cm]?ts|md)$/;

/** Copies packages that cannot be bundled, from their folders to those in which Node finds them. */
export function copyPackages(folders, root) {
  const filter = (path) => !NOT_LOADED.test(path);
  for (const folder of folders) cpSync(folder, join(root, relative(".", folder)), { recursive: true, filter });
}

const LINE = `\n\n${"-".repeat(80)}\n\n`;

/** The licences and notices of the packages in these folders, and of further components. */
export const licencesOf = (folders, components = []) =>
  folders
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const texts = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
      return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(join(folder, file), "utf8").trim())];
    })
    .concat(components.map(({ name, version, licence }) => [`${name} ${version}`, licence.trim()]))
    .map((parts) => parts.join("\n\n"))
    .join(LINE);
