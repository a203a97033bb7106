import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { z } from "zod";

const ROOT = resolve(import.meta.dirname, "../..");
/** Files that define the project's lint rules. */
const RULES = ["biome.json", "lint", "package.json", ".gitignore"];

const report = z.object({
  diagnostics: z.array(
    z.object({
      code: z.object({ value: z.string() }),
      message: z.string(),
      location: z.object({ path: z.string(), range: z.object({ start: z.object({ line: z.number() }) }) }),
    }),
  ),
});

/**
 * Lints files with the project's rules in one run of biome. `files` has the code by path; the result
 * has the findings by path and line (`src/config/config.ts:12`), each as `rule: message`.
 */
export async function lint(files: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, readonly string[]>> {
  const root = await mkdtemp(join(tmpdir(), "exchange-graph-lint-"));
  try {
    for (const path of RULES) await cp(join(ROOT, path), join(root, path), { recursive: true });
    for (const [file, code] of Object.entries(files)) {
      const path = join(root, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, code);
    }
    const findings = new Map<string, string[]>();
    for (const { code, message, location } of report.parse(JSON.parse(await biome(root))).diagnostics) {
      const place = `${relative(root, resolve(root, location.path))}:${location.range.start.line}`;
      findings.set(place, [...(findings.get(place) ?? []), `${code.value}: ${message}`]);
    }
    return findings;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Biome exits with an error if it finds something, so only its output counts; empty output means that it wrote no report. */
const biome = (root: string): Promise<string> =>
  new Promise((done) => {
    execFile(
      join(ROOT, "node_modules/.bin/biome"),
      ["lint", "--reporter=rdjson", "--max-diagnostics=none"],
      { cwd: root, maxBuffer: 16 * 2 ** 20, timeout: 15_000 },
      (_, stdout) => done(stdout),
    );
  });
