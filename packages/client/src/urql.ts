import {
  type CombinedError,
  type Exchange,
  makeErrorResult,
  makeResult,
  type OperationResult,
  stringifyDocument,
} from "@urql/core";
import { filter, make, merge, mergeMap, pipe, takeUntil } from "wonka";
import { type GraphError, graphErrorsFrom, NoAnswer } from "./errors.js";
import { forward } from "./forward.js";
import { eventFrom, type GraphEvent } from "./subscription.js";
import type { Client } from "./types.js";

/**
 * urql's terminating exchange: sends every operation through the client. Mutations are sent with an idempotency key, and
 * subscriptions resume after an interruption, with `extensions.gap` on their first event. An interruption itself is a `stale`
 * result without data, with the reason in `extensions.lost` and the gateway's refusal in `extensions.refusal`. The context's
 * `trace` requests `extensions.exchange`.
 */
export const clientExchange =
  (client: Client): Exchange =>
  ({ forward: pass }) =>
  (operations$) => {
    const results$ = pipe(
      operations$,
      filter(({ kind }) => kind !== "teardown"),
      mergeMap((operation) =>
        pipe(
          make<OperationResult>((observer) => answering(client, operation, observer)),
          takeUntil(
            pipe(
              operations$,
              filter(({ kind, key }) => kind === "teardown" && key === operation.key),
            ),
          ),
        ),
      ),
    );
    const teardowns$ = pipe(
      operations$,
      filter(({ kind }) => kind === "teardown"),
    );
    return merge([results$, pass(teardowns$)]);
  };

type UrqlOperation = OperationResult["operation"];
interface Observer {
  next(result: OperationResult): void;
  complete(): void;
}

/** A result without data. */
const nothing = (operation: UrqlOperation): OperationResult => ({
  ...makeResult(operation, { data: null }),
  data: undefined,
});

/** Executes an operation; the returned function ends it. */
function answering(client: Client, operation: UrqlOperation, { next, complete }: Observer): () => void {
  const { kind, query, variables, context } = operation;
  let last: OperationResult | undefined;
  let isEnded = false;
  let end = (): void => undefined;
  const emit = (result: OperationResult) => {
    last = result;
    next(result);
  };
  const start = () => {
    // urql's hooks start an operation during rendering, and end it at once.
    if (isEnded || kind === "teardown") return;
    end = forward(
      client,
      { kind, document: stringifyDocument(query), variables },
      {
        // Each event is a separate result: extensions of one do not apply to the next.
        next: ({ data = null, errors, extensions }) =>
          emit(makeResult(operation, { data, ...(errors && { errors }), ...(extensions && { extensions }) })),
        lost: (reason, refusal) => next({ ...nothing(operation), stale: true, extensions: { lost: reason, refusal } }),
        error(error) {
          emit(makeErrorResult(operation, error instanceof Error ? error : new Error(String(error))));
          complete();
        },
        complete() {
          // For urql a subscription ends with a result that announces no other.
          if (kind === "subscription") next({ ...(last ?? nothing(operation)), hasNext: false });
          complete();
        },
      },
      { trace: context.trace === true },
    );
  };
  queueMicrotask(start);
  return () => {
    isEnded = true;
    end();
  };
}

/** Errors of a result with the client's codes. */
export function errorsOf(error: CombinedError | undefined): readonly GraphError[] {
  if (error?.networkError === undefined) return graphErrorsFrom(error?.graphQLErrors);
  const { networkError } = error;
  return [networkError instanceof NoAnswer ? networkError : new NoAnswer("UNREACHABLE", networkError.message)];
}

/** Converts a subscription's result to an event. */
export const eventOf = <Data>({ data, error, extensions }: OperationResult<Data>): GraphEvent<Data> => ({
  ...eventFrom<Data>({ ...(extensions && { extensions }) }),
  data: data ?? null,
  errors: errorsOf(error),
});
