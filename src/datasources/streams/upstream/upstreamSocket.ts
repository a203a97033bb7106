import { channels } from "@exchange-graph/contract/channels";
import type { Argument, Push } from "@exchange-graph/contract/channels/channel";
import { type Frame, PING, readFrame, type SubscriptionOp } from "@exchange-graph/contract/channels/frame";
import { CLOSING_SOON, LOGIN_REQUIRED } from "@exchange-graph/contract/channels/limits";
import type { Clock } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import { Fault } from "../../errors/index.js";
import { Liveness } from "./liveness.js";
import { PacedSender } from "./pacedSender.js";
import { Timers, type Timings } from "./timings.js";
import { UpstreamSubscriptions } from "./upstreamSubscriptions.js";
import { isPassing, type OpenWire, socketFault, type Wire } from "./wire.js";

/** `READY`: open, and logged in if required. */
export type SocketState = "CONNECTING" | "LOGGING_IN" | "READY" | "CLOSED";

/**
 * Reason for the end of a connection: it could not be opened, the login failed or was refused, it broke, it fell silent, or it
 * was closed here.
 */
export type SocketEnd = "unreachable" | "login" | "refused" | "lost" | "silent" | "retired";

export interface SocketOwner {
  /** The exchange confirmed a subscription: its pushes now arrive over this connection. */
  subscribed(socket: Socket, key: string): void;
  pushed(socket: Socket, key: string, push: Push): void;
  /** The exchange refused an argument, or did not answer. */
  refused(socket: Socket, key: string, fault: Fault): void;
  /** The connection has to be replaced: the exchange announced its end, it is old, or its hourly requests are used up. */
  retiring(socket: Socket): void;
  /** Its pushes are overdue, or everything that was under way has arrived. */
  stalled(socket: Socket): void;
  /** The connection has ended. Called once, as the last event. `cause` is the underlying error, if known. */
  closed(socket: Socket, end: SocketEnd, cause: Error | undefined): void;
}

export interface SocketOptions {
  readonly url: string;
  readonly openWire: OpenWire;
  readonly clock: Clock;
  /** Between 0 and 1; jitter of reconnections and retries. */
  readonly random: () => number;
  readonly timings: Timings;
  readonly instrumentation: Instrumentation;
  /** Returns the login frame; undefined on public sockets. */
  readonly login: (() => string) | undefined;
}

/** The channel of an argument, limited to known ones, because the name becomes a label. */
const channelNamed = (argument: Argument): string =>
  channels.find((channel) => channel.parameters(argument) !== undefined)?.name ?? "(other)";

/** Delay after a request that was refused for its rate, plus jitter of the same size. */
const PUT_OFF_MS = 1_000;

/** One connection to the exchange from its opening to its end. Its owner replaces it. */
export class Socket {
  readonly #wire: Wire;
  readonly #sender: PacedSender;
  readonly #subscriptions = new UpstreamSubscriptions();
  readonly #timers: Timers;
  readonly #liveness: Liveness;
  #state: SocketState = "CONNECTING";
  #isRetiring = false;
  #pushTime = 0;

  constructor(
    private readonly options: SocketOptions,
    private readonly owner: SocketOwner,
  ) {
    this.#timers = new Timers(options.clock);
    this.#liveness = new Liveness({
      ...options,
      timers: this.#timers,
      ping: () => this.#sender.wake(),
      stalled: () => {
        if (this.#state !== "CLOSED") this.owner.stalled(this);
      },
      silent: () => this.#end("silent"),
    });
    this.#wire = options.openWire(options.url, {
      opened: () => this.#opened(),
      received: (text) => this.#received(text),
      // Before the connection was open it means that it could not be opened.
      closed: (cause) => this.#end(this.#state === "CONNECTING" ? "unreachable" : "lost", cause),
    });
    this.#sender = new PacedSender(
      options.clock,
      () => this.#nextFrame(),
      (text) => this.#wire.send(text),
    );
    this.#timers.after("connect", options.timings.connectMs, () => this.#end("unreachable"));
  }

  get state(): SocketState {
    return this.#state;
  }

  /** Whether it has announced that it has to be replaced. */
  get isRetiring(): boolean {
    return this.#isRetiring;
  }

  /** Local time of the last message, Unix ms. */
  get lastReceivedAt(): number {
    return this.#liveness.lastReceivedAt;
  }

  get isStalled(): boolean {
    return this.#liveness.isStalled;
  }

  /** Exchange's time of the last push, Unix ms; 0 before the first. */
  get pushTime(): number {
    return this.#pushTime;
  }

  subscribe(argument: Argument): void {
    this.#subscriptions.add(argument);
    this.#sender.wake();
  }

  unsubscribe(key: string): void {
    this.#subscriptions.remove(key);
    this.#sender.wake();
  }

  /** Subscribes again; pushes of the old subscription are ignored. */
  renew(key: string): void {
    this.#subscriptions.renew(key);
    this.#sender.wake();
  }

  /** Marks it for replacement; it serves until then. */
  retire(): void {
    if (this.#isRetiring) return;
    this.#isRetiring = true;
    this.owner.retiring(this);
  }

  close(): void {
    this.#end("retired");
  }

  #opened(): void {
    if (this.#state === "CLOSED") return;
    const { login, timings } = this.options;
    this.#liveness.received();
    if (login === undefined) {
      this.#ready();
      return;
    }
    this.#state = "LOGGING_IN";
    this.#timers.after("connect", timings.connectMs, () => this.#end("login"));
    this.#wire.send(login());
  }

  #ready(): void {
    const { timings, random } = this.options;
    this.#state = "READY";
    this.#timers.stop("connect");
    this.#timers.after("age", timings.retireMs + random() * timings.retireSpreadMs, () => this.retire());
    this.#liveness.start();
    this.#sender.wake();
  }

  /** The ping goes first, because it must not be late. */
  #nextFrame(): string | undefined {
    if (this.#state !== "READY") return undefined;
    const now = this.options.clock.now();
    if (this.#liveness.takePing()) return PING;
    const request = this.#subscriptions.next(now);
    if (request !== undefined) this.#awaitAnswers();
    else {
      const until = this.#subscriptions.waitsUntil(now);
      if (until !== undefined) this.#timers.after("later", until - now, () => this.#sender.wake());
    }
    if (this.#subscriptions.left(now) <= 0) this.retire();
    return request;
  }

  /** Checks pending requests when the oldest one should have been answered. */
  #awaitAnswers(): void {
    const { clock, timings } = this.options;
    const since = this.#subscriptions.waitingSince;
    if (since === undefined) {
      this.#timers.stop("answers");
      return;
    }
    this.#timers.after("answers", Math.max(0, since + timings.ackMs - clock.now()), () => {
      for (const key of this.#subscriptions.expire(clock.now() - timings.ackMs)) {
        this.owner.refused(this, key, new Fault("EXCHANGE_TIMEOUT", "the exchange did not answer the subscription"));
      }
      // The connection may be dead, which is detected before the request is given up.
      this.#awaitAnswers();
      this.#liveness.demandPing();
    });
  }

  #received(text: string): void {
    if (this.#state === "CLOSED") return;
    this.#liveness.received();
    const frame = readFrame(text);
    switch (frame.kind) {
      case "pong":
        this.#liveness.ponged();
        return;
      case "login":
        if (this.#state === "LOGGING_IN") this.#ready();
        return;
      case "ack":
        for (const argument of frame.args) this.#acked(frame.op, argument);
        this.#awaitAnswers();
        this.#sender.wake();
        return;
      case "push": {
        this.#pushTime = Math.max(this.#pushTime ?? 0, frame.push.time ?? 0);
        const route = this.#subscriptions.routeOf(frame.push.argument);
        if (route === "unknown") this.#unplaced(channelNamed(frame.push.argument));
        else if (route !== "unwanted") {
          // A push proves the subscription, also if its confirmation was lost.
          if (route.stage === "subscribing") this.#acked("subscribe", route.argument);
          this.owner.pushed(this, route.key, frame.push);
        }
        return;
      }
      case "error":
        this.#refused(frame);
        return;
      case "unreadable":
        this.#unplaced(undefined);
        return;
    }
  }

  #unplaced(channel: string | undefined): void {
    this.options.instrumentation.unplacedPush.publish({ channel });
  }

  #acked(op: SubscriptionOp, argument: Argument): void {
    const key = this.#subscriptions.acked(op, argument);
    if (key !== undefined) this.owner.subscribed(this, key);
  }

  #refused({ code, msg, argument }: Extract<Frame, { kind: "error" }>): void {
    if (code === CLOSING_SOON) {
      this.retire();
      return;
    }
    if (this.#state === "LOGGING_IN") {
      this.#end(isPassing(code) ? "login" : "refused", socketFault("login", code, msg));
      return;
    }
    if (code === LOGIN_REQUIRED && this.options.login !== undefined) {
      this.#end("lost", socketFault("login", code, msg));
      return;
    }
    const key = this.#subscriptions.accused(argument);
    if (isPassing(code)) {
      const { clock, random } = this.options;
      this.#subscriptions.postpone(key, clock.now() + PUT_OFF_MS * (1 + random()));
    } else if (key !== undefined && this.#subscriptions.refused(key)) {
      this.owner.refused(this, key, socketFault(key, code, msg));
    }
    this.#awaitAnswers();
    this.#sender.wake();
  }

  #end(end: SocketEnd, cause?: Error): void {
    if (this.#state === "CLOSED") return;
    this.#state = "CLOSED";
    this.#sender.stop();
    this.#timers.stopAll();
    if (end === "retired") this.#wire.close();
    else this.#wire.terminate();
    this.owner.closed(this, end, cause);
  }
}
