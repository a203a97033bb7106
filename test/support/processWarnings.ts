import { afterAll, afterEach } from "vitest";

/**
 * Runs before every test file. A test during which Node warns about the process fails: of listeners that only grow in number, of
 * deprecated calls, of timers or promises that are misused. In production these warnings are lines of nobody's log.
 */

/** Warnings about the Node version, which no code of this project causes. */
const OF_THE_VERSION: ReadonlySet<string> = new Set(["ExperimentalWarning"]);

const heard: Error[] = [];
const hear = (warning: Error): void => {
  if (!OF_THE_VERSION.has(warning.name)) heard.push(warning);
};
process.on("warning", hear);

function failOnWarnings(): void {
  const warnings = heard.splice(0);
  if (warnings.length > 0) throw new Error(warnings.map(({ stack, message }) => stack ?? message).join("\n\n"));
}
afterEach(failOnWarnings);
afterAll(() => {
  process.off("warning", hear);
  failOnWarnings();
});
