/** Ends the current task, so that the browser can draw, and answer the user, before the work goes on. */
export const nextTask = (): Promise<void> => new Promise((resume) => setTimeout(resume));

const HIDDEN_MS = 250;

const waitingForFrame = new Set<() => void>();

/** Runs before the next frame is drawn; soon if none is drawn, as in a hidden tab. */
export function nextFrame(run: () => void): void {
  const once = () => {
    if (waitingForFrame.delete(once)) run();
  };
  waitingForFrame.add(once);
  if (document.visibilityState === "visible") requestAnimationFrame(once);
  else setTimeout(once, HIDDEN_MS);
}

// A frame that was requested before its tab was hidden is drawn when the tab is shown again. Tests have no window.
globalThis.addEventListener?.("visibilitychange", () => {
  if (document.visibilityState === "hidden") for (const once of waitingForFrame) setTimeout(once, HIDDEN_MS);
});

interface Build {
  readonly build: () => void;
  readonly isDrawnAlone: boolean;
}

const waiting: Build[] = [];
let isRunning = false;

/** Whether parts of the page are being built. */
export const isBuilding = (): boolean => isRunning;

/**
 * Runs what builds a part of the page that was not there, such as the rows of its first data: one after another, in a task each.
 * `isDrawnAlone`: it takes long to draw, and the next one waits until it is on the screen.
 */
export function inOwnTask(build: () => void, { isDrawnAlone = false } = {}): void {
  waiting.push({ build, isDrawnAlone });
  if (!isRunning) setTimeout(buildFirst);
  isRunning = true;
}

function buildFirst(): void {
  const first = waiting.shift();
  isRunning = first !== undefined;
  if (first === undefined) return;
  if (first.isDrawnAlone) nextFrame(() => setTimeout(buildFirst));
  else setTimeout(buildFirst);
  first.build();
}
