import type { Step } from "./actions.js";
import type { History } from "./profile.js";
import { type RunOptions, run } from "./simulation.js";

/** Maximum number of runs for one history. */
const RUNS = 600;

/** The shortest history found that still breaks the invariant: steps are left out as long as it does. */
export async function shrunk(history: History, invariant: string, options: RunOptions): Promise<History> {
  let runs = 0;
  const breaks = async (steps: readonly Step[]): Promise<boolean> => {
    if (runs++ >= RUNS) return false;
    return (await run({ ...history, steps }, options)).violation?.invariant === invariant;
  };
  let steps = history.steps;
  for (let size = steps.length >> 1; size >= 1; size >>= 1) {
    for (let from = steps.length - size; from > -size && runs < RUNS; from -= size) {
      const start = Math.max(0, from);
      const fewer = [...steps.slice(0, start), ...steps.slice(start + size)];
      if (fewer.length < steps.length && (await breaks(fewer))) steps = fewer;
    }
  }
  return { ...history, steps };
}
