import type { Browser } from "playwright-core";
import { z } from "zod";

/** Chromium's trace events for a task and for a thread's name. */
const event = z.object({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  /** µs, and those of them that the thread had a processor. */
  dur: z.number().optional(),
  tdur: z.number().optional(),
  args: z.object({ name: z.string().optional() }).optional(),
});

const US_PER_MS = 1_000;

/** A task of a page's main thread. */
export interface Task {
  readonly ms: number;
  /** Without the time for which other processes had the processor. */
  readonly cpuMs: number;
}

/** Records each task on the main thread of the busiest page's process until the returned function is called. */
export async function recordTasks(browser: Browser): Promise<() => Promise<readonly Task[]>> {
  const devtools = await browser.newBrowserCDPSession();
  const events: z.output<typeof event>[] = [];
  devtools.on("Tracing.dataCollected", ({ value }) => {
    for (const row of value) {
      const { data } = event.safeParse(row);
      if (data !== undefined && (data.name === "thread_name" || data.name.endsWith("RunTask"))) events.push(data);
    }
  });
  await devtools.send("Tracing.start", {
    traceConfig: { includedCategories: ["toplevel"], excludedCategories: ["*"], recordMode: "recordContinuously" },
  });
  return async () => {
    const complete = new Promise<void>((resolve) => devtools.on("Tracing.tracingComplete", () => resolve()));
    await devtools.send("Tracing.end");
    await complete;
    await devtools.detach();
    const main = events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => events.filter((one) => one.pid === pid && one.tid === tid && one.dur !== undefined))
      .sort((a, b) => b.length - a.length)[0];
    return (main ?? []).map(({ dur = 0, tdur = 0 }) => ({ ms: dur / US_PER_MS, cpuMs: tdur / US_PER_MS }));
  };
}
