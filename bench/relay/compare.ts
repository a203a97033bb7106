import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { Child } from "../child.js";
import { table } from "../table.js";

/** Delay of an event that a follower gets over Redis, relative to the leader, which receives it from the exchange. */

const WARM_MS = 5_000;
const MEASURED_MS = 20_000;
const PER_SECOND = 200;

const reply = z.object({ leads: z.number(), received: z.array(z.tuple([z.string(), z.number()])) });

export async function compareRelay(): Promise<string> {
  const redisUrl = process.env.REDIS_URL;
  if (redisUrl === undefined) return "left out: set REDIS_URL to the address of a Redis";
  const exchange = await Child.start("./relay/upstream.js");
  const leader = await Child.start("./relay/replica.js", exchange.url, redisUrl, "leader");
  await pause(1_000);
  exchange.begin(PER_SECOND);
  const follower = await Child.start("./relay/replica.js", exchange.url, redisUrl, "follower");
  await pause(WARM_MS);
  for (const replica of [leader, follower]) await replica.ask("received", reply);
  for (const replica of [leader, follower]) await replica.usage();
  await pause(MEASURED_MS);
  const [own, relayed] = [await leader.ask("received", reply), await follower.ask("received", reply)];
  const [ownUse, relayedUse] = [await leader.usage(), await follower.usage()];
  for (const child of [leader, follower, exchange]) await child.stop();
  if (relayed.leads > 0) throw new Error("the follower received events from the exchange itself");
  const at = new Map(own.received);
  const later = relayed.received.flatMap(([key, time]) => {
    const first = at.get(key);
    return first === undefined ? [] : [time - first];
  });
  later.sort((one, other) => one - other);
  const of = (share: number) => `${(later[Math.min(later.length - 1, Math.floor(later.length * share))] ?? 0).toFixed(2)} ms`;
  const cpu = (use: { readonly cpuMs: number }, count: number) => `${((use.cpuMs * 1_000) / count).toFixed(0)} µs`;
  return [
    `${later.length} events in ${MEASURED_MS / 1_000} s, received by a leader and by a follower in separate processes.`,
    table(
      ["delay after the leader", "p50", "p90", "p99", "max", "CPU per event, leader", "follower"],
      [
        [
          "relayed",
          of(0.5),
          of(0.9),
          of(0.99),
          of(1),
          cpu(ownUse, own.received.length),
          cpu(relayedUse, relayed.received.length),
        ],
      ],
    ),
  ].join("\n\n");
}
