/** Called with an error of the sandbox's own. */
export type Report = (error: unknown) => void;

/** Runs a task and reports its failure instead of throwing. */
export function guarded(report: Report, run: () => void): void {
  try {
    run();
  } catch (error) {
    report(error);
  }
}
