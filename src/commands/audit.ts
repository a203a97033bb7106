import { parseArgs } from "node:util";
import type { Environment } from "../config/environment.js";
import { checkAudit } from "../telemetry/audit/auditCheck.js";
import { runCommand } from "./runCommand.js";

const USAGE = "npm run audit -- verify [--expect <hash>]… [files, the oldest first; default: the file of AUDIT_LOG]";

/** `npm run audit`: verifies the hash chain of the audit. */
async function main({ AUDIT_LOG = "" }: Environment["variables"]): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { expect: { type: "string", multiple: true, default: [] } },
    allowPositionals: true,
  });
  const [command, ...files] = positionals;
  const paths = files.length > 0 ? files : [AUDIT_LOG].filter((path) => path !== "");
  if (command !== "verify" || paths.length === 0) throw new Error(USAGE);
  const { lines, problems, notes, head } = await checkAudit(paths, values.expect);
  for (const note of notes) process.stdout.write(`note: ${note}\n`);
  for (const problem of problems) process.stdout.write(`BROKEN: ${problem}\n`);
  process.stdout.write(`${lines} lines, ${problems.length} problems; the last line is ${head.n}, its hash ${head.hash}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

runCommand(main, 2);
