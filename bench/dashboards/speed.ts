import { executorOf, VirtualExchange } from "./virtualExchange.js";

/** Duration of an answer and of its slowest upstream call, in ms of virtual time. */
export interface Speed {
  readonly answerMs: number;
  /** Wait for rate budget and round trip to the exchange. */
  readonly slowestCallMs: number;
}

/** Measures the second answer to a dashboard, from an exchange that takes `latencyMs` for every call. */
export async function speed(document: string, latencyMs: number): Promise<Speed> {
  const ask = executorOf(document);
  let slowestCallMs = 0;
  const world = await VirtualExchange.open(({ timing }) => {
    if (timing !== undefined) slowestCallMs = Math.max(slowestCallMs, timing.waitMs + timing.tookMs);
  });
  const { clock, sandbox, exchange } = world;
  sandbox.faults.add({ fault: { kind: "latency", delayMs: latencyMs } });
  await world.until(ask(exchange));
  await world.pass(10_000);
  slowestCallMs = 0;
  const requestedAt = clock.now();
  const failures = await world.until(ask(exchange));
  if (failures.length > 0) throw new Error(`the dashboard failed: ${failures.join(", ")}`);
  const answerMs = clock.now() - requestedAt;
  await world.close();
  return { answerMs, slowestCallMs };
}
