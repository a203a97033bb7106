import { Child } from "../child.js";
import { compareCalls } from "./calls.js";
import { comparePushes } from "./pushes.js";

/** Throughput of the sandbox on one core, compared with a minimal server that sends constant bytes. */
export async function compareSandbox(): Promise<string> {
  const bare = await Child.start("./sandbox/servers/bare.js");
  const sandbox = await Child.start("./sandbox/servers/sandbox.js");
  const parts = [await compareCalls(sandbox, bare), await comparePushes(sandbox, bare)];
  await Promise.all([bare.stop(), sandbox.stop()]);
  return parts.join("\n\n");
}
