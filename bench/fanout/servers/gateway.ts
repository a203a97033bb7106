import { createDataSource } from "../../../src/datasources/index.js";
import type { Streams } from "../../../src/datasources/streams/index.js";
import { report } from "../../child.js";
import { startGateway } from "../../gateway.js";
import { everyTick, type Tick } from "../ticks.js";

/** The gateway with a simulated ticker stream, without an exchange. */

const exchange = createDataSource({
  baseUrl: new URL("http://127.0.0.1:9"),
  accounts: [],
  demo: false,
  deadlineMs: 1_000,
  connections: 1,
  cacheEntries: 100,
  random: Math.random,
});
const listeners = new Set<(tick: Tick) => void>();
const ticker = (_market: unknown, listener: { next(event: object): void }) => {
  const hear = (tick: Tick): void => listener.next({ kind: "snapshot", stale: false, time: tick.time, value: tick });
  listeners.add(hear);
  return () => listeners.delete(hear);
};
const streams = { market: { ticker } } as unknown as Streams;
everyTick((tick) => {
  for (const hear of listeners) hear(tick);
});
report(await startGateway(exchange, { streams }));
