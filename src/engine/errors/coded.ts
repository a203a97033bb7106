import { GraphQLError, type GraphQLErrorExtensions } from "graphql";

/** The same error with this code. */
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

/** Refuses a request as its sender's mistake. */
export const badRequest = (message: string, http: HttpHead = { status: 400 }): GraphQLError =>
  new GraphQLError(message, { extensions: badRequestWith(http) });

const badRequestWith = (http: HttpHead): Readonly<Record<string, unknown>> => ({ code: "BAD_REQUEST", http });

/** What an error says of an answer over HTTP. */
interface HttpHead {
  readonly status: number;
  readonly headers?: ReadonlyMap<string, string>;
}

/** As graphql-js would have it, with what a fault says of itself. */
export function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
