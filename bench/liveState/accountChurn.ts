import { usedHeap } from "../../test/support/heap.js";
import { pollFleet } from "../dashboards/fleet.js";
import { table } from "../table.js";

/** Ten dashboards, each of which switches to another account every two minutes. */
const FLEET = { warmUpMs: 5_000, setUp: "live", accounts: 60, dashboards: 10, shiftEveryMs: 120_000, stepMs: 50 } as const;
const MINUTES = Number.parseInt(process.env.LIVE_MEMORY_MINUTES ?? "60", 10);
/**
 * Minutes between samples. Even, so that each sample has the same number of live accounts, including those left most recently.
 */
const LOOK_EVERY = Math.max(2, 2 * Math.floor(MINUTES / 12));

export async function accountChurn(): Promise<string> {
  const rows: string[][] = [];
  const { answers, failed } = await pollFleet({
    ...FLEET,
    seconds: MINUTES * 60,
    async onMinute(minute, live) {
      if (minute % LOOK_EVERY !== 0) return;
      rows.push([String(minute), ((await usedHeap()) / 2 ** 20).toFixed(1), String(live.accounts), String(live.connections)]);
    },
  });
  const shown = table(["minute", "heap and buffers MB, sandbox included", "accounts kept live", "connections"], rows);
  return `${shown}\n\n${answers} answers, ${failed} with errors.`;
}
