import { setTimeout as pause } from "node:timers/promises";
import { table } from "../table.js";
import { openSlowReader } from "./listener.js";
import { at, SubscribedServer } from "./subscribedServer.js";
import { GATEWAY_SUBSCRIPTION } from "./ticks.js";

/** Effect of a client that reads one byte per second on other clients and on the memory of the gateway. */

const HEALTHY = 1_000;
const EVENTS_PER_SECOND = 50;
/** Subscriptions of the slow client on its one socket: enough to fill the operating system's buffers within seconds. */
const SUBSCRIPTIONS = 100;
const MEASURED_MS = 6_000;

export async function* withSlowReader(): AsyncGenerator<string> {
  yield `## ${HEALTHY} listeners, ${EVENTS_PER_SECOND} events/s, with and without a client that reads one byte per second`;
  const server = await SubscribedServer.of(HEALTHY, "gateway", GATEWAY_SUBSCRIPTION);
  const alone = await server.measure(EVENTS_PER_SECOND, MEASURED_MS, 2_000);
  const aloneKb = await server.kbPerListener();
  const slow = await openSlowReader(server.child.url, GATEWAY_SUBSCRIPTION, SUBSCRIPTIONS);
  await pause(MEASURED_MS);
  const beside = await server.observe(EVENTS_PER_SECOND, MEASURED_MS);
  const grownKb = ((await server.kbPerListener()) - aloneKb) * HEALTHY;
  slow.destroy();
  await server.close();
  const row = (name: string, delays: readonly number[]) => [name, at(delays, 0.5), at(delays, 0.99)];
  yield table(
    ["healthy listeners", "p50 ms", "p99 ms"],
    [row("without the slow client", alone.delays), row("with the slow client", beside.delays)],
  );
  yield `The slow client increased the memory of the gateway by ${grownKb.toFixed(0)} kB.`;
}
