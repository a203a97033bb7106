import type { HeaderMap, HTTPGraphQLRequest } from "@apollo/server";
import type { OperationTypeNode } from "graphql";
import type { Caller } from "../../../access/principal/caller.js";
import type { Operation } from "../../../engine/answers/operation.js";
import type { ReadyQuery } from "../../../engine/answers/readyQuery.js";
import type { Pause } from "../../../engine/execution/run.js";

/** One request on its way through Apollo: the same object comes back to our plugins, and they note on it. */
export class TrackedRequest implements HTTPGraphQLRequest, Operation {
  /** Set once Apollo has found the operation; nothing before that knows, for a hash or a name can stand for any kind. */
  kind: OperationTypeNode | undefined;
  name: string | undefined;
  errorCodes: readonly string[] = [];
  /** The query that gave the answer, where graphql-js did not. */
  ranAs: ReadyQuery | undefined;

  constructor(
    readonly id: string,
    readonly method: string,
    readonly headers: HeaderMap,
    readonly search: string,
    readonly body: unknown,
    /** Who is asking: for its budgets and its accounts, and whether the answer is to show what was read for it. */
    readonly caller: Caller,
    /** What a long execution waits for between its slices. */
    readonly pause: Pause,
  ) {}
}
