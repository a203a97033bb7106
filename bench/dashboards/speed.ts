import { asked, VirtualExchange } from "./virtualExchange.js";

/** How long an answer took, and the slowest of the calls it took: both in ms, on the virtual clock. */
export interface Speed {
  readonly answerMs: number;
  /** Its wait for rate budget and its way to the exchange and back. */
  readonly slowestCallMs: number;
}

/** How long a dashboard waits for an exchange that takes `latencyMs` for every call, once it has been answered before. */
export async function speed(document: string, latencyMs: number): Promise<Speed> {
  const ask = asked(document);
  let slowestCallMs = 0;
  const world = await VirtualExchange.open(({ timing }) => {
    if (timing !== undefined) slowestCallMs = Math.max(slowestCallMs, timing.waitMs + timing.tookMs);
  });
  const { clock, sandbox, exchange } = world;
  sandbox.faults.add({ fault: { kind: "latency", delayMs: latencyMs } });
  await world.until(ask(exchange));
  await world.pass(10_000);
  slowestCallMs = 0;
  const askedAt = clock.now();
  const failures = await world.until(ask(exchange));
  if (failures.length > 0) throw new Error(`the dashboard failed: ${failures.join(", ")}`);
  const answerMs = clock.now() - askedAt;
  await world.close();
  return { answerMs, slowestCallMs };
}
