import { type Clock, slewed } from "@exchange-graph/contract/clock";
import { countedBits } from "./random.js";

interface Event {
  readonly at: number;
  /** Decides between events of the same time. */
  readonly tie: number;
  readonly seq: number;
  readonly owner: string;
  run: (() => void) | undefined;
}

/** The world's time: runs events one after the other, and everything that follows from one before the next. */
export class VirtualTime {
  readonly #heap: Event[] = [];
  readonly #ties: (of: string) => number;
  #now: number;
  #seq = 0;
  #ran = 0;

  /** `startMs`: Unix ms. */
  constructor(seed: number, startMs: number) {
    this.#ties = countedBits(seed, "ties");
    this.#now = startMs;
  }

  /** Unix ms. */
  get now(): number {
    return this.#now;
  }

  /** Number of events so far. */
  get ran(): number {
    return this.#ran;
  }

  /** Runs a task of `owner` once at this time; the returned function cancels it. */
  at(owner: string, at: number, run: () => void): () => void {
    const event: Event = { at: Math.max(at, this.#now), tie: this.#ties(owner), seq: this.#seq++, owner, run };
    if (!Number.isFinite(event.at)) return () => undefined;
    push(this.#heap, event);
    return () => {
      event.run = undefined;
    };
  }

  /** What `owner` has booked does not happen, and is not kept. */
  forget(owner: string): void {
    for (const event of this.#heap) if (event.owner === owner) event.run = undefined;
  }

  /** Runs every event up to this time, or until `isOver`. */
  async runUntil(until: number, isOver: () => boolean): Promise<void> {
    for (let next = this.#heap[0]; next !== undefined && next.at <= until && !isOver(); next = this.#heap[0]) {
      pop(this.#heap);
      if (next.run === undefined) continue;
      this.#now = next.at;
      this.#ran++;
      next.run();
      await settled();
    }
    this.#now = Math.max(this.#now, isOver() ? this.#now : until);
  }
}

/** Everything that waits for no event has run: promises, and what they leave to the next turns of the event loop. */
async function settled(): Promise<void> {
  await turn();
  await turn();
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Error of a process's clock. */
export interface ClockError {
  /** Of its time at its start, ms. */
  readonly offsetMs: number;
  /** Its seconds in one of the world's. */
  readonly rate: number;
}

/** The clock of one process. Nothing runs while it is paused, and everything afterwards. Once it is killed its timers do not fire. */
export class ProcessClock implements Clock {
  isAlive = true;
  /** Number of timers that have not fired. */
  waiting = 0;
  readonly #startedAt: number;
  /** By how much the machine's clock was set, ms. */
  #setMs = 0;
  /** What came due during a pause, in order; undefined if it runs. */
  #held: (() => void)[] | undefined;

  constructor(
    private readonly time: VirtualTime,
    private readonly owner: string,
    private readonly error: ClockError,
  ) {
    this.#startedAt = time.now;
    const ticks = () => this.#ticks();
    this.now = slewed(() => ticks() + this.#setMs, ticks);
  }

  /** As the system clock of a process. */
  readonly now: () => number;

  /** The monotonic clock of the process. */
  readonly steady: Clock = {
    now: () => Math.floor(this.#ticks()),
    after: (delayMs, task) => this.after(delayMs, task),
  };

  /** The machine's clock is set ahead, or back. */
  set(byMs: number): void {
    this.#setMs += byMs;
  }

  #ticks(): number {
    const { offsetMs, rate } = this.error;
    return this.#startedAt + (this.time.now - this.#startedAt) * rate + offsetMs;
  }

  after(delayMs: number, task: () => void): () => void {
    let isOver = false;
    const end = () => {
      if (!isOver) this.waiting--;
      isOver = true;
    };
    this.waiting++;
    const cancel = this.time.at(this.owner, this.time.now + Math.max(0, delayMs) / this.error.rate, () =>
      this.arrive(() => {
        if (isOver) return;
        end();
        task();
      }),
    );
    return () => {
      end();
      cancel();
    };
  }

  /** Runs what comes from outside: at once, after a pause, or never. */
  arrive(task: () => void): void {
    if (!this.isAlive) return;
    if (this.#held === undefined) task();
    else this.#held.push(task);
  }

  /** The process gets no time to run. */
  pause(forMs: number): void {
    if (this.#held !== undefined) return;
    this.#held = [];
    this.time.at(this.owner, this.time.now + forMs, () => this.#resume());
  }

  /** One by one, as the event loop would. */
  #resume(): void {
    const next = this.#held?.shift();
    if (next === undefined) this.#held = undefined;
    else {
      if (this.isAlive) next();
      this.time.at(this.owner, this.time.now, () => this.#resume());
    }
  }
}

const isBefore = (one: Event, other: Event): boolean =>
  one.at !== other.at ? one.at < other.at : one.tie !== other.tie ? one.tie < other.tie : one.seq < other.seq;

function push(heap: Event[], event: Event): void {
  let at = heap.length;
  heap.push(event);
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up];
    if (parent === undefined || isBefore(parent, event)) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    if (left === undefined) break;
    const isLeft = right === undefined || isBefore(left, right);
    const least = isLeft ? left : right;
    if (isBefore(last, least)) break;
    heap[at] = least;
    at = 2 * at + (isLeft ? 1 : 2);
  }
  heap[at] = last;
}
