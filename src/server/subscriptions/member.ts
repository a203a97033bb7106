import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { Clock } from "../../clock.js";
import { Frames, prefixOf } from "./frames.js";
import { type GroupEvent, newestOf, type Pace, payloadOf } from "./pace.js";

/** What a socket may owe its reader before it counts as slow. */
const HIGH_WATER_BYTES = 256 * 1024;
/** What a slow reader with pace ALL may have waiting: past either bound its socket is closed. */
const MAX_WAITING_EVENTS = 1_000;
const MAX_WAITING_BYTES = 1024 * 1024;
/** A socket that takes nothing for so long is dead or hostile. */
const STALL_MS = 30_000;

/** Close code for a reader who is too slow for what it asked for. */
export const TOO_SLOW = 4429;

/** Where one subscription's frames go. */
export interface Seat {
  readonly id: string;
  readonly socket: WebSocket;
  /** The connection under the WebSocket. */
  readonly connection: Socket;
}

/** Counts what is sent and what is not, for metrics. */
export interface DeliveryCounts {
  delivered(messages: number): void;
  missed(events: number): void;
  closedSlow(): void;
}

/** One listener of a group. A slow one is served by its pace, and slows nobody else. */
export class Member {
  readonly #prefix: Buffer;
  /** Events that wait for the connection to drain, or for the current state to be sent first. */
  #waiting: GroupEvent[] = [];
  #held = false;
  #isDraining = false;
  #cancelStall: (() => void) | undefined;

  constructor(
    private readonly seat: Seat,
    private readonly pace: Pace,
    private readonly clock: Clock,
    private readonly counts: DeliveryCounts,
  ) {
    this.#prefix = prefixOf(seat.id);
  }

  /** Events of one moment, with their frames ready to be copied. */
  deliver(events: readonly GroupEvent[], frames: Frames): void {
    if (this.seat.socket.readyState !== this.seat.socket.OPEN) return;
    if (this.#held || this.#waiting.length > 0 || this.seat.connection.writableLength > HIGH_WATER_BYTES) this.#wait(events);
    else this.#write(frames.for(this.#prefix), events.length);
  }

  /** Keeps events back until `greet`. */
  hold(): void {
    this.#held = true;
  }

  /** Sends the current state, then what came meanwhile. */
  greet(state: GroupEvent | undefined): void {
    this.#held = false;
    if (state !== undefined) this.#waiting.unshift(state);
    this.#drained();
  }

  /** Sends what still waits, whatever the connection owes: nothing comes after this. */
  finish(): void {
    this.#cancelStall?.();
    this.#flush();
  }

  leave(): void {
    this.#cancelStall?.();
    this.#waiting = [];
    this.seat.connection.off("drain", this.#drained);
  }

  #wait(events: readonly GroupEvent[]): void {
    this.#waiting.push(...events);
    if (this.pace.mode === "LATEST" && !this.#held) {
      const newest = newestOf(this.#waiting);
      this.counts.missed(this.#waiting.length - 1);
      this.#waiting = newest === undefined ? [] : [newest];
    }
    const bytes = this.#waiting.reduce((sum, { text }) => sum + text.length, 0);
    if (this.#waiting.length > MAX_WAITING_EVENTS || bytes > MAX_WAITING_BYTES) {
      this.#close();
      return;
    }
    if (this.#isDraining || this.#held) return;
    this.#isDraining = true;
    this.seat.connection.once("drain", this.#drained);
    this.#cancelStall = this.clock.after(STALL_MS, () => this.#close());
  }

  readonly #drained = (): void => {
    this.#isDraining = false;
    this.#cancelStall?.();
    this.#flush();
  };

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0 && this.seat.socket.readyState === this.seat.socket.OPEN)
      this.#write(new Frames(waiting.map(payloadOf)).for(this.#prefix), waiting.length);
  }

  #write(frames: Buffer, messages: number): void {
    this.seat.connection.write(frames);
    this.counts.delivered(messages);
  }

  #close(): void {
    this.leave();
    this.counts.closedSlow();
    this.seat.socket.close(TOO_SLOW, "too slow for what it subscribed to");
    // A reader that reads nothing does not answer a close either.
    this.clock.after(STALL_MS / 10, () => this.seat.socket.terminate());
  }
}
