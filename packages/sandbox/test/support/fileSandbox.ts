import { afterAll } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox.js";

/** A sandbox for all tests of a file, which is closed after them. It only counts calls over a limit, unless `options` say otherwise. */
export async function fileSandbox(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await startSandbox({ enforceLimits: false, ...options });
  afterAll(() => sandbox.close());
  return sandbox;
}
