import { execFile, execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { architecturesHere, FETCHED, NATIVE } from "../../deploy/image/platforms.js";
import { UNBUNDLED } from "../../deploy/image/program.js";
import { sbomOf } from "../../deploy/image/sbom.js";
import { writeManifests } from "../../deploy/release/images.js";
import { type Product, servingProduct } from "../e2e/product.js";
import { describeUnless, whyMissing } from "../support/missing.js";
import { expectFirstAnswer } from "./firstQuery.js";
import { parseManifests, whyNoKustomize } from "./manifests.js";

const run = promisify(execFile);
const missing =
  process.env.IMAGES === undefined
    ? "Making a release takes a while: IMAGES=1 enables it"
    : process.platform === "linux"
      ? whyMissing({ dpkg: "dpkg", readelf: "binutils", minisign: "minisign" })
      : "A release is made on Debian or Ubuntu";

const bill = z.object({
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string().optional(),
      purl: z.string().optional(),
      licenses: z.array(z.unknown()).optional(),
      components: z.array(z.object({ name: z.string() })).optional(),
    }),
  ),
});
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));

describeUnless(missing, "the files of a release", () => {
  const folder = mkdtempSync(join(tmpdir(), "artefacts-"));
  const stage = join(folder, "stage");
  const out = join(folder, "release");
  const unpacked = join(folder, `exchange-graph-${version}`);
  let told: string;

  beforeAll(async () => {
    const key = join(folder, "minisign.key");
    execFileSync("minisign", ["-G", "-W", "-p", join(folder, "minisign.pub"), "-s", key]);
    await run(process.execPath, ["deploy/image/stage.js", stage]);
    const words = ["--stage", stage, "--out", out, "--no-images", "--key", key];
    told = (await run(process.execPath, ["deploy/release/release.js", ...words])).stdout;
    execFileSync("tar", ["-xzf", join(out, `exchange-graph-${version}.tar.gz`), "-C", folder]);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are archives, packages, bills of materials, the schema and statements about vulnerabilities, with signed checksums", () => {
    expect(told).toContain("no images: left out by --no-images");
    expect(readdirSync(out).sort()).toEqual(
      [
        ...["SHA256SUMS", "SHA256SUMS.minisig"],
        ...["openvex.json", "sbom.cdx.json", "schema.graphql", "tar.gz"].map((end) => `exchange-graph-${version}.${end}`),
        `exchange-graph-client-${version}.tgz`,
        `exchange-graph-contract-${version}.tgz`,
        `exchange-graph-sandbox-${version}.tar.gz`,
      ].sort(),
    );
    execFileSync("sha256sum", ["--check", "--strict", "--status", "SHA256SUMS"], { cwd: out });
  });

  it("have a signature that does not fit changed checksums", () => {
    const copy = join(folder, "changed");
    mkdirSync(copy);
    for (const name of ["SHA256SUMS", "SHA256SUMS.minisig"]) cpSync(join(out, name), join(copy, name));
    const verify = () => spawnSync("minisign", ["-V", "-p", join(folder, "minisign.pub"), "-m", join(copy, "SHA256SUMS")]).status;
    expect(verify()).toBe(0);
    appendFileSync(join(copy, "SHA256SUMS"), "\n");
    expect(verify()).not.toBe(0);
  });

  it("run where they are unpacked, without an installation: the graph, the pages and the commands", async () => {
    const product: Product = await servingProduct({}, [process.execPath, join(unpacked, "bundle/main.js")]);
    await expectFirstAnswer(product.url);
    for (const path of ["/", "/graphiql", "/docs", "/docs/runbooks"]) {
      const page = await fetch(product.url + path, { headers: { accept: "text/html" } });
      expect([path, page.status, page.headers.get("content-type")]).toEqual([path, 200, "text/html; charset=utf-8"]);
      await page.arrayBuffer();
    }
    expect(await product.stop()).toBe(0);
    const npm = (...words: readonly string[]) => run("npm", ["run", "--silent", ...words], { cwd: unpacked });
    const token = await npm("token", "--", "create", "desk", "--scope", "read:market", "--file", join(folder, "clients.json"));
    expect(token.stdout).toMatch(/^exgt_/);
    expect((await npm("check-config")).stdout).toContain("PORT=4000");
  });

  it("contain in the archive what its documentation and its unit for systemd name, and nothing else that runs", () => {
    const unit = readFileSync(join(unpacked, "deploy/systemd/exchange-graph.service"), "utf8");
    const [, program = ""] = /ExecStart=\S+ \/opt\/exchange-graph\/(\S+)/.exec(unit) ?? [];
    expect(readFileSync(join(unpacked, program), "utf8")).not.toBe("");
    expect(readdirSync(unpacked).sort()).toEqual(
      [
        ...[".env.example", "CHANGELOG.md", "LICENSE", "LICENSES.txt", "README.md", "SECURITY.md"],
        ...[
          "apps",
          "bundle",
          "deploy",
          "docs",
          "node_modules",
          "package-lock.json",
          "package.json",
          "sbom.cdx.json",
          "schema.graphql",
        ],
      ].sort(),
    );
    const readme = readFileSync(join(unpacked, "README.md"), "utf8");
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8")));
    for (const [, name = ""] of readme.matchAll(/npm run --silent (\S+)/g)) expect(scripts).toHaveProperty(name);
  });

  it("contain what is not bundled with all that it loads, in the archive and in the image", () => {
    for (const place of [unpacked, join(stage, NATIVE, "gateway/app")])
      for (const name of UNBUNDLED) {
        const program = `require("node:module").createRequire(${JSON.stringify(join(place, "some.js"))})(${JSON.stringify(name)})`;
        const { status, stderr } = spawnSync(process.execPath, ["--eval", program], { encoding: "utf8" });
        expect([place, name, status], stderr).toEqual([place, name, 0]);
      }
  });

  it("have a lock file for the archive that npm accepts as it is", async () => {
    const place = join(folder, "locked");
    mkdirSync(place);
    for (const name of ["package.json", "package-lock.json"]) cpSync(join(unpacked, name), join(place, name));
    // Compares both files, and asks no registry.
    const { stdout } = await run("npm", ["ls", "--package-lock-only", "--all", "--json"], { cwd: place });
    expect(JSON.parse(stdout)).toMatchObject({ dependencies: { libsql: { dependencies: { "@neon-rs/load": {} } } } });
    expect(JSON.parse(stdout)).not.toHaveProperty("problems");
  });

  it("have a package of the contract that programs outside of the repository can import", () => {
    const place = join(folder, "outside");
    const installed = join(place, "node_modules/@exchange-graph/contract");
    mkdirSync(installed, { recursive: true });
    const packed = join(out, `exchange-graph-contract-${version}.tgz`);
    execFileSync("tar", ["-xzf", packed, "--strip-components=1", "-C", installed]);
    symlinkSync(resolve("node_modules/big.js"), join(place, "node_modules/big.js"));
    const program = `
      import { endpointNamed } from "@exchange-graph/contract";
      import { signature } from "@exchange-graph/contract/signing";
      console.log(endpointNamed("placeOrder").method, typeof signature);`;
    const words = ["--input-type=module", "--eval", program];
    expect(execFileSync(process.execPath, words, { cwd: place, encoding: "utf8" })).toBe("POST function\n");
    const names = readdirSync(installed).sort();
    expect(names).toEqual(["LICENSE", "dist", "package.json", "src"]);
  });

  it("name in each image's bill of materials Node, OpenSSL and the system's libraries, and have their licences", () => {
    for (const architecture of architecturesHere()) {
      const app = join(stage, architecture, "gateway/app");
      const { components } = bill.parse(JSON.parse(readFileSync(join(app, "sbom.cdx.json"), "utf8")));
      const purls = components.flatMap(({ purl }) => purl ?? []);
      const { node, openssl } = process.versions;
      expect(purls).toEqual(
        expect.arrayContaining([
          `pkg:generic/node@${node}?arch=${architecture}`,
          `pkg:generic/openssl@${openssl}`,
          expect.stringMatching(new RegExp(`^pkg:deb/\\w+/libc6@[^?]+\\?arch=${architecture}&distro=`)),
          expect.stringMatching(new RegExp(`^pkg:deb/\\w+/libstdc\\+\\+6@[^?]+\\?arch=${architecture}&distro=`)),
        ]),
      );
      // What the pages bundle.
      const names = components.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["urql", "wonka", "indicatorts", "graphiql", "@graphiql/plugin-explorer"]));
      // Each library of the image is a file of one of these packages.
      const files = components.flatMap((component) => component.components?.map(({ name }) => name) ?? []);
      const root = join(stage, architecture, "gateway");
      const libraries = ["lib", "lib64", "usr/lib"].flatMap((name) => librariesIn(root, name));
      expect(files.sort()).toEqual(libraries.sort());
      const licences = readFileSync(join(app, "LICENSES.txt"), "utf8");
      for (const text of [`node ${node}\n`, "OpenSSL", "GNU C Library", "GCC Runtime Library Exception"])
        expect(licences).toContain(text);
      expect(components.filter(({ purl, licenses }) => purl?.startsWith("pkg:npm/") && licenses === undefined)).toEqual([]);
    }
  });

  it("state truly that nothing in the images but glibc uses its file patterns and regular expressions", () => {
    const statements = readFileSync(join(out, `exchange-graph-${version}.openvex.json`), "utf8");
    for (const name of ["glob(3)", "regcomp, regexec"]) expect(statements).toContain(name);
    for (const architecture of architecturesHere()) {
      const root = join(stage, architecture, "gateway");
      const binaries = execFileSync("find", [root, "-type", "f", "-size", "+4k"], { encoding: "utf8" })
        .trim()
        .split("\n")
        .filter((path) => readFileSync(path).subarray(0, 4).toString("latin1") === "\x7fELF")
        .filter((path) => !/\/(?:libc|libm|libdl|librt|libpthread|ld-linux[^/]*)\.so/.test(path));
      expect(binaries.length).toBeGreaterThan(3);
      for (const path of binaries) {
        const symbols = execFileSync("readelf", ["--dyn-syms", "-W", path], { encoding: "utf8", maxBuffer: 1e9 });
        expect(symbols, path).not.toMatch(/ UND (?:glob|glob64|regcomp|regexec)@/);
      }
    }
  });

  const notFetched =
    architecturesHere().length > 1 ? undefined : `Only ${NATIVE}: npm run image:fetch puts others into ${FETCHED}`;
  describeUnless(missing ?? notFetched, "for another architecture", () => {
    it("have only binaries of it, and every library that these ask for, with the versions that they need", () => {
      const MACHINES: Readonly<Record<string, string>> = { amd64: "Advanced Micro Devices X86-64", arm64: "AArch64" };
      for (const architecture of architecturesHere().filter((name) => name !== NATIVE)) {
        const root = join(stage, architecture, "gateway");
        const files = execFileSync(
          "find",
          [root, "-type", "f", "(", "-name", "node", "-o", "-name", "*.so*", "-o", "-name", "*.node", ")"],
          {
            encoding: "utf8",
          },
        );
        const read = (option: string, path: string) =>
          execFileSync("readelf", [option, path], { encoding: "utf8", maxBuffer: 1e9 });
        const binaries = files.trim().split("\n");
        const names = new Set(binaries.map((path) => path.split("/").at(-1)));
        const defined = new Set<string>();
        const needed: [string, string][] = [];
        for (const path of binaries) {
          expect(/Machine:\s+(.*)/.exec(read("-hW", path))?.[1], path).toBe(MACHINES[architecture]);
          for (const [, name = ""] of read("-dW", path).matchAll(/\(NEEDED\).*\[([^\]]+)\]/g))
            expect([...names], path).toContain(name);
          const [definitions = "", needs = ""] = read("-VW", path).split("Version needs section");
          for (const [, name = ""] of definitions.matchAll(/ Name: ((?:GLIBC|GLIBCXX|CXXABI|GCC)_[\w.]+)/g)) defined.add(name);
          for (const [, name = ""] of needs.matchAll(/ Name: ((?:GLIBC|GLIBCXX|CXXABI|GCC)_[\w.]+)/g)) needed.push([path, name]);
        }
        expect(needed.length).toBeGreaterThan(20);
        expect(needed.filter(([, name]) => !defined.has(name))).toEqual([]);
      }
    });
  });
});

/** Paths of the files below a folder of an image, from its root. */
function librariesIn(root: string, name: string): readonly string[] {
  const path = join(root, name);
  const found = spawnSync("find", [path, "-type", "f"], { encoding: "utf8" }).stdout.trim();
  return found === "" ? [] : found.split("\n").map((file) => file.slice(root.length));
}

it("a bill of materials is refused for a package whose licence nobody has looked at", () => {
  // It is MPL-2.0, and among the packages of the tests only.
  expect(() => sbomOf("some", [resolve("node_modules/axe-core")])).toThrow(/axe-core@.* has the licence MPL-2.0/);
});

describeUnless(whyNoKustomize(), "the manifests of a release", () => {
  it("name the images by the digests that were built", () => {
    const folder = mkdtempSync(join(tmpdir(), "pinned-"));
    const digests = { "exchange-graph": `sha256:${"a".repeat(64)}`, "exchange-graph-sandbox": `sha256:${"b".repeat(64)}` };
    writeManifests(folder, version, digests);
    const imagesOf = (overlay: string) =>
      parseManifests(execFileSync("kubectl", ["kustomize", join(folder, "overlays", overlay)], { encoding: "utf8" })).flatMap(
        ({ spec }) => [...JSON.stringify(spec ?? {}).matchAll(/"image":"(exchange-graph[^"]*)"/g)].map(([, image]) => image),
      );
    expect(imagesOf("exchange")).toEqual([`exchange-graph@${digests["exchange-graph"]}`]);
    expect(imagesOf("sandbox").sort()).toEqual(
      Object.entries(digests)
        .map(([name, digest]) => `${name}@${digest}`)
        .sort(),
    );
    expect(() => writeManifests(folder, "9.9.9", digests)).toThrow(/has the tag \S+ instead of 9\.9\.9/);
    rmSync(folder, { recursive: true });
  });
});
