import { GraphQLError, type GraphQLErrorExtensions } from "graphql";
import { GRAPHQL_CODES } from "./refusalCodes.js";

/** A copy of the error with this code. */
export const coded = (
  { message, nodes, source, positions, originalError }: GraphQLError,
  code: GraphQLErrorExtensions["code"],
): GraphQLError =>
  new GraphQLError(message, {
    ...(nodes === undefined ? {} : { nodes }),
    ...(source === undefined ? {} : { source }),
    ...(positions === undefined ? {} : { positions }),
    ...(originalError === undefined ? {} : { originalError }),
    extensions: { code },
  });

export const badRequest = (message: string): GraphQLError => withHead(message, GRAPHQL_CODES.BAD_REQUEST, { status: 400 });

/** An error with a code, further extensions, and the status and headers of its HTTP response. */
export const withHead = (message: string, code: string, http: HttpHead, more?: object): GraphQLError =>
  withExtensions(message, { code, ...more, http });

const withExtensions = (message: string, extensions: Readonly<Record<string, unknown>>): GraphQLError =>
  new GraphQLError(message, { extensions });

/** Status and headers of the HTTP response. */
interface HttpHead {
  readonly status: number;
  readonly headers?: ReadonlyMap<string, string>;
}

/** Converts any error to a `GraphQLError`, with the code and details of a `Fault`. */
export function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
