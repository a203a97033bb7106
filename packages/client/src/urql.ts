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
 * The last of urql's exchanges: sends every operation through the client. Mutations are sent under a key, and subscriptions go
 * on after an interruption, with `extensions.gap` on their first event. An interruption itself is a result that is `stale`,
 * without data, with the reason in `extensions.lost` and what the gateway has refused in `extensions.refusal`. The context's `trace` asks for `extensions.exchange`.
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

type Asked = OperationResult["operation"];
interface Observer {
  next(result: OperationResult): void;
  complete(): void;
}

/** A result that says nothing of the data. */
const nothing = (operation: Asked): OperationResult => ({
  ...makeResult(operation, { data: null }),
  data: undefined,
});

/** Runs an operation; the returned function ends it. */
function answering(client: Client, operation: Asked, { next, complete }: Observer): () => void {
  const { kind, query, variables, context } = operation;
  let last: OperationResult | undefined;
  let isEnded = false;
  let end = (): void => undefined;
  const emit = (result: OperationResult) => {
    last = result;
    next(result);
  };
  const start = () => {
    // urql's hooks begin an operation while they render, and end it at once.
    if (isEnded || kind === "teardown") return;
    end = forward(
      client,
      { kind, document: stringifyDocument(query), variables },
      {
        // Each event is a result of its own: what one said beside its data is not true of the next.
        next: ({ data = null, errors, extensions }) =>
          emit(makeResult(operation, { data, ...(errors && { errors }), ...(extensions && { extensions }) })),
        lost: (reason, refusal) => next({ ...nothing(operation), stale: true, extensions: { lost: reason, refusal } }),
        error(error) {
          emit(makeErrorResult(operation, error instanceof Error ? error : new Error(String(error))));
          complete();
        },
        complete() {
          // A subscription is over for urql when a result says that no other follows.
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

/** Errors of a result with codes, each as the client itself has them. */
export function errorsOf(error: CombinedError | undefined): readonly GraphError[] {
  if (error?.networkError === undefined) return graphErrorsFrom(error?.graphQLErrors);
  const { networkError } = error;
  return [networkError instanceof NoAnswer ? networkError : new NoAnswer("UNREACHABLE", networkError.message)];
}

/** A result of a subscription as an event. */
export const eventOf = <Data>({ data, error, extensions }: OperationResult<Data>): GraphEvent<Data> => ({
  ...eventFrom<Data>({ ...(extensions && { extensions }) }),
  data: data ?? null,
  errors: errorsOf(error),
});
