import type { IncomingMessage, ServerResponse } from "node:http";
import { type ExecutionArgs, execute, type GraphQLError } from "graphql";
import { z } from "zod";
import { refusal } from "../answer.js";
import type { Origin } from "../audit.js";
import { ANY_CALLER, type Caller } from "../caller.js";
import { readBody } from "../requestBody.js";
import { SECURITY_HEADERS } from "../securityHeaders.js";
import { groupKey } from "./fanOut.js";
import { Frames } from "./frames.js";
import { type AskedOperation, isMutation, isSubscription } from "./operation.js";
import { type Outlet, onceDrained } from "./outlet.js";
import { asGraphqlError, type Execution } from "./protocol.js";
import { isSameOrigin } from "./sameOrigin.js";

/** Is this a request for an event stream? */
export const isForEventStream = ({ url = "" }: IncomingMessage): boolean =>
  url === "/graphql/stream" || url.startsWith("/graphql/stream?");

const asked = z.object({
  query: z.string(),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
});

/** One request for a stream. */
interface Asking {
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
    const { method, headers, url = "" } = request;
    if (!isSameOrigin(request)) refuse(response, 403, "Pages of other origins may not open streams.");
    else if (!/\btext\/event-stream\b/.test(headers.accept ?? ""))
      refuse(response, 406, "This address serves text/event-stream.");
    else if (this.#open.size >= this.limits.connections) refuse(response, 503, "Too many streams are open.");
    else if (method === "GET") this.#serve(fromSearch(url), request, response);
    else if (method !== "POST") refuse(response, 405, "Use GET or POST.", { allow: "GET, POST" });
    else if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? ""))
      refuse(response, 415, "Send application/json.");
    else
      readBody(request, this.limits.maxBodyBytes, (body) => {
        if (body === undefined) refuse(response, 413, `The request body is longer than ${this.limits.maxBodyBytes} bytes.`);
        else this.#serve(json(body), request, response);
      });
  }

  /** Ends every stream. */
  close(): void {
    for (const response of this.#open) response.end();
  }

  #serve(parameters: unknown, request: IncomingMessage, response: ServerResponse): void {
    const read = asked.safeParse(parameters);
    if (!read.success) {
      refuse(response, 400, "The request holds no GraphQL operation.");
      return;
    }
    const asking: Asking = {
      caller: ANY_CALLER,
      mayMutate: request.method === "POST",
      origin: {
        who: ANY_CALLER.principal,
        address: request.socket.remoteAddress,
        over: "sse",
        requestId: this.execution.nextRequestId(),
      },
    };
    this.#begin(response, asking.origin);
    this.#run(read.data, asking, response).catch((error: unknown) => {
      this.report(error);
      response.destroy();
    });
  }

  #begin(response: ServerResponse, { requestId }: Origin): void {
    const { clock } = this.execution;
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": requestId,
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
    response.once("close", () => {
      cancel();
      this.#open.delete(response);
    });
    response.on("error", this.report);
  }

  async #run(operation: AskedOperation, { caller, mayMutate, origin }: Asking, response: ServerResponse): Promise<void> {
    const { operations, attempt, audit, shown, written } = this.execution;
    const answer = (errors: readonly GraphQLError[]) => complete(response, JSON.stringify({ errors: shown(errors, origin) }));
    const read = operations.read(operation);
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

function refuse(response: ServerResponse, status: number, message: string, headers: Readonly<Record<string, string>> = {}): void {
  const answer = refusal(status, message);
  response.writeHead(status, { ...SECURITY_HEADERS, ...answer.headers, ...headers, connection: "close" });
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
