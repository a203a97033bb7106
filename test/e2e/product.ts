import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { SECRET_VARIABLES } from "../../src/config/secrets.js";
import { killedAtExit } from "../support/killedAtExit.js";
import { leaks } from "../support/leaks.js";
import { inNode } from "../support/shortLived.js";

/** The built product in a separate process. */
export interface Product {
  /** Address, for example `http://127.0.0.1:43210`. */
  readonly url: string;
  /** All output so far. */
  output(): string;
  /** Sends a signal that does not end the process. */
  signal(name: NodeJS.Signals): void;
  /** Sends a signal to stop; resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Settings of every product that a test starts: load shedding is off, because other tests may keep the machine busy. It is the
 * subject of `test/transports/http/shedding.test.ts`.
 */
export const PATIENT = { MAX_LOOP_DELAY_READS_MS: "60000", MAX_LOOP_DELAY_WRITES_MS: "60000" } as const;

/** Result of a failed start. */
export interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

const BUILT = inNode(resolve("bundle/main.js"));
const START_LINE = /^GraphiQL on (https?:\S+)\/graphiql — behind it: .+$/m;

/**
 * Starts `command` on a free port in an empty folder, with only `settings` and `PATIENT` as its environment. Resolves once it
 * serves or has ended.
 */
export async function startProduct(
  settings: Readonly<Record<string, string>> = {},
  command: readonly string[] = BUILT,
): Promise<Product | Ended> {
  const child = await spawnProduct(settings, command);
  let output = "";
  const ended = once(child, "close").then(([exitCode]: (number | null)[]): Ended => ({ exitCode: exitCode ?? null, output }));
  const serving = new Promise<Product>((started) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const url = START_LINE.exec(output)?.[1];
        if (url !== undefined) started({ url, output: () => output, signal: (name) => void child.kill(name), stop });
      });
  });
  async function stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    child.kill(signal);
    return (await ended).exitCode;
  }
  return Promise.race([serving, ended]);
}

/** The process itself, for tests of its streams. */
export async function spawnProduct(settings: Readonly<Record<string, string>>, command: readonly string[] = BUILT) {
  for (const name of SECRET_VARIABLES) leaks.know(settings[name] ?? "", `the setting ${name}`);
  const [program = "", ...words] = command;
  const child = spawn(program, words, {
    cwd: await mkdtemp(join(tmpdir(), "product-")),
    env: { PORT: "0", ...PATIENT, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", leaks.stream("the output of the product"));
  child.once(
    "close",
    killedAtExit(() => child.kill("SIGKILL")),
  );
  return child;
}

const [main] = SANDBOX_CREDENTIALS;
if (main === undefined) throw new Error("the sandbox has no keys");
/** Settings with the keys of the sandbox's first account. */
export const MAIN_KEYS = {
  EXCHANGE_API_KEY: main.key,
  EXCHANGE_API_SECRET: main.secret,
  EXCHANGE_API_PASSPHRASE: main.passphrase,
} as const;

/** Starts the product and expects it to serve. */
export async function servingProduct(settings?: Readonly<Record<string, string>>, command?: readonly string[]): Promise<Product> {
  const product = await startProduct(settings, command);
  if ("exitCode" in product) throw new Error(`it ended with ${product.exitCode} instead of serving:\n${product.output}`);
  return product;
}
