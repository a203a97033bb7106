import { Child } from "../child.js";
import { compareCalls } from "./calls.js";
import { comparePushes } from "./pushes.js";

/** What the sandbox serves on one core, beside a server that has nothing to say. */
export async function compareSandbox(): Promise<string> {
  const bare = await Child.start("./sandbox/servers/bare.js");
  const sandbox = await Child.start("./sandbox/servers/sandbox.js");
  const parts = [await compareCalls(sandbox, bare), await comparePushes(sandbox, bare)];
  await Promise.all([bare.stop(), sandbox.stop()]);
  return parts.join("\n\n");
}
