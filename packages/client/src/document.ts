/**
 * A document with the types of its result and variables, as graphql-codegen makes them. The member does not exist at run time.
 */
export interface Typed<Data, Variables> {
  readonly __apiType?: (variables: Variables) => Data;
}

/** A text wrapped in an object, as codegen's `TypedDocumentString`. */
interface TextObject {
  readonly length: number;
  valueOf(): string;
}

/** A syntax tree, as `graphql` parses it. */
interface SyntaxTree {
  readonly kind: string;
}

/** A document as text, as a `TypedDocumentString`, or as a syntax tree, which requires the option `print`. */
export type GraphDocument<Data = unknown, Variables = Readonly<Record<string, unknown>>> =
  | string
  | (Typed<Data, Variables> & (TextObject | SyntaxTree));

/** A document of any types. */
export type AnyDocument = string | TextObject | SyntaxTree;

/** A request as it is sent. */
export interface GraphRequest {
  readonly query?: string;
  readonly documentId?: string;
  readonly operationName?: string;
  readonly variables?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Prints a syntax tree: `print` of `graphql`. */
// A method's parameter may be narrower: the tree's type belongs to a library that this package does not depend on.
export type Print = { print(document: SyntaxTree): string }["print"];

export function textOf(document: AnyDocument, print?: Print): string {
  if (typeof document === "string") return document;
  if (!("kind" in document)) return document.valueOf();
  if (print === undefined) throw new TypeError("a document that is a syntax tree requires the option `print`: print of graphql");
  return print(document);
}
