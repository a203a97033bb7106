import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";

/** An error as a front end receives it. */
export interface ReceivedError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly [key: string]: unknown };
}

export interface Received<T> {
  readonly data: T;
  readonly errors?: readonly ReceivedError[];
}

/** Sends a request of GraphQL to a gateway over HTTP. */
export const post = (url: string, request: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(request),
  });

/** Sends an operation to a gateway over HTTP, as a front end does. */
export async function ask<T, V extends object>(
  url: string,
  document: TypedDocumentNode<T, V>,
  variables: V,
): Promise<Received<T>> {
  const response = await post(url, { query: print(document), variables });
  return (await response.json()) as Received<T>;
}
