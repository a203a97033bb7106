import type { HeaderMap, HTTPGraphQLRequest } from "@apollo/server";
import type { Result } from "../../../engine/answers/result.js";
import type { OperationRequest } from "../../../engine/documents/operationRequest.js";
import type { Operation } from "../../../instrumentation/events.js";

/** One request on its way through Apollo: the same object comes back to our plugins, and they note on it. */
export class TrackedRequest implements HTTPGraphQLRequest {
  /** What the engine has made of it; `undefined` where it never became an operation. */
  result: Result | undefined;
  /** The codes of what Apollo itself has refused. */
  errorCodes: readonly string[] = [];

  constructor(
    readonly id: string,
    readonly method: string,
    readonly headers: HeaderMap,
    readonly search: string,
    readonly body: unknown,
    private readonly execute: (operation: OperationRequest) => Promise<Result>,
  ) {}

  /** Has the engine run it. */
  async run(operation: OperationRequest): Promise<Result> {
    this.result = await this.execute(operation);
    return this.result;
  }

  get operation(): Operation {
    return this.result ?? { kind: undefined, name: undefined, errorCodes: this.errorCodes };
  }
}
