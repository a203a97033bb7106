import type { IncomingMessage } from "node:http";
import { type ApolloServer, type BaseContext, HeaderMap } from "@apollo/server";
import { OperationTypeNode } from "graphql";
import type { Clock } from "../clock.js";
import type { Trace } from "../datasources/reads/trace.js";
import { type Answer, refusal } from "./answer.js";
import { type Caller, callerOf, searchOf } from "./caller.js";
import { PlainQueries, type PlainRequest, plainRequest } from "./plainQueries.js";
import { type Executed, SharedAnswers } from "./sharedAnswers.js";
import { TrackedRequest } from "./trackedRequest.js";

/** Makes what the resolvers of one operation work with. Depends on the caller alone: see `Caller`. */
export type ContextFor<Context> = (caller: Caller) => Context;

export interface GraphqlOptions<Context extends BaseContext> {
  readonly apollo: ApolloServer<Context>;
  readonly contextFor: ContextFor<Context>;
  /** What was read from the exchange for an operation. */
  readonly traceOf: (context: Context) => Trace;
  readonly clock: Clock;
}

const JSON_BODY = /^application\/json\s*(?:;|$)/i;
const NOT_JSON: Executed = { answer: refusal(400, "The request body is not valid JSON."), trace: undefined };

/**
 * Finds the answer to a request by the shortest road that leads to it: one that was given or is being given to an equal
 * request, a query that is known, or Apollo, which alone judges what is allowed.
 */
export class GraphqlAnswers<Context extends BaseContext> {
  readonly #shared: SharedAnswers;
  readonly #plain = new PlainQueries();

  constructor(private readonly options: GraphqlOptions<Context>) {
    this.#shared = new SharedAnswers(options.clock);
  }

  /** `body` is the text that came with a POST. */
  answer(request: IncomingMessage, id: string, body: string | undefined): Answer | Promise<Answer> {
    const caller = callerOf(request);
    const { "content-type": contentType = "", accept } = request.headers;
    // Everything else, a form that some web page makes a browser post included, is Apollo's to refuse.
    if (body === undefined || !JSON_BODY.test(contentType))
      return this.#throughApollo(request, id, caller, undefined).then((executed) => executed.answer);
    return this.#shared.answer({ caller, accept, body }, async () => {
      const json = parsed(body);
      return json === undefined ? NOT_JSON : this.#execute(request, id, caller, json.value);
    });
  }

  /** A mutation has ended, here or on another road: nothing that was read before is passed on. */
  written(): void {
    this.#shared.written();
  }

  async #execute(request: IncomingMessage, id: string, caller: Caller, body: unknown): Promise<Executed> {
    // Apollo's hooks write the trace into an answer.
    const plain = caller.traced ? undefined : plainRequest(body);
    if (plain === undefined) return this.#throughApollo(request, id, caller, body);
    return (await this.#again(request, id, caller, plain)) ?? this.#throughApollo(request, id, caller, body, plain);
  }

  /** Answers with a query that Apollo has answered with before; `undefined` when it cannot. */
  async #again(
    { headers: { accept } }: IncomingMessage,
    id: string,
    caller: Caller,
    plain: PlainRequest,
  ): Promise<Executed | undefined> {
    const known = this.#plain.find(plain, accept);
    if (known === undefined) return undefined;
    const context = this.options.contextFor(caller);
    const result = await known.query.execute(context, plain.variables, id);
    if (result === undefined) return undefined;
    const { data, errors } = result;
    const errorCodes = errors?.map(({ extensions }) => String(extensions?.code)) ?? [];
    return {
      answer: {
        status: 200,
        headers: known.headers,
        body: JSON.stringify({ errors, data }),
        operation: { kind: OperationTypeNode.QUERY, name: known.query.name, errorCodes },
      },
      trace: this.options.traceOf(context),
    };
  }

  async #throughApollo(
    request: IncomingMessage,
    id: string,
    caller: Caller,
    body: unknown,
    plain?: PlainRequest,
  ): Promise<Executed> {
    const { method = "", headers: received } = request;
    const tracked = new TrackedRequest(id, method, headerMap(received), searchOf(request), body, caller.traced);
    let trace: Trace | undefined;
    const response = await this.options.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: tracked,
      context: async () => {
        const context = this.options.contextFor(caller);
        trace = this.options.traceOf(context);
        return context;
      },
    });
    if (tracked.kind === "mutation") this.written();
    if (response.body.kind !== "complete") throw new Error("the schema has no incremental delivery");
    const { status = 200 } = response;
    const headers = { "cache-control": "no-store", ...Object.fromEntries(response.headers) };
    if (plain !== undefined && tracked.ranAs !== undefined && status === 200)
      this.#plain.learn(plain, received.accept, tracked.ranAs, headers);
    return { answer: { status, headers, body: response.body.string, operation: tracked }, trace };
  }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function headerMap(headers: IncomingMessage["headers"]): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(", ") : value);
  return map;
}
