import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const { scripts } = z
  .object({ scripts: z.looseObject({ start: z.string(), sandbox: z.string(), token: z.string(), audit: z.string() }) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

/** What commands write into; and what is this checkout's alone, such as a `.env` with keys. */
const NOT_LINKED = new Set([".env", ".git", "build", "coverage", "data", "deploy"]);

/**
 * npm, without what has been done before the tests run, and without its own start where it runs a script: that takes longer
 * than what it runs. Where it starts a server, that takes the shell's place, so that signals arrive as a supervisor's do.
 */
const npm = (folder: string): string => `npm() {
  case "$*" in
    ci | "prune --omit=dev" | "run codegen" | "run build:server") ;;
    start) exec ${scripts.start} ;;
    "run sandbox") exec ${scripts.sandbox} ;;
    "run --silent token -- "*) shift 4 && ${scripts.token} "$@" ;;
    "run audit -- "*) shift 3 && ${scripts.audit} "$@" ;;
    # Where the libraries that it packs are found in the lock file.
    "run image:stage") (cd ${resolve(".")} && node deploy/image/stage.js ${folder}/build/image) ;;
    *) command npm "$@" ;;
  esac
}
`;

/** A checkout of the repository in which commands of pages run as printed. What they write stays in it. */
export class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), "checkout-"));

  constructor() {
    for (const name of readdirSync(".")) if (!NOT_LINKED.has(name)) symlinkSync(resolve(name), join(this.folder, name));
    cpSync("deploy", join(this.folder, "deploy"), { recursive: true, filter: (path) => !path.startsWith("deploy/secrets") });
  }

  /** The Node of the tests comes first. */
  readonly env = { PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), HOME: this.folder };

  /** The command that runs `code` here, after shell functions that take the place of programs. */
  command(code: string, functions = ""): readonly string[] {
    return ["bash", "--norc", "-euc", `cd ${this.folder}\n${npm(this.folder)}${functions}${code}`];
  }

  /** Runs `code` to its end; what it has printed. An exit code other than 0 is an error. */
  async run(code: string, functions?: string): Promise<string> {
    const [program = "", ...words] = this.command(code, functions);
    const { stdout } = await promisify(execFile)(program, words, { env: this.env, timeout: 180_000 });
    return stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
