import { type ApolloServer, type BaseContext, HeaderMap } from "@apollo/server";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { type Answer, refusal } from "./answer.js";
import { type Caller, callerOf, searchOf } from "./caller.js";
import type { AnswerObserver, Operation } from "./operation.js";
import { type Executed, SharedAnswers } from "./sharedAnswers.js";
import { TrackedRequest } from "./trackedRequest.js";

/** Makes what the resolvers of one operation work with. Depends on the caller alone: see `Caller`. */
export type ContextFor<Context> = (caller: Caller) => Context;

declare module "fastify" {
  interface FastifyRequest {
    /** Known once it has been answered. */
    operation?: Operation | undefined;
  }
}

const JSON_BODY = /^application\/json\s*(?:;|$)/i;

/** GraphQL over HTTP: takes the body as it came, so that equal ones can be recognised, and hands it to Apollo. */
export function graphqlRoute<Context extends BaseContext>(
  apollo: ApolloServer<Context>,
  contextFor: ContextFor<Context>,
  observer: AnswerObserver,
): FastifyPluginAsync {
  const shared = new SharedAnswers();

  async function execute(request: FastifyRequest, caller: Caller, body: unknown): Promise<Executed> {
    const { id, method, headers: received } = request;
    const tracked = new TrackedRequest(id, method, headerMap(received), searchOf(request), body, caller.traced);
    const response = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: tracked,
      context: async () => contextFor(caller),
    });
    if (tracked.kind === "mutation") shared.written();
    if (response.body.kind !== "complete") throw new Error("the schema has no incremental delivery");
    const headers = { "cache-control": "no-store", ...Object.fromEntries(response.headers) };
    return {
      answer: { status: response.status ?? 200, headers, body: response.body.string, operation: tracked },
      isQuery: tracked.kind === "query",
    };
  }

  async function answer(request: FastifyRequest): Promise<Answer> {
    const caller = callerOf(request);
    const { "content-type": contentType = "", accept } = request.headers;
    // Everything else, a form that some web page makes a browser post included, is Apollo's to refuse.
    if (request.method !== "POST" || typeof request.body !== "string" || !JSON_BODY.test(contentType))
      return (await execute(request, caller, undefined)).answer;
    const text = request.body;
    return shared.answer({ caller, accept, body: text }, async () => {
      const json = parsed(text);
      return json === undefined ? NOT_JSON : execute(request, caller, json.value);
    });
  }

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    app.decorateRequest("operation");
    app.addHook("onResponse", (request, reply, done) => {
      observer.answered(request.operation, reply.statusCode, reply.elapsedTime);
      done();
    });
    app.all("/graphql", async (request, reply) => {
      const { status, headers, body, operation } = await answer(request);
      request.operation = operation;
      return reply.code(status).headers(headers).send(body);
    });
  };
}

const NOT_JSON: Executed = { answer: refusal(400, "The request body is not valid JSON."), isQuery: false };

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function headerMap(headers: FastifyRequest["headers"]): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(", ") : value);
  return map;
}
