import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { Child } from "../child.js";
import { table } from "../table.js";
import { Healthy, type Kind, type Timing } from "./healthy.js";

/** How much slow clients delay others. Half never complete a request, half open a WebSocket and never send `connection_init`. */

const SLOW = 4_000;
/** Connection rate: high enough that all are connected before the first is disconnected. */
const SLOW_PER_SECOND = 1_600;
/** Healthy requests of each kind. */
const PER_SECOND = 100;
/** Latency of a remote exchange. */
const EXCHANGE_MS = 30;
const ALONE_MS = 8_000;
const ROUNDS = 7;

const PHASES = [
  "without slow clients",
  "with slow clients",
  "while they connect",
  "while they are connected",
  "while they are disconnected",
] as const;
type Phase = (typeof PHASES)[number];

const slowState = z.object({ open: z.number(), disconnected: z.number(), longestMs: z.number() });

/** Times of one round of slow clients: when all were connected, when the first was disconnected, and the longest connection. */
interface SlowRound {
  readonly connectedAt: number;
  readonly disconnectedFrom: number;
  readonly longestMs: number;
}

export async function compareSlowClients(): Promise<string> {
  const upstream = await Child.start("./reads/upstream.js", String(EXCHANGE_MS));
  const gateway = await Child.start("./reads/servers/gateway.js", upstream.url);
  const healthy = new Healthy(gateway.url, PER_SECOND);
  await healthy.for(ALONE_MS);
  const rounds: Record<Phase, readonly Timing[]>[] = [];
  let longestMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = await healthy.for(ALONE_MS / 2);
    const slowClients = await Child.start("./slowClients/slowConnections.js", gateway.url, String(SLOW));
    const slowRound = openSlowClients(slowClients);
    const beside = await healthy.until(slowRound);
    const { connectedAt, disconnectedFrom, longestMs: longest } = await slowRound;
    await slowClients.stop();
    const after = await healthy.for(ALONE_MS / 2);
    longestMs = Math.max(longestMs, longest);
    rounds.push({
      "without slow clients": [...before, ...after],
      "with slow clients": beside,
      "while they connect": beside.filter(({ startedAt }) => startedAt < connectedAt),
      "while they are connected": beside.filter(({ startedAt }) => startedAt >= connectedAt && startedAt < disconnectedFrom),
      "while they are disconnected": beside.filter(({ startedAt }) => startedAt >= disconnectedFrom),
    });
  }
  await healthy.close();
  await Promise.all([gateway.stop(), upstream.stop()]);
  return [
    `${SLOW} slow clients, ${SLOW_PER_SECOND} per second; ${PER_SECOND} healthy requests per second of each kind; ${ROUNDS} rounds.`,
    answersFrom("cache", "answers from the cache", rounds),
    answersFrom("exchange", `answers from an exchange that takes ${EXCHANGE_MS} ms`, rounds),
    `The longest connection of a slow client lasted ${(longestMs / 1_000).toFixed(1)} s.`,
  ].join("\n\n");
}

/** Opens the slow clients, and waits until the gateway has disconnected all of them. */
async function openSlowClients(slowClients: Child): Promise<SlowRound> {
  const began = performance.now();
  slowClients.begin(SLOW_PER_SECOND);
  let connectedAt = 0;
  let disconnectedFrom = 0;
  for (;;) {
    const state = await slowClients.ask("state", slowState);
    const now = performance.now();
    if (connectedAt === 0 && state.open === SLOW) connectedAt = now;
    if (disconnectedFrom === 0 && state.disconnected > 0) disconnectedFrom = now;
    if (state.disconnected === SLOW) return { connectedAt, disconnectedFrom, longestMs: state.longestMs };
    if (now - began > 60_000) throw new Error(`only ${state.disconnected} of ${SLOW} slow clients were disconnected`);
    await pause(50);
  }
}

function answersFrom(kind: Kind, title: string, rounds: readonly Record<Phase, readonly Timing[]>[]): string {
  const rows = PHASES.map((phase) => {
    const each = rounds.map((round) => round[phase].filter((timing) => timing.kind === kind).map(({ ms }) => ms));
    const all = each.flat();
    // On a busy machine, a round may have no timings in a phase: the first were disconnected before the last had connected.
    const p99s = each.filter(({ length }) => length > 0).map((round) => at(0.99, round));
    const spread = `${Math.min(...p99s).toFixed(2)}–${Math.max(...p99s).toFixed(2)}`;
    return [phase, String(all.length), at(0.5, all).toFixed(2), at(0.5, p99s).toFixed(2), spread];
  });
  return `${title}:\n\n${table(["phase", "answers", "p50 ms", "p99 ms, median round", "p99 of all rounds"], rows)}`;
}

function at(share: number, durations: readonly number[]): number {
  return durations.toSorted((one, other) => one - other)[Math.floor(durations.length * share)] ?? Number.NaN;
}
