import { type ASTNode, GraphQLError } from "graphql";

/** A limit that an operation has passed: the setting or rule, what it allows, and what was asked for. */
interface PassedLimit {
  readonly name: string;
  readonly allowed: number;
  /** As far as it was counted: a document is not read on once it is too large. */
  readonly actual: number;
}

const BAD_REQUEST = 400;

/** Refuses an operation before anything runs: nothing was sent, and the same operation will be refused again. */
export const tooExpensive = (message: string, limit: PassedLimit, node?: ASTNode): GraphQLError =>
  new GraphQLError(message, {
    ...(node === undefined ? {} : { nodes: node }),
    extensions: { code: "QUERY_TOO_EXPENSIVE", limit, http: { status: BAD_REQUEST } },
  });
