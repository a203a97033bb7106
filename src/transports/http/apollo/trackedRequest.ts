import type { HeaderMap, HTTPGraphQLRequest } from "@apollo/server";
import type { Result } from "../../../engine/answers/result.js";
import type { OperationRequest } from "../../../engine/documents/operationRequest.js";
import type { Operation } from "../../../instrumentation/events.js";

/** A request on its way through Apollo. Apollo passes the same object to our plugins, which record the outcome in it. */
export class TrackedRequest implements HTTPGraphQLRequest {
  /** The engine's result; `undefined` if the request never became an operation. */
  result: Result | undefined;
  /** Error codes if Apollo itself refused the request. */
  errorCodes: readonly string[] = [];

  constructor(
    readonly id: string,
    readonly method: string,
    readonly headers: HeaderMap,
    readonly search: string,
    readonly body: unknown,
    private readonly execute: (operation: OperationRequest) => Promise<Result>,
  ) {}

  /** Executes the operation with the engine. */
  async run(operation: OperationRequest): Promise<Result> {
    this.result = await this.execute(operation);
    return this.result;
  }

  get operation(): Operation {
    return this.result ?? { kind: undefined, name: undefined, errorCodes: this.errorCodes };
  }
}
