import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Clock } from "@exchange-graph/contract/clock";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { HEADERS } from "@exchange-graph/contract/headers";
import { WebSocketsOnly } from "@exchange-graph/contract/webSocketsOnly";
import type { ControlApi } from "../control/api.js";
import type { Fault, Faults } from "../control/faults.js";
import { Refused } from "../refused.js";
import { type Answer, envelope, failure, type Received, splitTarget } from "./answer.js";
import { type CallLog, FAULT_CODE, UNKNOWN_ENDPOINT } from "./calls.js";
import type { Dispatcher } from "./dispatch.js";

/** The longest body that is read. The largest documented one is a few kilobytes. */
const MAX_BODY_BYTES = 65_536;

/** Header and request deadlines, and the maximum idle time of a connection, in ms. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 60_000 } as const;

interface ServerParts {
  readonly dispatcher: Dispatcher;
  readonly faults: Faults;
  readonly control: ControlApi;
  readonly calls: CallLog;
  readonly clock: Clock;
}

/** The HTTP server of the exchange: reads the exact bytes, applies faults, writes the answer. */
export function exchangeServer(parts: () => ServerParts): Server {
  return createServer({ ...TIMEOUTS, IncomingMessage: WebSocketsOnly }, (request, response) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.on("end", () => {
      if (length > MAX_BODY_BYTES) write(response, failure(new Refused(REFUSAL.brokenCombination, "body"), parts().clock.now()));
      else serve(parts(), received(request, Buffer.concat(chunks).toString("utf8")), response);
    });
    // The client aborted its request.
    request.on("error", () => response.destroy());
  });
}

function received(request: IncomingMessage, body: string): Received {
  const target = request.url ?? "/";
  return {
    method: request.method ?? "GET",
    target,
    ...splitTarget(target),
    body,
    address: request.socket.remoteAddress ?? "",
    header(name) {
      const value = request.headers[name.toLowerCase()];
      return typeof value === "string" ? value : value?.[0];
    },
  };
}

function serve({ dispatcher, faults, control, calls, clock }: ServerParts, request: Received, response: ServerResponse): void {
  if (control.serves(request)) {
    write(response, control.answer(request));
    return;
  }
  response.setHeader("x-bg-request-accept-time", String(clock.now()));
  const endpoint = dispatcher.route(request)?.endpoint.name ?? UNKNOWN_ENDPOINT;
  const struck = faults.draw(endpoint);
  const delayMs = struck.reduce((sum, fault) => sum + (fault.kind === "latency" ? fault.delayMs : 0), 0);
  const proceed = () => {
    if (struck.some((fault) => strikesBefore(fault, clock.now(), response))) {
      calls.record({ at: clock.now(), endpoint, code: FAULT_CODE, uid: undefined });
      return;
    }
    const answer = dispatcher.answer(request);
    if (!struck.some((fault) => strikesAfter(fault, answer, clock.now(), response))) writeTimed(response, answer, clock.now());
  };
  if (delayMs > 0) clock.after(delayMs, proceed);
  else proceed();
}

/** Applies a fault that ends the call before it takes effect. */
function strikesBefore(fault: Fault, now: number, response: ServerResponse): boolean {
  if (fault.kind === "reset") response.destroy();
  else if (fault.kind === "answer" && fault.when === "before") writeTimed(response, instead(fault, now), now);
  else return false;
  return true;
}

/** The answer that a fault sends instead of the real one. */
const instead = ({ status, code, msg, body }: Extract<Fault, { kind: "answer" }>, now: number): Answer => ({
  status,
  code,
  body: body ?? envelope(code, msg, now, null),
});

/** Applies a fault to the answer of a call that has taken effect. */
function strikesAfter(fault: Fault, answer: Answer, now: number, response: ServerResponse): boolean {
  if (fault.kind === "lost-reply") response.destroy();
  else if (fault.kind === "answer" && fault.when === "after") writeTimed(response, instead(fault, now), now);
  else if (fault.kind === "truncated-body")
    writeTimed(response, { ...answer, body: answer.body.slice(0, answer.body.length >> 1) }, now);
  else if (fault.kind === "empty-body") writeTimed(response, { ...answer, status: 200, body: "" }, now);
  else return false;
  return true;
}

/** An answer of the exchange has the times at which its call was received and finished. */
function writeTimed(response: ServerResponse, answer: Answer, now: number): void {
  response.setHeader("x-bg-response-complete-time", String(now));
  write(response, answer);
}

function write(response: ServerResponse, { status, body, remaining }: Answer): void {
  response.writeHead(status, {
    "content-type": "application/json;charset=UTF-8",
    "content-length": Buffer.byteLength(body),
    ...(remaining === undefined ? {} : { [HEADERS.remaining]: remaining }),
  });
  response.end(body);
}
