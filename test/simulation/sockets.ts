import type { SandboxInMemory } from "@exchange-graph/sandbox";
import type { OpenWire, Wire, WireListener } from "../../src/datasources/streams/upstream/wire.js";
import { chance, type Random, streamOf } from "./random.js";
import type { ProcessClock, VirtualTime } from "./time.js";

/** What can happen to the connections of streams. `share`: probability for each of the connections that are open. */
export type SocketFault =
  /** They break, and so does each attempt to open one, for some time. */
  | { readonly kind: "cut"; readonly share: number; readonly forMs: number }
  /** Nothing arrives for some time, and then everything does. */
  | { readonly kind: "frozen"; readonly share: number; readonly forMs: number }
  /** Nothing arrives at one end any more, and neither end notices. What is not confirmed is soon not sent any more either. */
  | { readonly kind: "halfOpen"; readonly share: number; readonly end: "client" | "server" }
  /** Everything arrives up to `delayMs` late, in its order. */
  | { readonly kind: "slow"; readonly share: number; readonly delayMs: number; readonly forMs: number };

const LATENCY_MS = 4;
/** An end that has sent a close frame ends the connection itself after this time. */
const CLOSING_MS = 30_000;
/** A system stops sending to an end that confirms nothing after about this time. */
const UNCONFIRMED_MS = 15_000;
/** `readyState` of a WebSocket. */
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;

interface Opener {
  readonly gateway: string;
  readonly address: string;
  readonly clock: ProcessClock;
}

/** The WebSockets between gateways and the exchange. */
export class SocketNetwork {
  readonly #open = new Set<SocketPair>();
  readonly #counts = new Map<string, number>();
  #downUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly time: VirtualTime,
    private readonly exchange: SandboxInMemory,
    private readonly seed: number,
    private readonly trace: (line: string) => void,
  ) {}

  /** Opens the connections of one process. */
  opener(opener: Opener): OpenWire {
    return (url, listener) => {
      const path = new URL(url).pathname;
      const name = `${opener.gateway} ${path}`;
      const count = this.#counts.get(name) ?? 0;
      this.#counts.set(name, count + 1);
      const pair = new SocketPair({
        ...{ time: this.time, name: `${name} ${count}`, clock: opener.clock, listener },
        random: streamOf(this.seed, `socket ${name} ${count}`),
        accept: (server) => this.time.now >= this.#downUntil && this.exchange.sockets.connect(server, path, opener.address),
        ended: () => this.#open.delete(pair),
        trace: this.trace,
      });
      this.#open.add(pair);
      return pair.client;
    };
  }

  strike(fault: SocketFault): void {
    const until = this.time.now + ("forMs" in fault ? fault.forMs : 0);
    if (fault.kind === "cut") this.#downUntil = until;
    for (const pair of [...this.#open]) {
      if (!chance(pair.random, fault.share)) continue;
      if (fault.kind === "cut") pair.cut();
      else for (const pipe of pair.pipes) pipe.suffer(fault, until);
    }
  }

  /** Number of connections that an end has open. */
  get open(): number {
    return this.#open.size;
  }

  /** From now on nothing happens to connections by itself. */
  calm(): void {
    this.#downUntil = Number.NEGATIVE_INFINITY;
  }

  /** The connections of a process that was killed. */
  killed(clock: ProcessClock): void {
    for (const pair of [...this.#open]) if (pair.isOf(clock)) pair.die();
  }
}

interface PairParts {
  readonly time: VirtualTime;
  readonly name: string;
  readonly clock: ProcessClock;
  readonly listener: WireListener;
  readonly random: Random;
  readonly accept: (server: ServerEnd) => boolean;
  readonly ended: () => void;
  readonly trace: (line: string) => void;
}

/** One connection with both of its ends. */
class SocketPair {
  readonly client: Wire;
  readonly random: Random;
  readonly #server: ServerEnd;
  readonly #toServer: Pipe;
  readonly #toClient: Pipe;
  #isClientOver = false;
  #isAccepted = false;

  constructor(private readonly parts: PairParts) {
    const { time, name, random } = parts;
    this.random = random;
    this.#toServer = new Pipe(time, `${name} up`, random, "server");
    this.#toClient = new Pipe(time, `${name} down`, random, "client");
    this.#server = new ServerEnd({
      send: (text) => this.#toClient.put(() => this.#ifClient(() => parts.listener.received(text))),
      close: () => {
        this.#toClient.put(() => this.#closeClient(undefined));
        this.#later(CLOSING_MS, () => this.#endServer());
      },
      terminate: () => {
        this.#toClient.put(() => this.#closeClient(new Error("the connection was reset")));
        this.#later(0, () => this.#endServer());
      },
    });
    this.client = {
      send: (text) => this.#toServer.put(() => this.#server.receive(text)),
      close: () => this.#leave(),
      terminate: () => this.#leave(),
    };
    this.#toServer.put(() => this.#accept());
  }

  get pipes(): readonly Pipe[] {
    return [this.#toServer, this.#toClient];
  }

  isOf(clock: ProcessClock): boolean {
    return this.parts.clock === clock;
  }

  /** Both ends notice at once. */
  cut(): void {
    this.#closeClient(new Error("the connection was cut"));
    this.#later(0, () => this.#endServer());
  }

  /** The client's process is gone: its system resets the connection. */
  die(): void {
    this.#isClientOver = true;
    this.#toServer.put(() => this.#endServer());
  }

  #accept(): void {
    if (this.#isClientOver) {
      this.#endServer();
      return;
    }
    this.#isAccepted = this.parts.accept(this.#server);
    if (!this.#isAccepted) this.#toClient.put(() => this.#closeClient(new Error("the connection was refused")));
    else this.#toClient.put(() => this.#ifClient(() => this.parts.listener.opened()));
    this.parts.trace(`${this.parts.time.now} ${this.parts.name} ${this.#isAccepted ? "accepted" : "refused"}`);
  }

  /** The client ends it: its events are over. */
  #leave(): void {
    if (this.#isClientOver) return;
    this.#later(0, () => this.#closeClient(undefined));
    this.#toServer.put(() => this.#endServer());
  }

  #ifClient(act: () => void): void {
    this.parts.clock.arrive(() => {
      if (!this.#isClientOver) act();
    });
  }

  #closeClient(cause: Error | undefined): void {
    this.#ifClient(() => {
      this.#isClientOver = true;
      this.parts.listener.closed(cause);
    });
    this.#toServer.put(() => this.#endServer());
  }

  #endServer(): void {
    if (this.#server.readyState === CLOSED) return;
    this.#server.end();
    this.parts.trace(`${this.parts.time.now} ${this.parts.name} ended`);
    this.parts.ended();
  }

  #later(delayMs: number, task: () => void): void {
    this.parts.time.at(this.parts.name, this.parts.time.now + delayMs, task);
  }
}

/** One direction of a connection: what is put in arrives in order. */
class Pipe {
  readonly #waiting: { readonly at: number; readonly arrive: () => void }[] = [];
  #lastAt = 0;
  #isBooked = false;
  #isBroken = false;
  #frozenUntil = 0;
  #slowUntil = 0;
  #delayMs = 0;

  constructor(
    private readonly time: VirtualTime,
    private readonly name: string,
    private readonly random: Random,
    private readonly end: "client" | "server",
  ) {}

  put(arrive: () => void): void {
    const late = this.time.now < this.#slowUntil ? this.random.between(0, this.#delayMs) : 0;
    this.#lastAt = Math.max(this.#lastAt, this.time.now + this.random.between(1, LATENCY_MS) + late);
    this.#waiting.push({ at: this.#lastAt, arrive });
    this.#book();
  }

  suffer(fault: Exclude<SocketFault, { kind: "cut" }>, until: number): void {
    if (fault.kind === "halfOpen") {
      if (fault.end === this.end) this.#isBroken = true;
      else
        this.time.at(this.name, this.time.now + UNCONFIRMED_MS, () => {
          this.#isBroken = true;
        });
    } else if (fault.kind === "frozen") this.#frozenUntil = until;
    else [this.#slowUntil, this.#delayMs] = [until, fault.delayMs];
  }

  #book(): void {
    const [first] = this.#waiting;
    if (this.#isBooked || first === undefined) return;
    this.#isBooked = true;
    this.time.at(this.name, Math.max(first.at, this.#frozenUntil), () => {
      this.#isBooked = false;
      if (this.time.now >= this.#frozenUntil)
        for (let next = this.#waiting[0]; next !== undefined && next.at <= this.time.now; next = this.#waiting[0]) {
          this.#waiting.shift();
          if (!this.#isBroken) next.arrive();
        }
      this.#book();
    });
  }
}

type ServerListener = (data: { toString(): string }) => void;

/** The exchange's end, as `ws` would give it. */
class ServerEnd {
  readyState: number = OPEN;
  readonly bufferedAmount = 0;
  readonly #listeners: { readonly event: string; readonly listener: ServerListener }[] = [];

  constructor(private readonly line: { send(text: string): void; close(): void; terminate(): void }) {}

  on(event: "message" | "close" | "error", listener: ServerListener | (() => void)): void {
    this.#listeners.push({ event, listener });
  }

  send(frame: string | Buffer): void {
    if (this.readyState === OPEN) this.line.send(frame.toString());
  }

  close(): void {
    if (this.readyState !== OPEN) return;
    this.readyState = CLOSING;
    this.line.close();
  }

  terminate(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSING;
    this.line.terminate();
  }

  receive(text: string): void {
    if (this.readyState === OPEN) this.#emit("message", text);
  }

  end(): void {
    this.readyState = CLOSED;
    this.#emit("close", "");
  }

  #emit(event: string, data: string): void {
    for (const each of this.#listeners) if (each.event === event) each.listener(data);
  }
}
