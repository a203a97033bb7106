import { type Client, createClient, type GraphAnswer, NoAnswer, type Operation } from "@exchange-graph/client";
import { forward } from "@exchange-graph/client/forward";
import type { Fetcher, FetcherReturnType } from "@graphiql/toolkit";
import { GraphQLError, getOperationAST, type OperationDefinitionNode, parse } from "graphql";
import { session } from "./session.js";

const url = "/graphql";

/** A client with the user's token, or with the tab's headers if they have credentials. */
export function clientWith(headers: Readonly<Record<string, string>> = {}) {
  const { authorization, ...others } = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  const { token } = session.get();
  const own = authorization?.replace(/^bearer /i, "") ?? token;
  return createClient({
    url,
    ...(own !== undefined && { token: own }),
    fetch: (address, init) =>
      fetch(address, { ...init, headers: { ...others, ...Object.fromEntries(new Headers(init?.headers)) } }),
  });
}

/** Removes the trace, which the page requests for its own panel. */
function withoutTrace({ extensions, ...answer }: GraphAnswer): GraphAnswer {
  const { cost: _cost, exchange: _exchange, ...others } = extensions ?? {};
  return Object.keys(others).length === 0 ? answer : { ...answer, extensions: others };
}

/**
 * The operation of a document. GraphiQL reads its name a moment after it was typed: until then it gives that of the document before.
 * Undefined if the document has none by this name, and not a sole one; then the gateway says what is wrong.
 */
function operationOf(document: string, name: string | null | undefined): OperationDefinitionNode | undefined {
  try {
    const parsed = parse(document);
    return getOperationAST(parsed, name) ?? getOperationAST(parsed) ?? undefined;
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** Queries and mutations over HTTP, subscriptions over a socket, both at this page's own server. */
export const fetcher: Fetcher = (params, { headers = {} } = {}) => {
  const client = clientWith(headers);
  const found = operationOf(params.query, params.operationName);
  const operation: Operation = {
    kind: found?.operation ?? "query",
    document: params.query,
    variables: params.variables ?? undefined,
    operationName: found === undefined ? (params.operationName ?? undefined) : found.name?.value,
  };
  // GraphiQL shows the value as JSON; its types are those of server results.
  const given: unknown = operation.kind === "subscription" ? followed(client, operation) : answered(client, operation, headers);
  return given as FetcherReturnType;
};

/** A subscription as an observable. While it is interrupted, its last event has the reason beside it. */
const followed = (client: Client, operation: Operation) => ({
  subscribe(observer: Parameters<typeof forward>[2]) {
    let last: GraphAnswer = {};
    const end = forward(client, operation, {
      next(answer) {
        last = answer;
        observer.next(answer);
      },
      lost: (reason) => observer.next({ ...last, errors: [{ message: `Interrupted, and resumed by itself: ${reason}` }] }),
      error: (error) => observer.error(error),
      complete: () => observer.complete(),
    });
    return {
      unsubscribe() {
        end();
        client.dispose();
      },
    };
  },
});

/** Why there is no answer. */
function withoutAnswer(error: unknown, { kind }: Operation): GraphAnswer {
  if (!(error instanceof NoAnswer)) throw error;
  const { code, message, retryable } = error;
  const outcome =
    kind === "mutation"
      ? ". Whether it took effect is not known: the journal shows it. Repeated with the same idempotencyKey it is sent at most once"
      : "";
  return { errors: [{ message: `No answer from the gateway: ${message}${outcome}`, extensions: { code, retryable } }] };
}

async function answered(client: Client, operation: Operation, headers: Readonly<Record<string, string>>): Promise<GraphAnswer> {
  // The page's own introspection query is not shown as the user's answer.
  if (operation.operationName === "IntrospectionQuery") return client.send(operation);
  const from = performance.now();
  const answer = await client.send(operation, { trace: true }).catch((error: unknown) => withoutAnswer(error, operation));
  session.answered(operation.operationName ?? operation.kind, performance.now() - from, answer.extensions);
  const isAsked = Object.keys(headers).some((name) => name.toLowerCase() === "x-exchange-trace");
  return isAsked ? answer : withoutTrace(answer);
}
