import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { ManualClock } from "@exchange-graph/contract/clock";
import { callsUnderWay } from "./callsUnderWay.js";

/** One turn of the event loop, in which everything that has arrived is processed. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** File system calls in progress, and an awaited worker thread: the journal's, which writes to the disk. */
const BUSY = new Set(["FSReqCallback", "MessagePort"]);

/**
 * A turn of the event loop, or as many as pending disk operations need. Code that advances a clock per turn uses
 * this: otherwise a slow disk would take hours of that clock.
 */
export async function quietTurn(): Promise<void> {
  await turn();
  for (let turns = 1; process.getActiveResourcesInfo().some((resource) => BUSY.has(resource)); turns++) await turnOrPause(turns);
}

/** Turns without a pause. If more are needed, another thread or process needs the processor, the longer the more. */
const QUICK_TURNS = 20;
const LONGEST_PAUSE_MS = 20;

const turnOrPause = (turns: number): Promise<void> => (turns < QUICK_TURNS ? turn() : pause(1));

/** Waits for a promise that depends on the clock, and advances the clock by `stepMs` per quiet turn. */
export async function passing<T>(clock: ManualClock, stepMs: number, waiting: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  waiting.then(end, end);
  for (;;) {
    await quietTurn();
    if (isOver) return waiting;
    clock.advance(stepMs);
  }
}

/** After this many turns without a call in progress, everything that the last call caused has run. */
const IDLE_TURNS = 4;
/** Longest time skipped at once. */
const LONGEST_SKIP_MS = 60_000;

/**
 * Like `passing`, for promises that depend only on the clock and on HTTP calls of this process: while no call is in progress, the
 * time until the next scheduled task is skipped.
 */
export async function skipping<T>(clock: ManualClock, stepMs: number, waiting: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  waiting.then(end, end);
  for (let idleTurns = 0; ; ) {
    await quietTurn();
    if (isOver) return waiting;
    idleTurns = callsUnderWay() > 0 ? 0 : idleTurns + 1;
    const idleMs = idleTurns < IDLE_TURNS ? 0 : Math.min(clock.idleUntil - clock.now(), LONGEST_SKIP_MS);
    if (idleMs > stepMs) idleTurns = 0;
    clock.advance(Math.max(stepMs, idleMs));
  }
}

/** Lets the event loop turn until a condition holds; for data that travels over a real socket. */
export async function eventually(holds: () => boolean, withinMs = 20_000): Promise<void> {
  const until = performance.now() + withinMs;
  for (let turns = 1; !holds(); turns++) {
    if (performance.now() > until) throw new Error(`it never came to hold: ${holds.toString()}`);
    await (turns < QUICK_TURNS ? turn() : pause(Math.min(LONGEST_PAUSE_MS, Math.floor(turns / QUICK_TURNS))));
  }
}

/** Gives a possible message the time to arrive; for asserting that none does. */
export async function settled(turns = 20): Promise<void> {
  for (let count = 0; count < turns; count++) await turn();
}
