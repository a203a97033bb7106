import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { ManualClock } from "@exchange-graph/contract/clock";
import { callsUnderWay } from "./callsUnderWay.js";

/** One turn of the event loop: whatever has arrived is dealt with. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** File system calls in progress, and an awaited worker thread: the journal's, which waits for the disk. */
const BUSY = new Set(["FSReqCallback", "MessagePort"]);

/**
 * A turn of the event loop, or as many as the disk needs for what it has been given. Code that moves a clock by turns uses
 * these: a slow disk would otherwise cost hours of that clock.
 */
export async function quietTurn(): Promise<void> {
  await turn();
  for (let turns = 1; process.getActiveResourcesInfo().some((resource) => BUSY.has(resource)); turns++) await turnOrPause(turns);
}

/** Turns without a pause. If more are needed, another thread or process needs the processor. */
const QUICK_TURNS = 20;

const turnOrPause = (turns: number): Promise<void> => (turns < QUICK_TURNS ? turn() : pause(1));

/** Waits for something that itself waits for the clock, which goes on by so much with each quiet turn. */
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

/** So many turns without a call under way, and what the last one has led to has been done. */
const IDLE_TURNS = 4;
/** Time that is skipped at once at most. */
const LONGEST_SKIP_MS = 60_000;

/**
 * The same for what waits for the clock and for HTTP calls of this process alone: as long as no call is under way, time up to what
 * is booked next is skipped.
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

/** Lets the event loop turn until something holds; for what has to travel over a real socket. */
export async function eventually(holds: () => boolean, withinMs = 10_000): Promise<void> {
  const until = performance.now() + withinMs;
  for (let turns = 1; !holds(); turns++) {
    if (performance.now() > until) throw new Error(`it never came to hold: ${holds.toString()}`);
    await turnOrPause(turns);
  }
}

/** Gives a message that may be on its way the time to arrive; for asserting that nothing comes. */
export async function settled(turns = 20): Promise<void> {
  for (let count = 0; count < turns; count++) await turn();
}
