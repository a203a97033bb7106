import { createClient } from "graphql-ws";
import { request } from "undici";
import { WebSocket } from "ws";
import type { Askable } from "./askables.js";

/** Outcome of an operation: the codes of its errors, the scope named by the first error, and the whole response text. */
export interface Outcome {
  readonly codes: readonly string[];
  readonly scope: string | undefined;
  readonly text: string;
}

/** Runs operations over one transport with one token. */
export interface Asking {
  ask(document: string, variables: Readonly<Record<string, unknown>>): Promise<Outcome>;
  close(): void | Promise<void>;
}

export interface Transport {
  readonly name: string;
  readonly carries: readonly Askable["kind"][];
  open(url: string, token: string): Asking;
}

interface Answer {
  readonly errors?: readonly { readonly extensions?: { readonly code?: string; readonly scope?: string } }[];
}

function outcomeOf(text: string): Outcome {
  const { errors = [] } = JSON.parse(text) as Answer;
  return { codes: errors.map(({ extensions }) => extensions?.code ?? ""), scope: errors[0]?.extensions?.scope, text };
}

const post = async (url: string, token: string, body: object, accept: string): Promise<string> => {
  const headers = { "content-type": "application/json", accept, authorization: `Bearer ${token}` };
  return (await request(url, { method: "POST", headers, body: JSON.stringify(body) })).body.text();
};

const overHttp = (
  name: string,
  carries: Transport["carries"],
  rewrite: (document: string) => string,
  times: number,
): Transport => ({
  name,
  carries,
  open: (url, token) => ({
    async ask(document, variables) {
      const body = { query: rewrite(document), variables };
      let text = "";
      for (let time = 0; time < times; time++) text = await post(`${url}/graphql`, token, body, "application/json");
      return outcomeOf(text);
    },
    close: () => undefined,
  }),
});

/** Adds an introspection field, beside which the other fields must still be checked. */
const withIntrospection = (document: string): string => document.replace(/}$/, ", __schema { __typename } }");

export const TRANSPORTS: readonly Transport[] = [
  // The second request bypasses Apollo, and may receive the cached result of the first.
  overHttp("compiled, over HTTP", ["query"], (document) => document, 2),
  overHttp("beside introspection, over HTTP", ["query"], withIntrospection, 1),
  overHttp("over HTTP", ["mutation"], (document) => document, 1),
  {
    name: "over a WebSocket",
    carries: ["query", "mutation", "subscription"],
    open(url, token) {
      const client = createClient({
        url: `${url.replace("http", "ws")}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: { authorization: `Bearer ${token}` },
        // One socket for all operations.
        lazyCloseTimeout: 10_000,
      });
      return {
        ask: (query, variables) =>
          new Promise((resolve, reject) => {
            client.subscribe(
              { query, variables: { ...variables } },
              {
                next: (result) => resolve(outcomeOf(JSON.stringify(result))),
                error: (errors) => (Array.isArray(errors) ? resolve(outcomeOf(JSON.stringify({ errors }))) : reject(errors)),
                complete: () => undefined,
              },
            );
          }),
        close: () => client.dispose(),
      };
    },
  },
  {
    name: "as an event stream",
    carries: ["query", "mutation", "subscription"],
    open: (url, token) => ({
      async ask(query, variables) {
        const text = await post(`${url}/graphql/stream`, token, { query, variables }, "text/event-stream");
        return outcomeOf(/^data: (.+)$/m.exec(text)?.[1] ?? text);
      },
      close: () => undefined,
    }),
  },
];
