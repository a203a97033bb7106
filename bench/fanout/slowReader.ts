import { setTimeout as pause } from "node:timers/promises";
import { table } from "../table.js";
import { openSlowly } from "./listener.js";
import { at, Room } from "./room.js";
import { OUR_SUBSCRIPTION } from "./ticks.js";

/** What a client that reads one byte a second costs the others, and the process. */

const HEALTHY = 1_000;
const EVENTS_PER_SECOND = 50;
/** The slow one subscribes so often on its one socket that the system's own buffers are full within seconds. */
const SUBSCRIPTIONS = 100;
const MEASURED_MS = 6_000;

export async function besideASlowReader(): Promise<string> {
  const room = await Room.of(HEALTHY, "gateway", OUR_SUBSCRIPTION);
  const alone = await room.measure(EVENTS_PER_SECOND, MEASURED_MS, 2_000);
  const aloneKb = await room.kbPerListener();
  const slow = await openSlowly(room.child.url, OUR_SUBSCRIPTION, SUBSCRIPTIONS);
  await pause(MEASURED_MS);
  const beside = await room.look(EVENTS_PER_SECOND, MEASURED_MS);
  const grownKb = ((await room.kbPerListener()) - aloneKb) * HEALTHY;
  slow.destroy();
  await room.close();
  const row = (name: string, delays: readonly number[]) => [name, at(delays, 0.5), at(delays, 0.99)];
  return `## ${HEALTHY} listeners, ${EVENTS_PER_SECOND} events/s, and one that reads a byte a second\n\n${table(
    ["healthy listeners", "p50 ms", "p99 ms"],
    [row("alone", alone.delays), row("beside the slow one", beside.delays)],
  )}\n\nThe process grew by ${grownKb.toFixed(0)} kB beside it.`;
}
