import type { Argument } from "@exchange-graph/contract/channels/channel";
import { PONG } from "@exchange-graph/contract/channels/frame";
import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import { loginSignature, TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import type { Credential, Credentials } from "../credentials.js";
import { equalSecrets } from "../equalSecrets.js";
import { SlidingWindow } from "../http/rateLimits.js";
import type { Directory, SocketKind } from "./directory.js";
import type { Subject } from "./feeds/topicFeed.js";
import { Life } from "./life.js";
import { tradeAnswer } from "./orderEntry.js";
import { SOCKET_REFUSAL, SocketMessages, type SocketRefusal, unknownArgument } from "./socketMessages.js";
import { guarded, type Listener, type SocketGauges, type SocketParts } from "./socketParts.js";
import { type LoginClaim, readRequest, type TradeRequest } from "./socketRequest.js";
import type { Topics } from "./topics.js";

/** A Unix time below this is in seconds: in milliseconds it would lie before March 1973. */
const SECONDS_BELOW = 100_000_000_000;

type LoginOutcome = { readonly credential: Credential } | { readonly refusal: SocketRefusal };

/** Checks a login in the exchange's order: key, passphrase, timestamp, its age, signature. `now` is Unix ms. */
function checkLogin(claim: LoginClaim, credentials: Credentials, now: number): LoginOutcome {
  const credential = credentials.find(claim.apiKey);
  if (credential === undefined) return { refusal: SOCKET_REFUSAL.wrongKey };
  if (!equalSecrets(claim.passphrase, credential.passphrase)) return { refusal: SOCKET_REFUSAL.wrongPassphrase };
  if (!/^\d{1,16}$/.test(claim.timestamp)) return { refusal: SOCKET_REFUSAL.badTimestamp };
  const stated = Number.parseInt(claim.timestamp, 10);
  const at = stated < SECONDS_BELOW ? stated * 1000 : stated;
  if (Math.abs(now - at) > TIMESTAMP_WINDOW_MS) return { refusal: SOCKET_REFUSAL.staleTimestamp };
  if (!equalSecrets(claim.sign, loginSignature(credential.secret, claim.timestamp))) {
    return { refusal: SOCKET_REFUSAL.wrongSignature };
  }
  return { credential };
}

/** The exchange's end of a WebSocket. A `WebSocket` of `ws` is one. */
export interface ServedSocket {
  /** 1 while it is open. */
  readonly readyState: number;
  /** Bytes that the client has not taken. */
  readonly bufferedAmount: number;
  send(frame: string | Buffer, options: { readonly binary: false }): void;
  close(code: number): void;
  terminate(): void;
  /** `data` is the message, as something whose text it is. */
  on(event: "message", listener: (data: { toString(): string }) => void): unknown;
  on(event: "close" | "error", listener: () => void): unknown;
}

/** Dependencies that connections share. */
export interface ConnectionParts extends SocketParts {
  readonly directory: Directory;
  readonly topics: Topics;
  readonly gauges: SocketGauges;
}

/** A client with more unread bytes than this is disconnected. */
const UNREAD_BYTES = 8_388_608;
const OPEN = 1;
/** Close codes of the WebSocket protocol. */
const NORMAL = 1000;
const GOING_AWAY = 1001;
const POLICY = 1008;

/** One client on one socket: its requests, subscriptions and limits. */
export class Connection implements Listener {
  readonly #frames: SocketMessages;
  readonly #life: Life;
  readonly #messages = new SlidingWindow(SOCKET_LIMITS.messages.limit, SOCKET_LIMITS.messages.windowMs);
  readonly #subscribes = new SlidingWindow(SOCKET_LIMITS.subscribes.limit, SOCKET_LIMITS.subscribes.windowMs);
  readonly #subscriptions = new Map<string, () => void>();
  #credential: Credential | undefined;
  #isSilent = false;

  constructor(
    private readonly socket: ServedSocket,
    readonly kind: SocketKind,
    connId: string,
    private readonly parts: ConnectionParts,
  ) {
    this.#frames = new SocketMessages(kind.apiVersion, connId);
    this.#life = new Life(parts.trueClock, {
      onSilence: () => socket.close(NORMAL),
      onWarning: () => this.send(this.#frames.refused(SOCKET_REFUSAL.closingSoon)),
      onMaxAge: () => socket.close(GOING_AWAY),
    });
    parts.gauges.connections++;
    socket.on("message", (data) => guarded(parts.report, () => this.#hear(String(data))));
    socket.on("close", () => this.#end());
    // The protocol was violated or the connection was lost; either way it is about to close.
    socket.on("error", () => socket.terminate());
  }

  send(frame: string | Buffer): void {
    if (this.#isSilent || this.socket.readyState !== OPEN) return;
    if (this.socket.bufferedAmount > UNREAD_BYTES) {
      this.parts.gauges.overrun++;
      this.socket.terminate();
      return;
    }
    this.parts.gauges.sent++;
    this.socket.send(frame, { binary: false });
  }

  silence(): void {
    this.#isSilent = true;
  }

  drop(): void {
    this.socket.terminate();
  }

  #end(): void {
    this.#life.stop();
    this.parts.gauges.connections--;
    for (const key of [...this.#subscriptions.keys()]) this.#leave(key);
  }

  #hear(text: string): void {
    const { gauges, trueClock, enforceLimits } = this.parts;
    gauges.received++;
    if (this.socket.readyState !== OPEN) return;
    if (!this.#messages.take(trueClock.now())) {
      gauges.violations++;
      if (enforceLimits) {
        this.send(this.#frames.refused(SOCKET_REFUSAL.tooManyRequests));
        this.socket.close(POLICY);
        return;
      }
    }
    this.#answer(text);
  }

  #answer(text: string): void {
    const request = readRequest(text);
    switch (request.kind) {
      case "ping":
        this.#life.pinged();
        this.send(PONG);
        break;
      case "login":
        this.#logIn(request.claim);
        break;
      case "subscribe":
        this.#subscribeAll(request.args);
        break;
      case "unsubscribe":
        for (const argument of request.args) this.#unsubscribe(argument);
        break;
      case "trade":
        this.#trade(request.trade);
        break;
      case "refused":
        this.send(this.#frames.refused(request.refusal, request.op));
    }
  }

  #logIn(claim: LoginClaim): void {
    const outcome = checkLogin(claim, this.parts.credentials, this.parts.clock.now());
    if ("refusal" in outcome) {
      this.send(this.#frames.refused(outcome.refusal));
    } else if (this.#credential !== undefined && this.#credential.uid !== outcome.credential.uid) {
      this.send(this.#frames.refused(SOCKET_REFUSAL.loginFailed));
    } else {
      this.#credential = outcome.credential;
      this.send(this.#frames.loggedIn());
    }
  }

  /** Orders are accepted on the private socket of v3 only. */
  #trade(request: TradeRequest): void {
    const { apiVersion, access } = this.kind;
    if (apiVersion === "v3" && access === "private")
      this.send(tradeAnswer(request, this.#credential, this.parts.entrust, this.parts.clock.now()));
    else this.send(this.#frames.refused(SOCKET_REFUSAL.unknownOp));
  }

  #subscribeAll(args: readonly Argument[]): void {
    if (!this.#subscribes.take(this.parts.trueClock.now()) && this.#isOver()) {
      this.send(this.#frames.refused(SOCKET_REFUSAL.tooManyRequests, "subscribe"));
      return;
    }
    for (const argument of args) this.#subscribe(argument);
  }

  #subscribe(argument: Argument): void {
    const found = this.parts.directory.find(this.kind, argument);
    if ("refusal" in found) {
      this.send(this.#frames.refused(found.refusal, found.op));
      return;
    }
    const { subject, key } = found;
    const isNew = !this.#subscriptions.has(key);
    const refusal = this.#refusalOf(subject, isNew);
    if (refusal !== undefined) {
      this.send(this.#frames.refused(refusal));
      return;
    }
    this.send(this.#frames.ack("subscribe", argument));
    if (!isNew) return;
    const uid = subject.channel.access === "private" ? (this.#credential?.uid ?? "") : "";
    this.#subscriptions.set(key, this.parts.topics.join(this, subject, uid));
    this.parts.gauges.subscriptions++;
  }

  #refusalOf({ channel }: Subject, isNew: boolean): SocketRefusal | undefined {
    if (channel.access === "private") {
      if (this.#credential === undefined) return SOCKET_REFUSAL.notLoggedIn;
      const refusal = this.parts.directory.modeRefusal(channel, this.#credential.uid);
      if (refusal !== undefined) return refusal;
    }
    const isFull = isNew && this.#subscriptions.size >= SOCKET_LIMITS.channels;
    return isFull && this.#isOver() ? SOCKET_REFUSAL.tooManyRequests : undefined;
  }

  /** Unsubscribing from a topic without a subscription succeeds too. */
  #unsubscribe(argument: Argument): void {
    const found = this.parts.directory.find(this.kind, argument);
    if ("subject" in found) this.#leave(found.key);
    this.send(
      "subject" in found
        ? this.#frames.ack("unsubscribe", argument)
        : this.#frames.refused(unknownArgument(this.kind.apiVersion, argument)),
    );
  }

  #leave(key: string): void {
    const leave = this.#subscriptions.get(key);
    if (leave === undefined) return;
    this.#subscriptions.delete(key);
    this.parts.gauges.subscriptions--;
    leave();
  }

  #isOver(): boolean {
    this.parts.gauges.violations++;
    return this.parts.enforceLimits;
  }
}
