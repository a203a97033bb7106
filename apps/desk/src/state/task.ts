/** Ends the current task, so that the browser can draw, and answer the user, before the work goes on. */
export const nextTask = (): Promise<void> => new Promise((resume) => setTimeout(resume));

const waiting: (() => void)[] = [];
let isRunning = false;

/** Whether parts of the page are being built. */
export const isBuilding = (): boolean => isRunning;

/** Runs what builds a part of the page that was not there, such as the rows of its first data: one after another, in a task each. */
export function inOwnTask(build: () => void): void {
  waiting.push(build);
  if (!isRunning) setTimeout(buildFirst);
  isRunning = true;
}

function buildFirst(): void {
  const build = waiting.shift();
  isRunning = waiting.length > 0;
  if (isRunning) setTimeout(buildFirst);
  build?.();
}
