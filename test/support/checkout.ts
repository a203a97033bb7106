import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { SHORT_LIVED } from "./shortLived.js";

const { scripts } = z
  .object({
    scripts: z.looseObject({ start: z.string(), sandbox: z.string(), token: z.string(), audit: z.string(), export: z.string() }),
  })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

/** Folders that commands write into, and files that belong to this checkout only, such as a `.env` with keys. */
const NOT_LINKED = new Set([".env", ".git", "build", "coverage", "data", "deploy"]);

const inShort = (script: string): string => script.replace(/^node /, `node ${SHORT_LIVED.join(" ")} `);

/**
 * npm, without the steps already done before the tests run, and without npm's startup for scripts: that takes longer
 * than the script. A server replaces the shell, so that it receives signals as from a supervisor.
 */
const npm = (folder: string): string => `npm() {
  case "$*" in
    ci | "prune --omit=dev" | "run codegen" | "run build:server") ;;
    start) exec ${inShort(scripts.start)} ;;
    "run sandbox") exec ${inShort(scripts.sandbox)} ;;
    "run --silent token -- "*) shift 4 && ${inShort(scripts.token)} "$@" ;;
    "run audit -- "*) shift 3 && ${inShort(scripts.audit)} "$@" ;;
    "run export -- "*) shift 3 && ${inShort(scripts.export)} "$@" ;;
    # Runs in the repository, whose lock file locates the packed libraries.
    "run image:stage") (cd ${resolve(".")} && node deploy/image/stage.js ${folder}/build/image) ;;
    *) command npm "$@" ;;
  esac
}
`;

/** A checkout of the repository in which the pages' commands run as printed. Everything that they write stays in it. */
export class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), "checkout-"));

  constructor() {
    for (const name of readdirSync(".")) if (!NOT_LINKED.has(name)) symlinkSync(resolve(name), join(this.folder, name));
    cpSync("deploy", join(this.folder, "deploy"), { recursive: true, filter: (path) => !path.startsWith("deploy/secrets") });
  }

  /** `PATH` with the tests' Node first. */
  readonly env = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), HOME: this.folder };

  /** The command that runs `code` here, after shell functions that replace programs. */
  command(code: string, functions = ""): readonly string[] {
    return ["bash", "--norc", "-euc", `cd ${this.folder}\n${npm(this.folder)}${functions}${code}`];
  }

  /** Runs `code` to completion and returns its output. An exit code other than 0 is an error. */
  async run(code: string, functions?: string): Promise<string> {
    const [program = "", ...words] = this.command(code, functions);
    const { stdout } = await promisify(execFile)(program, words, { env: this.env, timeout: 180_000 });
    return stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
