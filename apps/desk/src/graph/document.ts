import type { graphql as typed } from "./generated/gql.js";
import type { TypedDocumentString } from "./generated/graphql.js";

/** A document as text, with the types of its result and of its variables. */
export type Document<Result, Variables> = TypedDocumentString<Result, Variables>;

export type ResultOf<D> = D extends Document<infer Result, infer _> ? Result : never;

/** A row of a list of the graph. */
export type RowOf<List> = NonNullable<NonNullable<List> extends { readonly nodes: readonly (infer Row)[] } ? Row : never>;

const fragments = new Map<string, string>();

/** The document with the fragments that it names, which are marked before it. */
function whole(text: string): string {
  const [, name] = /^\s*fragment (\w+) on /.exec(text) ?? [];
  if (name !== undefined) fragments.set(name, text);
  const named = [...new Set([...text.matchAll(/\.\.\.(\w+)/g)].map(([, spread = ""]) => spread))];
  return [text, ...named.map((spread) => fragments.get(spread) ?? "")].join("");
}

const asWritten = (text: string): unknown => whole(text);

/**
 * Marks a document or a fragment. It is sent as written, with its fragments; its types come from codegen by its exact text, so a
 * document that is invalid for the schema has none.
 */
export const graphql = asWritten as typeof typed;

/** The text of a document, with its types for urql. */
export const textOf = <Result, Variables>(document: Document<Result, Variables>) => document.toString();
