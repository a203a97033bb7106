/** Ends the current task, so that the browser can draw, and answer the user, before the work goes on. */
export const nextTask = (): Promise<void> => new Promise((resume) => setTimeout(resume));
