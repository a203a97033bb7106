import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { Child } from "../child.js";
import { table } from "../table.js";
import { Healthy, type Kind, type Timing } from "./healthy.js";

/** What clients that never finish what they began cost those that do: half of them requests, half of them sockets. */

const SLOW = 4_000;
/** They come at a steady rate: faster than the first of them is ended, so that for a moment all of them are there. */
const SLOW_PER_SECOND = 1_600;
/** Healthy requests of each kind. */
const PER_SECOND = 100;
/** What an exchange at the other end of the internet takes. */
const EXCHANGE_MS = 30;
const ALONE_MS = 8_000;
const ROUNDS = 7;

const PHASES = ["alone", "beside them", "while they come", "while they are held", "while they are ended"] as const;
type Phase = (typeof PHASES)[number];

const held = z.object({ open: z.number(), ended: z.number(), longestMs: z.number() });

/** When the slow clients of one round came and went. */
interface Siege {
  readonly cameBy: number;
  readonly endedFrom: number;
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
    const holders = await Child.start("./slowClients/holders.js", gateway.url, String(SLOW));
    const siege = besiege(holders);
    const beside = await healthy.until(siege);
    const { cameBy, endedFrom, longestMs: longest } = await siege;
    await holders.stop();
    const after = await healthy.for(ALONE_MS / 2);
    longestMs = Math.max(longestMs, longest);
    rounds.push({
      alone: [...before, ...after],
      "beside them": beside,
      "while they come": beside.filter(({ startedAt }) => startedAt < cameBy),
      "while they are held": beside.filter(({ startedAt }) => startedAt >= cameBy && startedAt < endedFrom),
      "while they are ended": beside.filter(({ startedAt }) => startedAt >= endedFrom),
    });
  }
  await healthy.close();
  await Promise.all([gateway.stop(), upstream.stop()]);
  return [
    `${SLOW} slow clients, ${SLOW_PER_SECOND} of them a second; ${PER_SECOND} healthy requests a second of each kind; ${ROUNDS} rounds.`,
    answersFrom("cache", "answers from the cache", rounds),
    answersFrom("exchange", `answers from an exchange that takes ${EXCHANGE_MS} ms`, rounds),
    `The longest of them was held for ${(longestMs / 1_000).toFixed(1)} s.`,
  ].join("\n\n");
}

/** Opens them, and looks until the gateway has ended every one. */
async function besiege(holders: Child): Promise<Siege> {
  const began = performance.now();
  holders.begin(SLOW_PER_SECOND);
  let cameBy = 0;
  let endedFrom = 0;
  for (;;) {
    const state = await holders.ask("held", held);
    const now = performance.now();
    if (cameBy === 0 && state.open === SLOW) cameBy = now;
    if (endedFrom === 0 && state.ended > 0) endedFrom = now;
    if (state.ended === SLOW) return { cameBy, endedFrom, longestMs: state.longestMs };
    if (now - began > 60_000) throw new Error(`only ${state.ended} of ${SLOW} slow clients were ended`);
    await pause(50);
  }
}

function answersFrom(kind: Kind, title: string, rounds: readonly Record<Phase, readonly Timing[]>[]): string {
  const rows = PHASES.map((phase) => {
    const each = rounds.map((round) => round[phase].filter((timing) => timing.kind === kind).map(({ ms }) => ms));
    const all = each.flat();
    // Where the machine was busy, the last came when the first were ended already.
    const p99s = each.filter(({ length }) => length > 0).map((round) => at(0.99, round));
    const spread = `${Math.min(...p99s).toFixed(2)}–${Math.max(...p99s).toFixed(2)}`;
    return [phase, String(all.length), at(0.5, all).toFixed(2), at(0.5, p99s).toFixed(2), spread];
  });
  return `${title}:\n\n${table(["", "answers", "p50 ms", "p99 ms, middle round", "p99 of all rounds"], rows)}`;
}

function at(share: number, durations: readonly number[]): number {
  return durations.toSorted((one, other) => one - other)[Math.floor(durations.length * share)] ?? Number.NaN;
}
