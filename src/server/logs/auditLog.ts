import { Audit } from "./audit.js";
import { createLog, type Logger, privateFile } from "./log.js";

/** The audit, in a file of its own or, marked, in the log. What the log leaves out by its level makes no difference. */
export function openAudit(path: string | undefined, log: Logger): Audit {
  if (path === undefined) return new Audit(marked(log));
  const file = privateFile(path);
  file.on("error", (error) => log.error({ err: error }, "the audit could not be written"));
  return new Audit(marked(createLog("info", file)));
}

const marked = (log: Logger): Logger => log.child({ audit: true }, { level: "info" });
