import type { IncomingMessage, ServerResponse } from "node:http";
import { type ExecutionArgs, execute, type GraphQLError } from "graphql";
import { z } from "zod";
import { Fault } from "../../datasources/index.js";
import { type Answer, refusal } from "../answer.js";
import { type Origin, refusalsIn } from "../audit.js";
import type { Caller } from "../caller.js";
import { bearerOf } from "../callers/bearer.js";
import { refusedAs } from "../callers/unauthenticated.js";
import { readBody } from "../requestBody.js";
import { SECURITY_HEADERS } from "../securityHeaders.js";
import { groupKey } from "./fanOut.js";
import { Frames } from "./frames.js";
import { type AskedOperation, isMutation, isSubscription } from "./operation.js";
import { type Outlet, onceDrained } from "./outlet.js";
import { asGraphqlError, type Execution } from "./protocol.js";

/** Is this a request for an event stream? */
export const isForEventStream = ({ url = "" }: IncomingMessage): boolean =>
  url === "/graphql/stream" || url.startsWith("/graphql/stream?");

const asked = z.object({
  query: z.string(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
});

/** How long a reader whose token has ended may take to read the last of its stream. */
const CLOSING_MS = 3_000;

/** One request for a stream. */
interface Asking {
  readonly token: string | undefined;
  readonly caller: Caller;
  readonly mayMutate: boolean;
  readonly origin: Origin;
}

export interface EventStreamLimits {
  /** Streams at the same time. */
  readonly connections: number;
  readonly maxBodyBytes: number;
  readonly keepAliveMs: number;
}

/**
 * Operations as server-sent events, one connection for each: the distinct connections mode of the GraphQL over SSE
 * protocol, for places where WebSockets do not get through. Their listeners share groups with those on sockets.
 */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();

  constructor(
    private readonly execution: Execution,
    private readonly limits: EventStreamLimits,
    private readonly report: (error: unknown) => void,
  ) {}

  get open(): number {
    return this.#open.size;
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const { headers } = request;
    const requestId = this.execution.nextRequestId();
    const origin: Origin = { who: null, address: request.socket.remoteAddress, over: "sse", requestId };
    if (!this.execution.origins.allows(request))
      this.#refuse(response, origin, refusal(403, "Pages of other origins may not open streams."));
    else if (!/\btext\/event-stream\b/.test(headers.accept ?? ""))
      this.#refuse(response, origin, refusal(406, "This address serves text/event-stream."));
    else if (this.#open.size >= this.limits.connections)
      this.#refuse(response, origin, refusal(503, "Too many streams are open."), {}, ["RATE_LIMITED"]);
    else
      this.#admit(request, response, origin).catch((error: unknown) => {
        this.report(error);
        response.destroy();
      });
  }

  /** Ends every stream. */
  close(): void {
    for (const response of this.#open) response.end();
  }

  async #admit(request: IncomingMessage, response: ServerResponse, unknown: Origin): Promise<void> {
    const token = bearerOf(request.headers.authorization);
    const caller = await this.execution.callers.identify(token);
    if (caller instanceof Fault) {
      this.#refuse(response, unknown, refusedAs(caller));
      return;
    }
    const origin = { ...unknown, who: caller.principal };
    this.#read(request, response, origin, (parameters) =>
      this.#serve(parameters, { token, caller, mayMutate: request.method === "POST", origin }, response),
    );
  }

  #read(request: IncomingMessage, response: ServerResponse, origin: Origin, done: (parameters: unknown) => void): void {
    const { method, headers, url = "" } = request;
    const { maxBodyBytes } = this.limits;
    if (method === "GET") done(fromSearch(url));
    else if (method !== "POST") this.#refuse(response, origin, refusal(405, "Use GET or POST."), { allow: "GET, POST" });
    else if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? ""))
      this.#refuse(response, origin, refusal(415, "Send application/json."));
    else
      readBody(request, maxBodyBytes, (body) => {
        if (body === undefined)
          this.#refuse(response, origin, refusal(413, `The request body is longer than ${maxBodyBytes} bytes.`));
        else done(json(body));
      });
  }

  #serve(parameters: unknown, asking: Asking, response: ServerResponse): void {
    const read = asked.safeParse(parameters);
    if (!read.success) {
      this.#refuse(response, asking.origin, refusal(400, "The request holds no GraphQL operation."));
      return;
    }
    if (response.destroyed) return;
    this.#begin(response, asking);
    this.#run(read.data, asking, response).catch((error: unknown) => {
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
    if (codes.length > 0) this.execution.audit.refused(origin, undefined, codes);
    refuse(response, answer, { ...headers, "x-request-id": origin.requestId });
  }

  #begin(response: ServerResponse, { token, caller, origin }: Asking): void {
    const { callers, clock, shown } = this.execution;
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": origin.requestId,
      // Proxies of this make would hold events back to send them in larger pieces.
      "x-accel-buffering": "no",
    });
    // Some browsers take a response for open only with its first bytes.
    const comment = () => response.write(":\n\n");
    const stayAlive = (): void => {
      comment();
      cancel = clock.after(this.limits.keepAliveMs, stayAlive);
    };
    comment();
    let cancel = clock.after(this.limits.keepAliveMs, stayAlive);
    this.#open.add(response);
    const leave = callers.watch(token, caller, (why) => {
      complete(response, JSON.stringify({ errors: shown([asGraphqlError(why)], origin) }));
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

  async #run(operation: AskedOperation, { caller, mayMutate, origin }: Asking, response: ServerResponse): Promise<void> {
    const { operations, attempt, audit, shown, written } = this.execution;
    const answer = (errors: readonly GraphQLError[]) => complete(response, JSON.stringify({ errors: shown(errors, origin) }));
    const read = operations.read(operation, caller.principal);
    if (!("args" in read)) return answer(read);
    if (isSubscription(read)) return this.#listen(operation.query, read.args, caller, response, answer);
    if (isMutation(read) && !mayMutate) return complete(response, MUTATION_BY_GET);
    const { data = null, errors } = await execute(attempt(read.args, caller, audit.mutationsOf(origin)).args);
    if (isMutation(read)) written();
    complete(response, JSON.stringify(errors === undefined ? { data } : { data, errors: shown(errors, origin) }));
  }

  async #listen(
    query: string,
    args: ExecutionArgs,
    caller: Caller,
    response: ServerResponse,
    answer: (errors: readonly GraphQLError[]) => void,
  ): Promise<void> {
    const { fanOut, attempt } = this.execution;
    try {
      const seated = await fanOut.join(
        groupKey(caller, args, query),
        () => attempt(args, caller.asListener),
        new ResponseOutlet(response),
      );
      if (!(Symbol.asyncIterator in seated)) return answer(seated.errors ?? []);
      if (response.destroyed) return void seated.return();
      response.once("close", () => void seated.return());
      await seated.next();
      complete(response);
    } catch (error) {
      answer([asGraphqlError(error)]);
    }
  }
}

/** An event stream of its own. */
class ResponseOutlet implements Outlet {
  constructor(private readonly response: ServerResponse) {}

  get isOpen(): boolean {
    return this.response.writable;
  }

  get owedBytes(): number {
    return this.response.writableLength;
  }

  write(frames: Frames): void {
    this.response.write(frames.eventStream);
  }

  onceDrained(task: () => void): () => void {
    return onceDrained(this.response, task);
  }

  cut(): void {
    this.response.destroy();
  }
}

const MUTATION_BY_GET = refusal(405, "Mutations are sent with POST.").body.toString();

/** Ends a stream in order, after one last result if there is one. */
function complete(response: ServerResponse, payload?: string): void {
  if (!response.writable) return;
  const last = payload === undefined ? "" : new Frames([payload]).eventStream;
  response.end(`${last}event: complete\ndata: \n\n`);
}

function refuse(response: ServerResponse, answer: Answer, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(answer.status, { ...SECURITY_HEADERS, ...answer.headers, ...headers, connection: "close" });
  response.end(answer.body);
}

function fromSearch(url: string): unknown {
  const search = new URLSearchParams(url.slice(url.indexOf("?")));
  return { ...Object.fromEntries(search), variables: json(search.get("variables") ?? "null") };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
