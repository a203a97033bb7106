import { createLog, type Logger } from "../../src/server/logs/log.js";
import { leaks } from "./leaks.js";

/** A log of every level whose lines are searched for secrets, and kept where somebody wants to read them. */
export const searchedLog = (lines?: string[]): Logger =>
  createLog("trace", {
    write(line) {
      leaks.search(line, "the log");
      lines?.push(line);
    },
  });
