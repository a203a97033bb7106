import type { Result } from "../../../engine/answers/result.js";
import type { FoundCall } from "../../../engine/operationCall.js";
import type { Operation } from "../../../instrumentation/events.js";

/** An operation that Apollo passes to the engine. */
export interface EngineCall {
  /** Reads the request and finds its operation, or the refusal. */
  find(): Promise<FoundCall | Result>;
  execute(found: FoundCall): Result | Promise<Result>;
}

/** A request on its way through Apollo, which passes it to all plugins as part of the context. */
export class Passage {
  /** `undefined` until Apollo has admitted the request. */
  found: FoundCall | Result | undefined;
  /** The engine's result; `undefined` if Apollo itself refused the request. */
  result: Result | undefined;
  /** Codes of the errors if Apollo itself refused the request. */
  errorCodes: readonly string[] = [];

  constructor(
    readonly requestId: string,
    readonly call: EngineCall,
  ) {}

  get operation(): Operation {
    return this.result ?? { kind: this.found?.kind, name: this.found?.name, errorCodes: this.errorCodes };
  }
}
