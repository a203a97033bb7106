import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { inNode } from "../support/shortLived.js";

/** The sandbox in a separate process, as `npm run sandbox` starts it. */

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill("SIGKILL");
});

function start(port: string): ChildProcess {
  const [program, ...words] = inNode(resolve("packages/sandbox/dist/main.js"));
  child = spawn(program, words, {
    env: { SANDBOX_PORT: port },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return child;
}

async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  if (stream === null) throw new Error("the process has no such stream");
  const [line] = (await once(createInterface({ input: stream }), "line")) as [string];
  return line;
}

describe("npm run sandbox", () => {
  it("prints its address and its keys in one line, serves, and stops on a signal", async () => {
    const process = start("0");
    const line = await firstLine(process.stdout);
    expect(line).toMatch(
      /^sandbox exchange on http:\/\/127\.0\.0\.1:\d+, keys: sandbox-main-key, sandbox-classic-key, sandbox-broker-key$/,
    );
    const url = /http:\S+(?=,)/.exec(line)?.[0] ?? "";
    expect(await (await fetch(`${url}/api/v2/public/time`)).json()).toMatchObject({ code: "00000" });
    process.kill("SIGTERM");
    expect(await once(process, "exit")).toEqual([0, null]);
  });

  it("names a wrong setting in one line and does not start", async () => {
    const process = start("many");
    expect(await firstLine(process.stderr)).toBe('sandbox: SANDBOX_PORT must be a port number from 0 to 65535, not "many"');
    expect(await once(process, "exit")).toEqual([1, null]);
  });
});
