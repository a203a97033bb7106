import type { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { GraphQLError } from "graphql";
import type { Clients } from "../../access/clients.js";
import { bearerIn, bearerOf, KEYS_MISSING, RIGHTS_CHANGED } from "../../access/principal/bearer.js";
import { ANONYMOUS_CLIENT, type ClientPrincipal } from "../../access/principal/clientPrincipal.js";
import { clientGone, Fault, type Requester } from "../../datasources/index.js";
import { operationIn, type ReadRequest } from "../../engine/documents/operationRequest.js";
import type { Caller } from "../../engine/operationCall.js";
import type { Origin } from "../../instrumentation/events.js";
import { traceparentIn } from "../../instrumentation/traceparent.js";
import { bodyTooLong, ENCODED, type HttpAnswer, refusedAs } from "./answer.js";
import type { ArrivalParts } from "./arrivalParts.js";
import { isEncoded, readBody, requestsTrace } from "./requestParts.js";

/** Whether a client is still connected. */
interface Presence {
  readonly isGone: boolean;
  /** Calls once when it disconnects; never if it already has. The returned function cancels it. */
  onceGone(task: () => void): () => void;
}

/** A presence that is ended explicitly. */
export class EndablePresence implements Presence {
  readonly #tasks = new Set<() => void>();
  #isGone = false;

  get isGone(): boolean {
    return this.#isGone;
  }

  onceGone(task: () => void): () => void {
    this.#tasks.add(task);
    return () => this.#tasks.delete(task);
  }

  leave(): void {
    this.#isGone = true;
    const tasks = [...this.#tasks];
    this.#tasks.clear();
    for (const task of tasks) task();
  }
}

/** One per connection, so that many waiting requests add only one listener to the connection. */
const attendances = new WeakMap<Socket, EndablePresence>();

class ConnectionPresence implements Presence {
  constructor(private readonly socket: Socket) {}

  get isGone(): boolean {
    return this.socket.destroyed;
  }

  onceGone(task: () => void): () => void {
    const existing = attendances.get(this.socket);
    if (existing !== undefined) return existing.onceGone(task);
    const attendance = new EndablePresence();
    attendances.set(this.socket, attendance);
    this.socket.once("close", () => attendance.leave());
    return attendance.onceGone(task);
  }
}

export const presenceOf = (socket: Socket): Presence => new ConnectionPresence(socket);

/** Key under which a client's calls take turns. Without configured clients it is the address. */
const clientOf = ({ id: principalId }: ClientPrincipal, address: string | undefined): string =>
  principalId === ANONYMOUS_CLIENT.id ? `address:${address ?? ""}` : principalId;

/** A client that waits for an answer. Nothing more is sent for it once it has disconnected or its token has changed. */
export class ClientRequester implements Requester {
  #tasks: Set<(why: Fault) => void> | undefined;
  #unwatch: (() => void) | undefined;

  constructor(
    private readonly clients: Pick<Clients, "identify" | "watch">,
    private readonly token: string | undefined,
    /** The client as identified when the request arrived. */
    private readonly principal: ClientPrincipal,
    readonly client: string,
    private readonly presence: Presence,
  ) {}

  get weight(): number {
    return this.principal.weight;
  }

  refusal(): Fault | undefined | Promise<Fault | undefined> {
    if (this.presence.isGone) return clientGone();
    const found = this.clients.identify(this.token);
    return found instanceof Promise ? found.then((later) => this.#judged(later)) : this.#judged(found);
  }

  onceRefused(task: (why: Fault) => void): () => void {
    if (this.presence.isGone) {
      task(clientGone());
      return () => undefined;
    }
    this.#tasks ??= new Set();
    this.#tasks.add(task);
    this.#unwatch ??= this.#watch();
    return () => {
      this.#tasks?.delete(task);
      if (this.#tasks?.size === 0) this.#stop();
    };
  }

  /** While keys cannot be fetched, a token that was valid when its request arrived counts as valid. */
  #judged(found: ClientPrincipal | Fault): Fault | undefined {
    if (found instanceof Fault) return found === KEYS_MISSING ? undefined : found;
    return found.key === this.principal.key ? undefined : RIGHTS_CHANGED;
  }

  #watch(): () => void {
    const end = (why: Fault): void => {
      const tasks = [...(this.#tasks ?? [])];
      this.#stop();
      for (const task of tasks) task(why);
    };
    const stops = [this.presence.onceGone(() => end(clientGone())), this.clients.watch(this.token, this.principal, end)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  #stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#tasks = undefined;
  }
}

/** Answers a request that is not admitted. */
export interface RefusalWriter {
  refuse(answer: HttpAnswer): void;
  /** Called with unexpected errors. */
  fail(error: unknown): void;
}

/**
 * A request, or the request that opened a socket: who sent it, what it asks for, and what was refused. All transports identify
 * clients and read operations here.
 */
export class Arrival {
  readonly requestId: string;
  /** Whether answers include the trace and the cost. */
  readonly isTraced: boolean;
  #token: string | undefined;
  #traceparent: string | undefined;
  #client: ClientPrincipal | undefined;
  #origin: Origin | undefined;

  constructor(
    private readonly parts: ArrivalParts,
    readonly request: IncomingMessage,
    private readonly over: Origin["over"],
  ) {
    const { authorization, traceparent } = request.headers;
    this.requestId = parts.nextRequestId();
    this.isTraced = requestsTrace(request);
    this.#token = bearerOf(authorization);
    this.#traceparent = traceparentIn(traceparent);
  }

  get client(): ClientPrincipal {
    if (this.#client === undefined) throw new Error("the client of a request was not identified");
    return this.#client;
  }

  /** The client and request as events name them; `who` is null until the client is identified. */
  get origin(): Origin {
    this.#origin ??= {
      who: this.#client?.id ?? null,
      address: this.request.socket.remoteAddress,
      over: this.over,
      requestId: this.requestId,
      traceparent: this.#traceparent,
    };
    return this.#origin;
  }

  /** Takes token and trace context from the payload of a message: browsers cannot set headers of a WebSocket. */
  present(payload: { readonly traceparent?: unknown } | undefined): void {
    this.#token = bearerIn(payload) ?? this.#token;
    this.#traceparent = traceparentIn(payload?.traceparent) ?? this.#traceparent;
  }

  /** Identifies the client by its current rights; may be called repeatedly. Synchronous for a cached token. */
  identify(): ClientPrincipal | Fault | Promise<ClientPrincipal | Fault> {
    const found = this.parts.clients.identify(this.#token);
    return found instanceof Promise ? found.then((each) => this.#take(each)) : this.#take(found);
  }

  #take(found: ClientPrincipal | Fault): ClientPrincipal | Fault {
    if (found instanceof Fault || found === this.#client) return found;
    this.#client = found;
    this.#origin = undefined;
    return found;
  }

  /** Identifies the client of a request, or refuses the request. */
  admit(reception: RefusalWriter, then: () => void): void {
    const take = (found: ClientPrincipal | Fault): void => {
      if (found instanceof Fault) reception.refuse(refusedAs(found));
      else then();
    };
    const found = this.identify();
    if (found instanceof Promise) found.then(take).catch((error: unknown) => reception.fail(error));
    else take(found);
  }

  /** Reads the body of a request. The client is identified again afterwards, because the body may have taken long to arrive. */
  readBody(reception: RefusalWriter, then: (body: string) => void): void {
    const { maxBodyBytes } = this.parts;
    if (isEncoded(this.request)) {
      reception.refuse(ENCODED);
      return;
    }
    readBody(this.request, maxBodyBytes, (body) => {
      if (body === undefined) reception.refuse(bodyTooLong(maxBodyBytes));
      else this.admit(reception, () => then(body));
    });
  }

  /**
   * Undefined if the request or message may be processed at once; otherwise resolves when it may. Default for `requester`: the
   * client, which need not be identified yet.
   */
  turn(requester: Pick<Requester, "client" | "weight"> = this.#share()): Promise<void> | undefined {
    return this.parts.engine.begin(requester);
  }

  #share(): Pick<Requester, "client" | "weight"> {
    const client = this.#client ?? ANONYMOUS_CLIENT;
    return { client: clientOf(client, this.request.socket.remoteAddress), weight: client.weight };
  }

  /** The caller of an operation, which is cancelled when `presence` ends. */
  caller(presence: Presence): Caller {
    const { client } = this;
    const { clients } = this.parts;
    const key = clientOf(client, this.request.socket.remoteAddress);
    return new ArrivedCaller(this, client, new ClientRequester(clients, this.#token, client, key, presence));
  }

  /** Reads the operation in the parameters of a request or message, or its error. */
  operationIn(parameters: unknown): ReadRequest | Promise<ReadRequest> {
    if (parameters instanceof GraphQLError) return parameters;
    const read = operationIn(parameters, this.parts.engine.documents);
    if (!this.isTraced) return read;
    return read instanceof Promise ? read.then(traced) : traced(read);
  }

  /** Counts an open connection of the client; false if it may open no more. */
  connect(connection: EventEmitter): Promise<boolean> {
    return this.parts.connectionQuota.take(this.client.id, connection);
  }

  /** Calls `end` once the client's token is no longer valid or has other rights. The returned function stops it. */
  watch(end: (why: Fault) => void): () => void {
    return this.parts.clients.watch(this.#token, this.client, end);
  }

  /** Publishes a refusal that is none of an operation; nothing without a code. */
  refused(code: string | undefined): void {
    if (code !== undefined)
      this.parts.instrumentation.refusal.publish({ origin: this.origin, operation: undefined, codes: [code] });
  }
}

/** The origin is made only for what needs it. */
class ArrivedCaller implements Caller {
  constructor(
    private readonly arrival: Arrival,
    readonly principal: ClientPrincipal,
    readonly requester: Requester,
  ) {}

  get origin(): Origin {
    return this.arrival.origin;
  }
}

const traced = (read: ReadRequest): ReadRequest =>
  read === undefined || read instanceof GraphQLError ? read : { ...read, isTraced: true };
