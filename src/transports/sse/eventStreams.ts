import type { IncomingMessage, ServerResponse } from "node:http";
import { jsonIn } from "@exchange-graph/contract/json";
import { z } from "zod";
import { bearerOf } from "../../access/principal/bearer.js";
import { traceContextOf } from "../../access/principal/traceContext.js";
import { Fault } from "../../datasources/index.js";
import { operationIn } from "../../engine/documents/operationRequest.js";
import { asGraphqlError } from "../../engine/errors/coded.js";
import { refusalsIn } from "../../engine/errors/refusalCodes.js";
import type { Origin } from "../../instrumentation/events.js";
import { type Answer, bodyTooLong, refusal } from "../http/answer.js";
import { saysJson } from "../http/json.js";
import { readBody } from "../http/requestBody.js";
import { SECURITY_HEADERS } from "../http/securityHeaders.js";
import { asksForTrace } from "../http/traceRequest.js";
import { refusedAs } from "../http/unauthenticatedAnswer.js";
import { type Execution, MAX_ID_LENGTH } from "../shared/execution.js";
import { type Reservation, type ReservationLimits, Reservations } from "./reservations.js";
import { type Asking, runStreamed } from "./streamedOperation.js";
import { ResponseLine } from "./streamLine.js";
import { lastEventIdOf, opensStream, operationIdOf, operationInSearch, streamOf } from "./streamRequest.js";

/** An operation on a reserved stream has the name of its results in its extensions. */
const named = z.object({ extensions: z.object({ operationId: z.string().max(MAX_ID_LENGTH) }) });

/** Time that a client has to read the rest of its stream after its token has ended. */
const CLOSING_MS = 3_000;

interface EventStreamLimits extends ReservationLimits {
  readonly maxBodyBytes: number;
  readonly keepAliveMs: number;
}

/**
 * Operations as server-sent events, for networks that block WebSockets: the GraphQL over SSE protocol, with one connection per
 * operation, or one reserved connection for many. Their listeners share groups with those on sockets.
 */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();
  readonly #reservations: Reservations;

  constructor(
    private readonly execution: Execution,
    private readonly limits: EventStreamLimits,
    private readonly report: (error: unknown) => void,
  ) {
    this.#reservations = new Reservations(execution.clock, limits);
  }

  get open(): number {
    return this.#open.size;
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const { headers } = request;
    const requestId = this.execution.nextRequestId();
    const origin: Origin = {
      who: null,
      address: request.socket.remoteAddress,
      over: "sse",
      requestId,
      ...traceContextOf(request),
    };
    if (!this.execution.origins.allows(request))
      this.#refuse(response, origin, refusal(403, "Pages of other origins may not open streams."));
    else if (opensStream(request) && !/\btext\/event-stream\b/.test(headers.accept ?? ""))
      this.#refuse(response, origin, refusal(406, "This address serves text/event-stream."));
    else if (opensStream(request) && this.#open.size >= this.limits.connections)
      this.#refuse(response, origin, refusal(503, "Too many streams are open."), {}, ["RATE_LIMITED"]);
    else
      this.#admit(request, response, origin).catch((error: unknown) => {
        this.report(error);
        response.destroy();
      });
  }

  /** Ends all streams. */
  close(): void {
    for (const response of this.#open) response.end();
  }

  async #admit(request: IncomingMessage, response: ServerResponse, unknown: Origin): Promise<void> {
    const token = bearerOf(request.headers.authorization);
    const principal = await this.execution.clients.identify(token);
    if (principal instanceof Fault) {
      this.#refuse(response, unknown, refusedAs(principal));
      return;
    }
    const origin = { ...unknown, who: principal.id };
    const { connectionQuota } = this.execution;
    if (response.destroyed) return;
    if (opensStream(request) && !(await connectionQuota.take(principal.id, response))) {
      this.#refuse(response, origin, refusal(429, `More than ${connectionQuota.limit} streams and sockets at once.`));
      return;
    }
    const asking = {
      token,
      principal,
      mayMutate: request.method === "POST",
      isTraced: asksForTrace(request),
      lastEventId: lastEventIdOf(request),
      origin,
    };
    const stream = streamOf(request);
    if (request.method === "PUT") this.#reserve(asking, response);
    else if (stream !== undefined) this.#onReserved(stream, request, asking, response);
    else this.#read(request, response, asking, (parameters, now) => this.#serve(parameters, now, response));
  }

  #reserve(asking: Asking, response: ServerResponse): void {
    const name = this.#reservations.reserve(asking.principal.id);
    if (name === undefined)
      this.#refuse(response, asking.origin, refusal(503, "Too many streams are reserved."), {}, ["RATE_LIMITED"]);
    else acknowledge(response, 201, name);
  }

  /** Handles a request about a reserved stream: opening it, or starting or ending an operation on it. */
  #onReserved(name: string, request: IncomingMessage, asking: Asking, response: ServerResponse): void {
    const reservation = this.#reservations.find(name, asking.principal.id);
    if (reservation === undefined) this.#refuse(response, asking.origin, refusal(404, "There is no such stream."));
    else if (request.method === "DELETE") {
      reservation.leave(operationIdOf(request));
      acknowledge(response, 200);
    } else if (request.method !== "GET")
      this.#read(request, response, asking, (parameters, now) => this.#serveReserved(reservation, parameters, now, response));
    else if (reservation.isOpen) this.#refuse(response, asking.origin, refusal(409, "The stream is open already."));
    else {
      reservation.open(response);
      this.#begin(response, asking, (payload) => reservation.end(payload));
      response.once("close", () => this.#reservations.release(name));
    }
  }

  /** Starts an operation on a reserved stream. */
  #serveReserved(reservation: Reservation, parameters: unknown, asking: Asking, response: ServerResponse): void {
    const operation = operationIn(parameters, this.execution.engine.documents);
    const id = named.safeParse(parameters).data?.extensions.operationId;
    const line = id === undefined ? "no operation" : reservation.line(id);
    if (operation === undefined || typeof line === "string") {
      const reason = NO_LINE[typeof line === "string" ? line : "no operation"];
      this.#refuse(response, asking.origin, refusal(reason.status, reason.message));
      return;
    }
    acknowledge(response, 202);
    // The stream may have been opened with another token of the same client, with another expiry or other rights.
    const leave = this.execution.clients.watch(asking.token, asking.principal, (why) =>
      line.end(this.#lastWords(why, asking.origin)),
    );
    line.onceGone(leave);
    runStreamed(this.execution, operation, asking, line).catch((error: unknown) => {
      this.report(error);
      line.cut();
    });
  }

  /** Identifies the client, and calls `done` once the whole request has been read. */
  #read(
    request: IncomingMessage,
    response: ServerResponse,
    asking: Asking,
    done: (parameters: unknown, now: Asking) => void,
  ): void {
    const { method, headers, url = "" } = request;
    const { maxBodyBytes } = this.limits;
    const { origin } = asking;
    if (method === "GET") done(operationInSearch(url), asking);
    else if (method !== "POST")
      this.#refuse(response, origin, refusal(405, "Use GET, POST, PUT or DELETE."), { allow: "GET, POST, PUT, DELETE" });
    else if (!saysJson(headers["content-type"])) this.#refuse(response, origin, refusal(415, "Send application/json."));
    else
      readBody(request, maxBodyBytes, (body) => {
        if (body === undefined) this.#refuse(response, origin, bodyTooLong(maxBodyBytes));
        else
          this.#again(response, asking, (now) => done(jsonIn(body), now)).catch((error: unknown) => {
            this.report(error);
            response.destroy();
          });
      });
  }

  /** Identifies the client again after the body, which may have taken long to arrive: its current rights apply. */
  async #again(response: ServerResponse, asking: Asking, done: (now: Asking) => void): Promise<void> {
    const principal = await this.execution.clients.identify(asking.token);
    if (principal instanceof Fault) this.#refuse(response, asking.origin, refusedAs(principal));
    else done({ ...asking, principal });
  }

  #serve(parameters: unknown, asking: Asking, response: ServerResponse): void {
    const operation = operationIn(parameters, this.execution.engine.documents);
    if (operation === undefined) {
      this.#refuse(response, asking.origin, refusal(400, "The request holds no GraphQL operation."));
      return;
    }
    if (response.destroyed) return;
    const line = new ResponseLine(response);
    this.#begin(response, asking, (payload) => line.end(payload));
    runStreamed(this.execution, operation, asking, line).catch((error: unknown) => {
      this.report(error);
      response.destroy();
    });
  }

  #refuse(
    response: ServerResponse,
    origin: Origin,
    answer: Answer,
    headers: Readonly<Record<string, string>> = {},
    codes = refusalsIn(undefined, answer.status),
  ): void {
    if (codes.length > 0) this.execution.instrumentation.refusal.publish({ origin, operation: undefined, codes });
    refuse(response, answer, { ...headers, "x-request-id": origin.requestId });
  }

  /** The last result of an operation whose token has ended. */
  #lastWords(why: Fault, origin: Origin): string {
    return JSON.stringify({ errors: this.execution.engine.shown([asGraphqlError(why)], { origin }) });
  }

  #begin(response: ServerResponse, { token, principal, origin }: Asking, end: (payload: string) => void): void {
    const { clients, clock } = this.execution;
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": origin.requestId,
      // nginx would otherwise buffer events.
      "x-accel-buffering": "no",
    });
    // Some browsers consider a response open only after its first bytes.
    const comment = () => response.write(":\n\n");
    const stayAlive = (): void => {
      comment();
      cancel = clock.after(this.limits.keepAliveMs, stayAlive);
    };
    comment();
    let cancel = clock.after(this.limits.keepAliveMs, stayAlive);
    this.#open.add(response);
    const leave = clients.watch(token, principal, (why) => {
      end(this.#lastWords(why, origin));
      response.once(
        "close",
        clock.after(CLOSING_MS, () => response.destroy()),
      );
    });
    response.once("close", () => {
      leave();
      cancel();
      this.#open.delete(response);
    });
    response.on("error", this.report);
  }
}

function refuse(response: ServerResponse, answer: Answer, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(answer.status, { ...SECURITY_HEADERS, ...answer.headers, ...headers, connection: "close" });
  response.end(answer.body);
}

/** Reasons why an operation cannot run on a reserved stream. */
const NO_LINE = {
  "no operation": { status: 400, message: "The request holds no GraphQL operation with an operationId." },
  "not open": { status: 404, message: "The stream is not open." },
  "in use": { status: 409, message: "An operation of this id is running." },
  full: { status: 429, message: "Too many operations run on this stream." },
} as const;

function acknowledge(response: ServerResponse, status: number, body = ""): void {
  response.writeHead(status, { ...SECURITY_HEADERS, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end(body);
}
