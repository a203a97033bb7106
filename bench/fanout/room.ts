import { readdirSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Child } from "../child.js";
import { type Heard, listen } from "./listener.js";

/** What a window of time brought. */
export interface Measured {
  readonly messages: number;
  readonly seconds: number;
  /** CPU time of the server, ms. */
  readonly cpuMs: number;
  /** The share of what was offered. */
  readonly delivered: number;
  /** From the push to the listener's ear, ms; the shortest first. */
  readonly delays: readonly number[];
}

/** Several windows as one. */
export function together(windows: readonly Measured[]): Measured {
  const sum = (of: (window: Measured) => number): number => windows.reduce((total, window) => total + of(window), 0);
  return {
    messages: sum(({ messages }) => messages),
    seconds: sum(({ seconds }) => seconds),
    cpuMs: sum(({ cpuMs }) => cpuMs),
    delivered: sum(({ delivered }) => delivered) / windows.length,
    delays: windows.flatMap(({ delays }) => delays).sort((one, other) => one - other),
  };
}

export const perCpuSecond = ({ messages, cpuMs }: Measured): number => (messages * 1_000) / cpuMs;

/** The delay that so large a part of all stays below. */
export const at = (delays: readonly number[], part: number): string => `${delays[Math.floor(delays.length * part)] ?? "-"}`;

/** Delays are read by this many of the listeners, spread over all. */
const MEASURING = 20;
/**
 * Before anything is measured, memory included, every server pushes so many events to a few listeners who come and go: what it
 * runs once for each event is compiled only after thousands of them, which would be the first minute of an ordinary load.
 */
const FIRST_GUESTS = 20;
const FIRST_EVENTS = 6_000;
const FIRST_EVENTS_PER_SECOND = 500;
/** A server that was asked to stop has delivered all when nothing was heard for this long. */
const QUIET_MS = 300;
const SETTLING_MS = 500;

/** A server in a process of its own, and the listeners of one subscription in this one. */
export class Room {
  readonly #heard: Heard = { messages: 0, delays: [] };
  readonly #sockets: Socket[] = [];

  private constructor(
    readonly child: Child,
    private readonly subscription: string,
    /** What the process held when nobody listened, but some had. */
    private readonly emptyKb: number,
  ) {}

  /** Opens a room for so many. */
  static async of(count: number, server: string, subscription: string): Promise<Room> {
    const child = await Child.start(`./fanout/servers/${server}.js`);
    const first = new Room(child, subscription, 0);
    await first.#fill(FIRST_GUESTS);
    const visitMs = (FIRST_EVENTS * 1_000) / FIRST_EVENTS_PER_SECOND;
    // A server that pushes nothing costs nothing, and proves nothing.
    if ((await first.measure(FIRST_EVENTS_PER_SECOND, visitMs, 0)).messages === 0)
      throw new Error(`the listeners of ${server} hear nothing`);
    await first.rest();
    first.#leave();
    await pause(SETTLING_MS);
    const room = new Room(child, subscription, await child.heldKb());
    await room.#fill(count);
    return room;
  }

  /** What the process holds for each listener beyond what it held without any. */
  async kbPerListener(): Promise<number> {
    return ((await this.child.heldKb()) - this.emptyKb) / this.#sockets.length;
  }

  /** Lets the server push so often a second, and looks at it for a while once it runs. */
  async measure(eventsPerSecond: number, measuredMs: number, warmUpMs: number): Promise<Measured> {
    this.child.begin(eventsPerSecond);
    await pause(warmUpMs);
    return this.look(eventsPerSecond, measuredMs);
  }

  /** Looks on. */
  async look(eventsPerSecond: number, measuredMs: number): Promise<Measured> {
    const cpuMsBefore = cpuMsOf(this.child.pid);
    Object.assign(this.#heard, { messages: 0, delays: [] });
    const from = performance.now();
    await pause(measuredMs);
    const { messages, delays } = this.#heard;
    const seconds = (performance.now() - from) / 1_000;
    return {
      messages,
      seconds,
      cpuMs: cpuMsOf(this.child.pid) - cpuMsBefore,
      delivered: messages / (eventsPerSecond * seconds * this.#sockets.length),
      delays: delays.toSorted((a, b) => a - b),
    };
  }

  /** Lets the server push nothing, and waits until everything is delivered. */
  async rest(): Promise<void> {
    this.child.begin(0);
    let before: number;
    do {
      before = this.#heard.messages;
      await pause(QUIET_MS);
    } while (this.#heard.messages > before);
  }

  async close(): Promise<void> {
    this.#leave();
    await this.child.stop();
  }

  #leave(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #fill(count: number): Promise<void> {
    const every = Math.ceil(count / MEASURING);
    for (let index = 0; index < count; index++)
      this.#sockets.push(await listen(this.child.url, this.subscription, this.#heard, index % every === 0));
  }
}

/** The CPU time of a process so far, that of all its threads, asked of Linux: one that is overrun would not answer itself. */
function cpuMsOf(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1"), 10),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000_000;
}
