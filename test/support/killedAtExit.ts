/** Ends of processes that tests have started and that are still running. */
const ends = new Set<() => void>();

process.once("exit", () => {
  for (const end of ends) end();
});

/**
 * A test that fails or runs out of time leaves no process behind: `end` is called when the worker ends. Returns the function that
 * forgets it, for when the process has ended.
 */
export function killedAtExit(end: () => void): () => void {
  ends.add(end);
  return () => ends.delete(end);
}
