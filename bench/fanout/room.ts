import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Child } from "../child.js";
import { type Heard, listen } from "./listener.js";

/** What a window of time brought. */
export interface Measured {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  /** The share of what was offered. */
  readonly delivered: number;
  /** From the push to the listener's ear, ms; the shortest first. */
  readonly delays: readonly number[];
}

/** The delay that so large a part of all stays below. */
export const at = (delays: readonly number[], part: number): string => `${delays[Math.floor(delays.length * part)] ?? "-"}`;

/** Delays are read by this many of the listeners, spread over all. */
const MEASURING = 20;
/** Listeners who come and go before memory is first looked at: by then the code is compiled and the pools are filled. */
const FIRST_GUESTS = 100;
/** So long they listen, ms. Small groups run little code a second: it takes seconds until what they run often is compiled. */
const FIRST_VISIT_MS = 5_000;
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
    // A server that pushes nothing costs nothing, and proves nothing.
    if ((await first.measure(100, FIRST_VISIT_MS, 0)).perSecond === 0) throw new Error(`the listeners of ${server} hear nothing`);
    child.begin(0);
    first.#leave();
    await pause(SETTLING_MS);
    const room = new Room(child, subscription, usedBy(child.pid).rssKb);
    await room.#fill(count);
    return room;
  }

  /** What the process holds for each listener beyond what it held without any. */
  get kbPerListener(): number {
    return (usedBy(this.child.pid).rssKb - this.emptyKb) / this.#sockets.length;
  }

  /** Lets the server push so often a second, and looks at it for a while once it runs. */
  async measure(eventsPerSecond: number, measuredMs: number, warmUpMs: number): Promise<Measured> {
    this.child.begin(eventsPerSecond);
    await pause(warmUpMs);
    return this.look(eventsPerSecond, measuredMs);
  }

  /** Looks on. */
  async look(eventsPerSecond: number, measuredMs: number): Promise<Measured> {
    const before = usedBy(this.child.pid);
    Object.assign(this.#heard, { messages: 0, delays: [] });
    const from = performance.now();
    await pause(measuredMs);
    const { messages, delays } = this.#heard;
    const seconds = (performance.now() - from) / 1_000;
    return {
      perSecond: messages / seconds,
      perCpuSecond: (messages * 1_000) / (usedBy(this.child.pid).cpuMs - before.cpuMs),
      delivered: messages / (eventsPerSecond * seconds * this.#sockets.length),
      delays: delays.toSorted((a, b) => a - b),
    };
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

const MS_PER_CLOCK_TICK = 10;
const KB_PER_PAGE = 4;

/** What a process has used so far, asked of Linux: one that is overrun would not answer itself. */
function usedBy(pid: number): { readonly cpuMs: number; readonly rssKb: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
  const [user = 0, system = 0, pages = 0] = [fields[11], fields[12], fields[21]].map((text) => Number.parseInt(text ?? "", 10));
  return { cpuMs: (user + system) * MS_PER_CLOCK_TICK, rssKb: pages * KB_PER_PAGE };
}
