import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { endpoints } from "@exchange-graph/contract";
import { channels } from "@exchange-graph/contract/channels";
import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import { ADDRESS_LIMIT } from "@exchange-graph/contract/endpoint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultRuleSchema } from "../src/control/faults.js";
import { SANDBOX_CREDENTIALS } from "../src/credentials.js";
import { type Sandbox, startSandbox } from "../src/sandbox.js";

/** The documentation of the sandbox, held to its word: what it prints is run as it stands. */

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const PAGE = readFileSync(new URL("../../../docs/sandbox.md", import.meta.url), "utf8");
const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, marked, code = ""]) => (marked === language ? [code] : []));
/** The first starts the sandbox. */
const [, ...COMMANDS] = blocks("sh");
const SIGNED = /signed\(\) \{[\s\S]*?\n\}\n/.exec(PAGE)?.[0] ?? "";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const run = promisify(execFile);
const here = (code: string): string => code.replaceAll("127.0.0.1:4100", new URL(sandbox.url).host);
const shell = async (code: string): Promise<string> => (await run("bash", ["-euc", here(SIGNED + code)], { cwd: ROOT })).stdout;

describe("the documentation of the sandbox", () => {
  /** One for each block of commands, in their order. */
  const outcomes: readonly (readonly RegExp[])[] = [
    [/"code":"00000".*"symbol":"BTCUSDT"/],
    [/"code":"00000".*"uid":"8800112233"/],
    [/"clientOid":"my-first".*"orderStatus":"filled"/s],
    [/^(?:\{"id":\d+\}\n){14}$/],
    [/"kind":"wrong-checksum".*\{"removed":true\}/s],
    [/"skewMs":45000.*"skewMs":0\}/s],
    [/"query":"decoded".*"query":"either"/s],
    [/"digest":"[0-9a-f]{64}".*"endpoints":\{.*"placeOrder":\{"total":1.*"overrun":0.*"dropped":0/s],
  ];

  it("prints commands that do what it says", async () => {
    expect(COMMANDS).toHaveLength(outcomes.length);
    for (const [at, command] of COMMANDS.entries()) {
      const printed = await shell(command);
      for (const outcome of outcomes[at] ?? []) expect(printed).toMatch(outcome);
    }
    expect(sandbox.faults.rules).toEqual([]);
  }, 60_000);

  it("prints a program that places an order and hears of it", async () => {
    const [program = ""] = blocks("js");
    const { stdout, stderr } = await run("node", ["--input-type=module", "-e", here(program)], { cwd: ROOT, timeout: 30_000 });
    expect(stderr).toBe("");
    expect(stdout).toContain("by-client filled");
  }, 40_000);

  it("prints a program that replays the same world", async () => {
    const [, program = ""] = blocks("js");
    const once = () => run("node", ["--input-type=module", "-e", program], { cwd: ROOT, timeout: 30_000 });
    const [first, second] = await Promise.all([once(), once()]);
    expect(first.stdout).toMatch(/"digest":"[0-9a-f]{64}"/);
    expect(second).toEqual(first);
  }, 40_000);

  it("shows every kind of fault, in its table and in a command that works", () => {
    const kinds = faultRuleSchema.shape.fault.options.map(({ shape }) => shape.kind.value);
    for (const kind of kinds) {
      expect(PAGE).toContain(`| \`${kind}\` |`);
      expect(PAGE).toContain(`"kind": "${kind}"`);
    }
    const named = [...PAGE.matchAll(/"endpoint": "(\w+)"/g)].map(([, name]) => name);
    expect(named.filter((name) => !endpoints.some((endpoint) => endpoint.name === name))).toEqual([]);
    const pushed = [...PAGE.matchAll(/"channel": "(\w+)"/g)].map(([, name]) => name);
    expect(pushed.filter((name) => !channels.some((channel) => channel.name === name))).toEqual([]);
  });

  it("names the keys and the limits that there are", () => {
    for (const { name, key, secret, passphrase } of SANDBOX_CREDENTIALS)
      expect(PAGE).toContain(`| \`${name}\` | \`${key}\` | \`${secret}\` | \`${passphrase}\` |`);
    const { connects, connections, subscribes, channels: subscriptions, messages, requestBytes } = SOCKET_LIMITS;
    const figures = [ADDRESS_LIMIT.limit, subscriptions, requestBytes].map((figure) => figure.toLocaleString("en"));
    for (const figure of [...figures, connects.limit, connections, subscribes.limit, messages.limit])
      expect(PAGE).toMatch(new RegExp(`\\b${figure}\\b`));
  });
});
