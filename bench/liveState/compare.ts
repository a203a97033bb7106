import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { Child } from "../child.js";
import { percentile } from "../dashboards/percentile.js";
import { listen } from "../fanout/listener.js";
import { GATEWAY_SUBSCRIPTION } from "../fanout/ticks.js";
import { table } from "../table.js";
import { accountChurn } from "./accountChurn.js";
import { dashboard } from "./dashboard.js";

/** Latency and cost of live state: pushes to listeners, the example dashboard, and memory over an hour. */

const LISTENERS = 2_000;
const ORDERS_PER_SECOND = 20;
const WARM_UP_MS = 5_000;
const MEASURED_MS = 30_000;

const delaysReply = z.object({ delays: z.array(z.number()) });

export async function compareLiveState(): Promise<string> {
  const exchange = await Child.start("./liveState/exchange.js");
  const gateway = await Child.start("./liveState/gateway.js", ...exchange.url.split(" "));
  const parts = [
    `## Delay from a private push to a listener's socket, with and without ${LISTENERS} listeners of a ticker\n`,
    await pushes(exchange, gateway),
    "\n## The example dashboard\n",
    await dashboard(gateway.url),
  ];
  for (const child of [gateway, exchange]) await child.stop();
  return [
    ...parts,
    "\n## Memory over an hour in which dashboards switch accounts, on a virtual clock\n",
    await accountChurn(),
  ].join("\n");
}

async function pushes(exchange: Child, gateway: Child): Promise<string> {
  const listener = await Child.start("./liveState/listener.js", gateway.url);
  const rows: string[][] = [];
  const sockets: Socket[] = [];
  for (const count of [0, LISTENERS]) {
    const others = { messages: 0, delays: [] };
    while (sockets.length < count) sockets.push(await listen(gateway.url, GATEWAY_SUBSCRIPTION, others, false));
    exchange.begin(ORDERS_PER_SECOND);
    await pause(WARM_UP_MS);
    await listener.ask("delays", delaysReply);
    others.messages = 0;
    await pause(MEASURED_MS);
    const { delays } = await listener.ask("delays", delaysReply);
    exchange.begin(0);
    if (delays.length === 0) throw new Error("the listener has received no order");
    const of = (share: number) => `${percentile(delays, share)}`;
    const perSecond = Math.round((others.messages * 1_000) / MEASURED_MS);
    rows.push([String(count), String(perSecond), String(delays.length), of(0.5), of(0.9), of(0.99), of(1)]);
  }
  for (const socket of sockets) socket.destroy();
  await listener.stop();
  return table(["other listeners", "their events/s", "orders", "p50 ms", "p90 ms", "p99 ms", "max ms"], rows);
}
