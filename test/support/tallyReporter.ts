import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";

/**
 * Ends the run with one line, `N passed, N failed`, that any CI can parse; before it, lists the tests that were
 * skipped and why. It counts like Vitest's summary: a test that fails as expected is not counted as passed.
 *
 * Everything that went wrong counts as a failure: a failed test, one that never finished, a file or suite whose
 * code or hooks threw, an error that no test caught.
 */
export class TallyReporter implements Reporter {
  #closingLines: readonly string[] = [];

  onInit(): void {
    // Vitest prints while it closes (coverage, a worker that hangs): only a line written at exit is the last.
    process.once("exit", () => {
      for (const line of this.#closingLines) process.stdout.write(`${line}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const fulfilled = tests.filter((test) => test.result().state === "passed");
    const expected = fulfilled.filter(({ options }) => options.fails === true);
    const passed = fulfilled.length - expected.length;
    const skipped = tests.filter((test) => test.result().state === "skipped");
    const broken = modules.flatMap((module) => [module, ...module.children.allSuites()]).filter(hasErrors);
    const failed = tests.length - fulfilled.length - skipped.length + broken.length + unhandledErrors.length;
    this.#closingLines = [
      ...leftOut(skipped),
      [
        `${passed} passed`,
        `${failed} failed`,
        ...(expected.length > 0 ? [`${expected.length} expected fail`] : []),
        ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
      ].join(", "),
    ];
  }
}

const hasErrors = (task: TestModule | TestSuite): boolean => task.errors().length > 0;

/** The skipped tests grouped by the reason, in the order of the run. */
function leftOut(skipped: readonly TestCase[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const test of skipped) {
    const result = test.result();
    const reason = (result.state === "skipped" ? result.note : undefined) ?? "no reason given";
    byReason.set(reason, [...(byReason.get(reason) ?? []), `  ${test.module.relativeModuleId} > ${test.fullName}`]);
  }
  return [...byReason].flatMap(([reason, names]) => [`Left out (${reason}):`, ...names, ""]);
}
