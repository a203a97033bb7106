import type { IncomingMessage, ServerResponse } from "node:http";
import { jsonIn } from "@exchange-graph/contract/json";
import { GraphQLError, OperationTypeNode } from "graphql";
import { z } from "zod";
import type { Fault } from "../../datasources/index.js";
import { isPosition, type OperationRequest, type ReadRequest } from "../../engine/documents/operationRequest.js";
import type { Engine } from "../../engine/engine.js";
import { asGraphqlError, badRequest } from "../../engine/errors/coded.js";
import { methodRefusal, refusal, SECURITY_HEADERS } from "../arrival/answer.js";
import { Arrival, EndablePresence, type RefusalWriter } from "../arrival/arrival.js";
import { type ArrivalParts, MAX_ID_LENGTH } from "../arrival/arrivalParts.js";
import { graphqlSearchOf, isJsonType, parametersIn } from "../arrival/requestParts.js";
import { writeAnswer } from "../http/writeAnswer.js";
import { type Reservation, type ReservationLimits, Reservations } from "./reservations.js";
import { ResponseLine, type StreamLine } from "./streamLine.js";
import { lastEventIdOf, opensStream, operationIdOf, streamOf } from "./streamRequest.js";

const MUTATION_BY_GET = badRequest("Mutations are sent with POST.");
const refusedByGet = (kind: OperationTypeNode): GraphQLError | undefined =>
  kind === OperationTypeNode.MUTATION ? MUTATION_BY_GET : undefined;

/** Executes an operation; its results and errors are written to a line of an event stream. */
async function runStreamed(
  engine: Engine,
  arrival: Arrival,
  operation: OperationRequest | GraphQLError,
  line: StreamLine,
): Promise<void> {
  const presence = new EndablePresence();
  line.onceGone(() => presence.leave());
  const caller = arrival.caller(presence);
  await arrival.turn(caller.requester);
  if (presence.isGone) return;
  if (operation instanceof GraphQLError) return line.end(engine.results.failed(operation, caller).text);
  const lastEventId = lastEventIdOf(arrival.request);
  const { after = isPosition(lastEventId) ? lastEventId : undefined } = operation;
  const ready = engine.read({
    caller,
    operation: after === undefined ? operation : { ...operation, after },
    refuses: arrival.request.method === "POST" ? undefined : refusedByGet,
  });
  if ("text" in ready) return line.end(ready.text);
  if (ready.kind !== OperationTypeNode.SUBSCRIPTION) return line.end((await engine.run(ready)).text);
  const membership = await engine.subscribe(ready, line);
  if ("text" in membership) return line.end(membership.text);
  if (line.isGone) return void membership.return();
  line.onceGone(() => void membership.return());
  try {
    await membership.next();
    line.end();
  } catch (error) {
    line.end(engine.results.failed(error, caller).text);
  }
}

/** The id of an operation on a reserved stream, from the request's extensions. */
const named = z.object({ extensions: z.object({ operationId: z.string().max(MAX_ID_LENGTH) }) });

/** Time that a client has to read the rest of its stream after its token has ended. */
const CLOSING_MS = 3_000;

interface EventStreamLimits extends ReservationLimits {
  readonly keepAliveMs: number;
}

/** A request about event streams, and its answer. */
interface StreamExchange extends RefusalWriter {
  readonly arrival: Arrival;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Operations as server-sent events, for networks that block WebSockets: the GraphQL over SSE protocol, with one connection per
 * operation, or one reserved connection for many. Their listeners share groups with those on sockets.
 */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();
  readonly #reservations: Reservations;

  constructor(
    private readonly parts: ArrivalParts,
    private readonly limits: EventStreamLimits,
    private readonly report: (error: unknown) => void,
  ) {
    this.#reservations = new Reservations(parts.clock, limits);
  }

  get open(): number {
    return this.#open.size;
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const arrival = new Arrival(this.parts, request, "sse");
    const exchange: StreamExchange = {
      ...{ arrival, request, response },
      refuse(answer) {
        arrival.refused(answer.refusalCode);
        writeAnswer(response, { ...answer, isLast: true }, arrival.requestId);
      },
      fail: (error) => {
        this.report(error);
        response.destroy();
      },
    };
    const isOpening = opensStream(request);
    if (!this.parts.origins.allows(request)) exchange.refuse(OTHER_PAGE);
    else if (isOpening && !/\btext\/event-stream\b/.test(request.headers.accept ?? "")) exchange.refuse(NO_EVENTS);
    else if (isOpening && this.#open.size >= this.limits.connections) exchange.refuse(FULL);
    else arrival.admit(exchange, () => this.#admitted(exchange, isOpening).catch((error: unknown) => exchange.fail(error)));
  }

  close(): void {
    for (const response of this.#open) response.end();
  }

  async #admitted(exchange: StreamExchange, isOpening: boolean): Promise<void> {
    const { arrival, request, response } = exchange;
    if (response.destroyed) return;
    if (isOpening && !(await arrival.connect(response))) {
      exchange.refuse(refusal(429, `More than ${this.parts.connectionQuota.limit} streams and sockets at once.`));
      return;
    }
    const stream = streamOf(request);
    if (request.method === "PUT") this.#reserve(exchange);
    else if (stream !== undefined) this.#onReserved(stream, exchange);
    else this.#read(exchange, (operation) => this.#serve(operation, exchange));
  }

  #reserve(exchange: StreamExchange): void {
    const name = this.#reservations.reserve(exchange.arrival.client.id);
    if (name === undefined) exchange.refuse(refusal(503, "Too many streams are reserved."));
    else acknowledge(exchange.response, 201, name);
  }

  /** Handles a request about a reserved stream: opening it, or starting or ending an operation on it. */
  #onReserved(name: string, exchange: StreamExchange): void {
    const { arrival, request, response } = exchange;
    const reservation = this.#reservations.find(name, arrival.client.id);
    if (reservation === undefined) exchange.refuse(NO_STREAM);
    else if (request.method === "DELETE") {
      reservation.leave(operationIdOf(request));
      acknowledge(response, 200);
    } else if (request.method !== "GET")
      this.#read(exchange, (operation, parameters) => this.#serveReserved(reservation, operation, parameters, exchange));
    else if (reservation.isOpen) exchange.refuse(refusal(409, "The stream is open already."));
    else {
      reservation.open(response);
      this.#begin(exchange, (payload) => reservation.end(payload));
      response.once("close", () => this.#reservations.release(name));
    }
  }

  #serveReserved(reservation: Reservation, operation: ReadRequest, parameters: unknown, exchange: StreamExchange): void {
    const { arrival, response } = exchange;
    const id = named.safeParse(parameters).data?.extensions.operationId;
    const line = id === undefined || operation === undefined ? "no operation" : reservation.line(id);
    if (operation === undefined || typeof line === "string") {
      const reason = NO_LINE[typeof line === "string" ? line : "no operation"];
      exchange.refuse(refusal(reason.status, reason.message));
      return;
    }
    acknowledge(response, 202);
    // The stream may have been opened with another token of the same client, with another expiry or other rights.
    line.onceGone(arrival.watch((why) => line.end(this.#lastWords(why, arrival))));
    this.#run(arrival, operation, line, () => line.cut());
  }

  /** Reads the operation of a request, and its parameters. */
  #read(exchange: StreamExchange, done: (operation: ReadRequest, parameters: unknown) => void): void {
    const { arrival, request } = exchange;
    const read = async (parameters: unknown) => done(await arrival.operationIn(parameters), parameters);
    const take = (parameters: unknown): void => void read(parameters).catch((error: unknown) => exchange.fail(error));
    if (request.method === "DELETE") exchange.refuse(NO_STREAM);
    else if (request.method === "GET") take(parametersIn(graphqlSearchOf(request)));
    else if (request.method !== "POST") exchange.refuse(OTHER_METHOD);
    else if (!isJsonType(request.headers["content-type"])) exchange.refuse(refusal(415, "Send application/json."));
    else arrival.readBody(exchange, (body) => take(jsonIn(body)));
  }

  #serve(operation: ReadRequest, exchange: StreamExchange): void {
    const { arrival, response } = exchange;
    if (operation === undefined) {
      exchange.refuse(refusal(400, "The request holds no GraphQL operation."));
      return;
    }
    if (response.destroyed) return;
    const line = new ResponseLine(response);
    this.#begin(exchange, (payload) => line.end(payload));
    this.#run(arrival, operation, line, () => response.destroy());
  }

  #run(arrival: Arrival, operation: OperationRequest | GraphQLError, line: StreamLine, cut: () => void): void {
    runStreamed(this.parts.engine, arrival, operation, line).catch((error: unknown) => {
      this.report(error);
      cut();
    });
  }

  /** The last result of an operation whose token has ended. */
  #lastWords(why: Fault, { origin }: Arrival): string {
    return JSON.stringify({ errors: this.parts.engine.results.shown([asGraphqlError(why)], origin) });
  }

  #begin({ arrival, response }: StreamExchange, end: (payload: string) => void): void {
    const { clock } = this.parts;
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": arrival.requestId,
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
    const leave = arrival.watch((why) => {
      end(this.#lastWords(why, arrival));
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

const OTHER_PAGE = refusal(403, "Pages of other origins may not open streams.");
const OTHER_METHOD = methodRefusal("GET", "POST", "PUT", "DELETE");
const NO_EVENTS = refusal(406, "This address serves text/event-stream.");
const NO_STREAM = refusal(404, "There is no such stream.");
const FULL = refusal(503, "Too many streams are open.");

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
