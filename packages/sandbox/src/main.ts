#!/usr/bin/env node
import { SANDBOX_CREDENTIALS } from "./credentials.js";
import { sandboxPort } from "./port.js";
import { startSandbox } from "./sandbox.js";

async function main(): Promise<void> {
  const sandbox = await startSandbox({ port: sandboxPort(process.env.SANDBOX_PORT) });
  const keys = SANDBOX_CREDENTIALS.map(({ key }) => key).join(", ");
  process.stdout.write(`sandbox exchange on ${sandbox.url}, keys: ${keys}\n`);
  const stop = () => {
    sandbox.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

function fail(error: unknown): void {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main().catch(fail);
