/** Called with an error of the sandbox's own. */
export type Report = (error: unknown) => void;

/** Runs something whose failure concerns nobody else: it is reported, and that is all. */
export function guarded(report: Report, run: () => void): void {
  try {
    run();
  } catch (error) {
    report(error);
  }
}
