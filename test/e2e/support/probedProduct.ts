import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { turn } from "../../support/eventually.js";
import { killedAtExit } from "../../support/killedAtExit.js";
import { PATIENT } from "../product.js";

/** The built product in a separate process, which reports the size of its heap. */
export interface ProbedProduct {
  readonly url: string;
  /** Bytes in use after a collection. */
  heap(): Promise<number>;
  /** Advances its time, and waits until it has no immediate work left, disk operations included. */
  advance(ms: number): Promise<void>;
  /** Resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** Time per turn while it stops. */
const STEP_MS = 100;

const START_LINE = /^GraphiQL on (https?:\S+)\/graphiql/m;

/** Starts the product. `from`: its fixed time, Unix ms. */
export async function probedProduct(settings: Readonly<Record<string, string>>, from: number): Promise<ProbedProduct> {
  const probe = pathToFileURL(join(import.meta.dirname, "heapProbe.mjs"));
  probe.searchParams.set("from", String(from));
  const child = fork(resolve("dist/src/main.js"), {
    cwd: mkdtempSync(join(tmpdir(), "product-")),
    env: { PORT: "0", ...PATIENT, ...settings },
    execArgv: ["--expose-gc", "--import", probe.href],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  child.once(
    "close",
    killedAtExit(() => child.kill("SIGKILL")),
  );
  const ended = once(child, "close");
  let output = "";
  const serving = new Promise<string>((started) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output = `${output}${text}`.slice(-10_000);
        const url = START_LINE.exec(output)?.[1];
        if (url !== undefined) started(url);
      });
  });
  async function ask(message: object): Promise<{ readonly heap?: number }> {
    const answer = once(child, "message");
    child.send(message);
    const [said] = await Promise.race([answer, ended.then(() => Promise.reject(new Error(`it has ended:\n${output}`)))]);
    return said;
  }
  const url = await Promise.race([serving, ended.then(() => Promise.reject(new Error(`it has ended:\n${output}`)))]);
  return {
    url,
    heap: async () => (await ask({})).heap ?? Number.NaN,
    advance: async (advanceMs) => {
      await ask({ advanceMs });
    },
    async stop() {
      child.kill("SIGTERM");
      let isOver = false;
      const over = ended.finally(() => {
        isOver = true;
      });
      // Stopping takes time, which there is only if it is moved. A message that meets the end of the process is lost.
      while (!isOver) {
        if (child.connected) child.send({ advanceMs: STEP_MS }, () => undefined);
        await Promise.race([over, turn()]);
      }
      const [code] = await over;
      return code;
    },
  };
}
