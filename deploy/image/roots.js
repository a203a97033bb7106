import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Copies a file to the same path below another root, following symbolic links. */
function copyTo(root, path, target = path) {
  mkdirSync(dirname(join(root, target)), { recursive: true });
  copyFileSync(path, join(root, target));
}

/** Paths of the shared libraries that binaries load. */
export function librariesOf(binaries) {
  const found = binaries.flatMap((binary) =>
    [...execFileSync("ldd", [binary], { encoding: "utf8" }).matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path),
  );
  return [...new Set(found)].sort();
}

/**
 * Creates the root file system of an image: the running Node without its symbols, the libraries that it and `addons` need, a
 * user, and the mount points of container runtimes. No shell and no package manager.
 */
export function makeRoot(root, addons) {
  for (const folder of ["proc", "sys", "dev", "etc", "app", "var/lib"]) mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(join(root, "tmp"), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  writeFileSync(join(root, "etc/passwd"), "nonroot:x:65532:65532::/var/lib/exchange-graph:/sbin/nologin\n");
  writeFileSync(join(root, "etc/group"), "nonroot:x:65532:\n");
  writeFileSync(join(root, "etc/nsswitch.conf"), "hosts: files dns\n");
  const node = "/usr/local/bin/node";
  mkdirSync(dirname(join(root, node)), { recursive: true });
  // Without binutils the symbols are kept, and the image is larger.
  if (spawnSync("strip", ["-o", join(root, node), process.execPath]).status !== 0) copyTo(root, process.execPath, node);
  for (const library of librariesOf([process.execPath, ...addons])) copyTo(root, library);
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
  const isLeftOut = (name) => names.has(`${name}.gz`) || name.endsWith(".br") || name.startsWith("images/");
  for (const name of files) if (!isLeftOut(name)) copyTo(to, join(from, name), name);
}

/** Copies packages that cannot be bundled. */
export function copyPackages(names, root) {
  for (const name of names) cpSync(join("node_modules", name), join(root, "node_modules", name), { recursive: true });
}

/** The licences and notices of the packages in these folders. */
export const licencesOf = (folders) =>
  folders
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const texts = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
      return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(join(folder, file), "utf8").trim())];
    })
    .map((parts) => parts.join("\n\n"))
    .join(`\n\n${"-".repeat(80)}\n\n`);
