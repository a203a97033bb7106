/**
 * Settings of V8 for processes that live for seconds: a function must have run ten times as long as usual before it is compiled again
 * for speed, and the heap may grow to a size at which little is left to collect. With the usual settings both take half of a worker's
 * processor time, and a sixth of a started gateway's.
 */
export const SHORT_LIVED: readonly string[] = [
  // Later versions of Node do not have it.
  ...(process.versions.node.startsWith("20.") ? ["--interrupt-budget=1000000"] : []),
  ...["--single-threaded-gc", "--initial-heap-size=400", "--min-semi-space-size=32", "--max-semi-space-size=32"],
];

/** Runs one of the project's programs with the tests' Node. */
export const inNode = (...words: readonly string[]): readonly [string, ...string[]] => [
  process.execPath,
  ...SHORT_LIVED,
  ...words,
];
