import type { HeaderMap, HTTPGraphQLRequest } from "@apollo/server";
import type { OperationTypeNode } from "graphql";

/** One request on its way through Apollo: the same object comes back to our plugins, and they note on it. */
export class TrackedRequest implements HTTPGraphQLRequest {
  /** Set once Apollo has found the operation; nothing before that knows, for a hash or a name can stand for any kind. */
  kind: OperationTypeNode | undefined;

  constructor(
    readonly id: string,
    readonly method: string,
    readonly headers: HeaderMap,
    readonly search: string,
    readonly body: unknown,
  ) {}
}
