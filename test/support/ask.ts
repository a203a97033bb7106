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

/** Sends an operation to a gateway over HTTP, as a front end does. */
export async function ask<T, V extends object>(
  url: string,
  document: TypedDocumentNode<T, V>,
  variables: V,
): Promise<Received<T>> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: print(document), variables }),
  });
  return (await response.json()) as Received<T>;
}
