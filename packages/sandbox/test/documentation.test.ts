import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { endpoints } from "@exchange-graph/contract";
import { channels } from "@exchange-graph/contract/channels";
import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import { ADDRESS_LIMIT } from "@exchange-graph/contract/endpoint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Checkout } from "../../../test/support/checkout.js";
import { codeOf } from "../../../test/support/pages.js";
import { faultRuleSchema } from "../src/control/faults.js";
import { SANDBOX_CREDENTIALS } from "../src/credentials.js";

/** The code blocks of the sandbox's documentation are run as printed. */

const PAGE = readFileSync(new URL("../../../docs/sandbox.md", import.meta.url), "utf8");
/** The first starts the sandbox. */
const [START = "", ...COMMANDS] = codeOf("sandboxCommands");
const [CLIENT = "", REPLAY = ""] = codeOf("sandboxPrograms");
const SIGNED = /signed\(\) \{[\s\S]*?\n\}\n/.exec(PAGE)?.[0] ?? "";

const checkout = new Checkout();
let sandbox: ChildProcess;
let host = "";
beforeAll(async () => {
  const [program = "", ...words] = checkout.command(START);
  sandbox = spawn(program, words, { env: { ...checkout.env, SANDBOX_PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => sandbox.kill("SIGKILL"));
  let printed = "";
  for await (const text of sandbox.stdout ?? []) {
    printed += String(text);
    [, host = ""] = /^sandbox exchange on http:\/\/(\S+),/m.exec(printed) ?? [];
    if (host !== "") break;
  }
});
afterAll(async () => {
  const ended = once(sandbox, "exit");
  sandbox.kill();
  expect(await ended).toEqual([0, null]);
  checkout.remove();
});

const run = promisify(execFile);
const here = (code: string): string => code.replaceAll("127.0.0.1:4100", host);
const shell = (code: string): Promise<string> => checkout.run(here(SIGNED + code));

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
    expect(await shell("curl -s http://127.0.0.1:4100/sandbox/faults")).toBe("[]");
  }, 60_000);

  it("prints a program that places an order and receives its push", async () => {
    expect(codeOf("sandboxPrograms")).toHaveLength(2);
    const { stdout, stderr } = await run("node", ["--input-type=module", "-e", here(CLIENT)], { timeout: 30_000 });
    expect(stderr).toBe("");
    expect(stdout).toContain("by-client filled");
  }, 40_000);

  it("prints a program that replays the same world", async () => {
    const replay = () => run("node", ["--input-type=module", "-e", REPLAY], { timeout: 30_000 });
    const [first, second] = await Promise.all([replay(), replay()]);
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
