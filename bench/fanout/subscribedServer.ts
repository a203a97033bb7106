import { readdirSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Child } from "../child.js";
import { listen, type Received } from "./listener.js";

/** Results of one measurement window. */
export interface Measured {
  readonly messages: number;
  readonly seconds: number;
  /** CPU time of the server, ms. */
  readonly cpuMs: number;
  /** Delivered messages as a share of those that were due. */
  readonly delivered: number;
  /** From the event's due time to its arrival at the listener, ms, ascending. */
  readonly delays: readonly number[];
}

/** Combines several windows into one. */
export function combined(windows: readonly Measured[]): Measured {
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

/** The percentile of ascending delays, for a share from 0 to 1. */
export const at = (delays: readonly number[], part: number): string => `${delays[Math.floor(delays.length * part)] ?? "-"}`;

/** Number of listeners that measure delays, spread over all. */
const MEASURING = 20;
/**
 * Warm-up before the first measurement, that of memory included: every server pushes this many events to a few listeners, which
 * then disconnect. V8 compiles code that runs once per event only after thousands of events, the first minute of an ordinary
 * load.
 */
const WARM_UP_LISTENERS = 20;
const WARM_UP_EVENTS = 6_000;
const WARM_UP_EVENTS_PER_SECOND = 500;
/** A stopped server has delivered everything when no message arrived for this long. */
const QUIET_MS = 300;
const SETTLING_MS = 500;

/** A server in a child process, and its listeners, all with the same subscription, in this process. */
export class SubscribedServer {
  readonly #received: Received = { messages: 0, delays: [] };
  readonly #sockets: Socket[] = [];

  private constructor(
    readonly child: Child,
    private readonly subscription: string,
    /** Memory of the server process after the warm-up, without listeners, kB. */
    private readonly idleKb: number,
  ) {}

  /** Starts a server, warms it up, and connects this many listeners. */
  static async of(count: number, server: string, subscription: string): Promise<SubscribedServer> {
    const child = await Child.start(`./fanout/servers/${server}.js`);
    const first = new SubscribedServer(child, subscription, 0);
    await first.#connect(WARM_UP_LISTENERS);
    const warmUpMs = (WARM_UP_EVENTS * 1_000) / WARM_UP_EVENTS_PER_SECOND;
    // A server that pushes nothing would have excellent figures.
    if ((await first.measure(WARM_UP_EVENTS_PER_SECOND, warmUpMs, 0)).messages === 0)
      throw new Error(`the listeners of ${server} receive no messages`);
    await first.drain();
    first.#disconnect();
    await pause(SETTLING_MS);
    const instance = new SubscribedServer(child, subscription, await child.heldKb());
    await instance.#connect(count);
    return instance;
  }

  /** Memory of the server process per listener, above that without listeners, kB. */
  async kbPerListener(): Promise<number> {
    return ((await this.child.heldKb()) - this.idleKb) / this.#sockets.length;
  }

  /** Starts pushing at a rate, and measures a window after the warm-up. */
  async measure(eventsPerSecond: number, measuredMs: number, warmUpMs: number): Promise<Measured> {
    this.child.begin(eventsPerSecond);
    await pause(warmUpMs);
    return this.observe(eventsPerSecond, measuredMs);
  }

  /** Measures a window at the current rate. */
  async observe(eventsPerSecond: number, measuredMs: number): Promise<Measured> {
    const cpuMsBefore = cpuMsOf(this.child.pid);
    Object.assign(this.#received, { messages: 0, delays: [] });
    const from = performance.now();
    await pause(measuredMs);
    const { messages, delays } = this.#received;
    const seconds = (performance.now() - from) / 1_000;
    return {
      messages,
      seconds,
      cpuMs: cpuMsOf(this.child.pid) - cpuMsBefore,
      delivered: messages / (eventsPerSecond * seconds * this.#sockets.length),
      delays: delays.toSorted((a, b) => a - b),
    };
  }

  /** Stops the pushes, and waits until all messages are delivered. */
  async drain(): Promise<void> {
    this.child.begin(0);
    let before: number;
    do {
      before = this.#received.messages;
      await pause(QUIET_MS);
    } while (this.#received.messages > before);
  }

  async close(): Promise<void> {
    this.#disconnect();
    await this.child.stop();
  }

  #disconnect(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #connect(count: number): Promise<void> {
    const every = Math.ceil(count / MEASURING);
    for (let index = 0; index < count; index++)
      this.#sockets.push(await listen(this.child.url, this.subscription, this.#received, index % every === 0));
  }
}

/** CPU time of all threads of a process so far, read from Linux: an overloaded process would not answer a query. */
function cpuMsOf(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1"), 10),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000_000;
}
