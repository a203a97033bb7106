import { SANDBOX_CREDENTIALS } from "./credentials.js";
import { startSandbox } from "./sandbox.js";

const DEFAULT_PORT = "4100";

/** The port from the environment. Throws a `RangeError` that names the setting. */
function portFrom(setting: string): number {
  const port = /^\d{1,5}$/.test(setting) ? Number.parseInt(setting, 10) : Number.NaN;
  if (!(port <= 65_535)) throw new RangeError(`SANDBOX_PORT must be a port number from 0 to 65535, not "${setting}"`);
  return port;
}

async function main(): Promise<void> {
  const sandbox = await startSandbox({ port: portFrom(process.env.SANDBOX_PORT ?? DEFAULT_PORT) });
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
