import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Namespace, twoNamespaces, whyNoNamespaces } from "../../../support/namespaces.js";

const BUILT = existsSync(join(import.meta.dirname, "../../../../dist/src/datasources/writes/writer.js"));
const WHY_NOT = whyNoNamespaces();

/** A script in one of the networks, and what it says, line by line. */
function started({ exec: [command, ...words] }: Namespace, script: string, argument: object, env: object = {}) {
  const child: ChildProcess = spawn(
    command,
    [...words, process.execPath, join(import.meta.dirname, "support", script), JSON.stringify(argument)],
    { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...env } },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  if (child.stdout === null) throw new Error("no output");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    said: async (): Promise<string> => (await lines.next()).value,
    tell: () => child.stdin?.write("\n"),
  };
}

describe.skipIf(!BUILT)("an order over an established TLS connection whose answer cannot come back", () => {
  it("is looked up, and its key sends no second one, when the system says that the host cannot be reached", async ({ skip }) => {
    if (WHY_NOT !== undefined) skip(WHY_NOT);
    const { near, far, certificate, close } = twoNamespaces();
    onTestFinished(close);
    const exchange = started(far, "farExchange.mjs", { host: far.address, ...certificate });
    const trusted = { NODE_EXTRA_CA_CERTS: certificate.cert };
    const gateway = started(near, "nearGateway.mjs", { url: await exchange.said() }, trusted);
    expect(await gateway.said()).toBe("ready");
    near.giveUpAfter(3);
    far.wayOut("blackhole");
    gateway.tell();
    expect(await exchange.said()).toBe("order");
    near.wayOut("unreachable");
    expect(await gateway.said()).toBe("placeOrder failed");
    for (const end of [near, far]) end.wayOut("open");
    expect(await gateway.said()).toBe("ACCEPTED");
    gateway.tell();
    expect(await gateway.said()).toBe("ACCEPTED");
    exchange.tell();
    expect(await exchange.said()).toBe("1");
  });
});
